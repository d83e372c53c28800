#define _GNU_SOURCE
#include "CBenchSystem.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <copyfile.h>

static int copy(int from, int to) { return fcopyfile(from, to, 0, COPYFILE_DATA); }
static int sync_file(int file) { return fcntl(file, F_FULLFSYNC); }
#else
static int copy(int from, int to) {
  struct stat status;
  if (fstat(from, &status) != 0) return -1;
  for (off_t left = status.st_size; left > 0;) {
    ssize_t count = copy_file_range(from, 0, to, 0, left, 0);
    if (count <= 0) return -1;
    left -= count;
  }
  return 0;
}
static int sync_file(int file) { return fsync(file); }
#endif

int bench_copy(const char *source, const char *target) {
  int from = open(source, O_RDONLY | O_CLOEXEC);
  int to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  int result = from < 0 || to < 0 || copy(from, to) != 0 || sync_file(to) != 0 ? -1 : 0;
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  return result;
}

int bench_sync(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int result = sync_file(file);
  close(file);
  return result;
}
