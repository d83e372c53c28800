#define _GNU_SOURCE
#include "CDAOSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const mode_t mode = 0644;

#ifdef __APPLE__
#include <sys/clonefile.h>

int dao_create_clone(int source, const char *path, int *cloned) {
  *cloned = fclonefileat(source, AT_FDCWD, path, 0) == 0;
  // A clone has its source's permissions; a bundled seed can't be written.
  if (*cloned) return chmod(path, mode) == 0 ? open(path, O_WRONLY | O_CLOEXEC) : -1;
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

ssize_t dao_copy_range(int source, int target, size_t length) {
  (void)source, (void)target, (void)length;
  errno = ENOSYS;
  return -1;
}

// fsync stops at the drive's cache; file systems without the better call have only that.
int dao_sync(int file) { return fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file); }

#else
#include <sys/ioctl.h>

// FICLONE of linux/fs.h, which clashes with other headers: _IOW(0x94, 9, int).
static const unsigned long clone_request = 0x40049409;

int dao_create_clone(int source, const char *path, int *cloned) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  *cloned = file >= 0 && ioctl(file, clone_request, source) == 0;
  return file;
}

ssize_t dao_copy_range(int source, int target, size_t length) { return copy_file_range(source, 0, target, 0, length, 0); }

int dao_sync(int file) { return fsync(file); }
#endif
