#define _GNU_SOURCE
#include "CDAOSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// Of a copy: as a file is made, but no wider than its source. It can always be written.
static mode_t mode_of(int source) {
  struct stat status;
  return 0644 & (fstat(source, &status) == 0 ? status.st_mode | 0600 : 0600);
}

static int create(int source, const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_of(source));
}

#ifdef __APPLE__
#include <sys/clonefile.h>

// A clone needs a name that is free, and has its source's mode: that of a bundled seed, which can't be written, or one wider than the
// process's umask allows. A file that is made first has the right one.
int dao_create_clone(int source, const char *path, int *cloned) {
  struct stat made;
  int file = create(source, path);
  *cloned = 0;
  if (file < 0 || fstat(file, &made) != 0 || unlink(path) != 0) return file;
  close(file);
  *cloned = fclonefileat(source, AT_FDCWD, path, 0) == 0;
  if (!*cloned) return create(source, path);
  return chmod(path, made.st_mode & 07777) == 0 ? open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
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
  int file = create(source, path);
  *cloned = file >= 0 && ioctl(file, clone_request, source) == 0;
  return file;
}

ssize_t dao_copy_range(int source, int target, size_t length) { return copy_file_range(source, 0, target, 0, length, 0); }

int dao_sync(int file) { return fsync(file); }
#endif
