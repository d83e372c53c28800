// Test-only, for Linux: preloaded into a process, it counts the calls that change files below one folder, or those that read them, records
// them, and can end the process before or after any of them, or let it fail.
//
//   DAO_SHIM_ROOT=folder      calls elsewhere pass through
//   DAO_SHIM_LOG=file         each call that succeeded is appended; see `record`
//   DAO_SHIM_COUNT=file       gets the number of calls at the process's end
//   DAO_SHIM_AT=n             what happens at the n-th call, counted from 1
//   DAO_SHIM_DO=before|after|half   the process ends before the call, after it, or after half of a write
//   DAO_SHIM_DO=suspend      the process gets SIGUSR1, and the call goes on when the file DAO_SHIM_GATE is there
//   DAO_SHIM_DO=short|cut|<errno>   half is written; or that, and what comes after finds the disk full; or the call fails (removing never
//   does) DAO_SHIM_STAYS=1          from the n-th call on they all fail, or do half
//   DAO_SHIM_MET=file         each call is appended that was to fail, or to do half; see `met`
//   DAO_SHIM_READS=1          counted are the calls that read, and not those that change
//   DAO_SHIM_WRITES=1         of those that change, counted are the ones that write more than one byte, which alone can do half
//   DAO_SHIM_SLEEP=µs         waits before each call
//   DAO_SHIM_REFUSE=link,range  these calls fail as on a file system that does not know them
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })
#define CALLER __builtin_return_address(0)

// CLONE is told of calls that fail; the bytes that a clone brings are recorded as a WRITE.
enum { READ, CREATE, WRITE, TRUNCATE, RENAME, UNLINK, LINK, SYNC, MKDIR, RMDIR, OTHER, COPY, CLONE };

static const char *root, *mode, *refused = "";
static long target, calls, pause_us;
static int reads, writes, stays, is_cut;
static __thread int is_last;
static int log_file = -1;

__attribute__((constructor)) static void start(void) {
  root = getenv("DAO_SHIM_ROOT");
  mode = getenv("DAO_SHIM_DO");
  if (getenv("DAO_SHIM_REFUSE")) refused = getenv("DAO_SHIM_REFUSE");
  if (getenv("DAO_SHIM_AT")) target = atol(getenv("DAO_SHIM_AT"));
  if (getenv("DAO_SHIM_SLEEP")) pause_us = atol(getenv("DAO_SHIM_SLEEP"));
  reads = getenv("DAO_SHIM_READS") != 0;
  writes = getenv("DAO_SHIM_WRITES") != 0;
  stays = getenv("DAO_SHIM_STAYS") != 0;
  if (getenv("DAO_SHIM_LOG"))
    log_file = syscall(SYS_openat, AT_FDCWD, getenv("DAO_SHIM_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

__attribute__((destructor)) static void finish(void) {
  FILE *file = getenv("DAO_SHIM_COUNT") ? fopen(getenv("DAO_SHIM_COUNT"), "w") : 0;
  if (!file) return;
  fprintf(file, "%ld", calls);
  fclose(file);
}

static int watched(const char *path) { return root && path && strncmp(path, root, strlen(root)) == 0; }

static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
  return watched(path);
}

static int is_ours(void *caller) {
  Dl_info info;
  return !(dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libsqlite3"));
}

static int64_t inode_of(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 ? (int64_t)status.st_ino : -1;
}

static int64_t inode_at(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 ? (int64_t)status.st_ino : -1;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static int is(const char *what) { return mode && strcmp(mode, what) == 0; }

// What a call is to do: go on, go on with half, or fail with `errno` set.
enum { GO, HALF, FAIL };

// Whether something happens to a call that is counted now.
static int is_met(void) {
  long call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  return target && (call == target || (stays && call > target));
}

// Says that something has happened to a call, in a line: `KIND OURS failed|half`, or `spared` of one that removes, which never fails.
static void met(int kind, void *caller, const char *what) {
  const char *path = getenv("DAO_SHIM_MET");
  if (!path) return;
  int saved = errno;
  int fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  char line[64];
  int length = snprintf(line, sizeof line, "%d %d %s\n", kind, is_ours(caller), what);
  if (fd < 0 || syscall(SYS_write, fd, line, length) != length) abort();
  syscall(SYS_close, fd);
  errno = saved;
}

// Has the process be suspended, and waits until it says that it is being so.
static void await_gate(int kind, void *caller) {
  met(kind, caller, "spared");
  int saved = errno;
  kill(getpid(), SIGUSR1);
  while (syscall(SYS_access, getenv("DAO_SHIM_GATE"), F_OK) != 0) usleep(100);
  errno = saved;
}

// Whether the write that did half was before, and the call needs room.
static int finds_no_room(int kind) {
  return is("cut") && is_cut && (kind == CREATE || kind == WRITE || kind == COPY || kind == LINK || kind == MKDIR);
}

// `count` is how many bytes a call is to write.
static int enter(int kind, void *caller, size_t count) {
  is_last = 0;
  if (reads) return GO;
  if (pause_us) usleep(pause_us);
  int error = mode ? atoi(mode) : 0;
  if (finds_no_room(kind)) {
    error = ENOSPC;
  } else {
    if ((writes && count < 2) || !is_met()) return GO;
    if (is("before")) die();
    if (is("suspend")) await_gate(kind, caller);
    if (is("cut")) is_cut = 1;
    // Other threads go on counting.
    is_last = is("after") || (is("half") && count > 1);
    if (!error) return (is("half") || is("short") || is("cut")) && count > 1 ? HALF : GO;
  }
  int is_spared = kind == UNLINK || kind == RMDIR;
  met(kind, caller, is_spared ? "spared" : "failed");
  errno = error;
  return is_spared ? GO : FAIL;
}

static void leave(void) {
  if (is_last) die();
}

// One record: 6 numbers of 64 bits (kind, ours, inode, offset, bytes of the two paths together with their separator, bytes of data), then
// the paths, separated by a NUL, then the data.
static void record(
  int kind, void *caller, int64_t inode, int64_t offset, const char *from, const char *to, const void *data, size_t count
) {
  if (log_file < 0) return;
  int saved = errno;
  size_t from_length = strlen(from), to_length = strlen(to);
  int64_t head[6] = {kind, is_ours(caller), inode, offset, (int64_t)(from_length + 1 + to_length), (int64_t)count};
  struct iovec parts[5] = {{head, sizeof head}, {(void *)from, from_length + 1}, {(void *)to, to_length}, {(void *)data, count}};
  syscall(SYS_writev, log_file, parts, 4);
  errno = saved;
}

// Kernel copies are recorded as the bytes that arrived.
static void record_copied(int kind, void *caller, int fd, int64_t offset, ssize_t count) {
  if (log_file < 0 || count <= 0) return;
  char path[PATH_MAX], link[64], *data = malloc(count);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int again = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
  path_of(fd, path);
  ssize_t got = syscall(SYS_pread64, again, data, count, offset);
  if (got != count) abort();
  record(kind, caller, inode_of(fd), offset, path, "", data, count);
  syscall(SYS_close, again);
  free(data);
}

// Opening.

static int opened(void *caller, int flags, mode_t bits, const char *path, int (*real)(const char *, int, ...)) {
  int64_t before = watched(path) && flags & (O_CREAT | O_TRUNC) ? inode_at(path) : 0;
  int creates = before == -1 && flags & O_CREAT, truncates = before > 0 && flags & O_TRUNC;
  if (!creates && !truncates) return real(path, flags, bits);
  int kind = creates ? CREATE : TRUNCATE;
  if (enter(kind, caller, 0) == FAIL) return -1;
  int fd = real(path, flags, bits);
  if (fd >= 0) record(kind, caller, inode_of(fd), 0, path, "", 0, 0);
  leave();
  return fd;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    mode_t bits = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    return opened(CALLER, flags, bits, path, REAL(name)); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    va_list list; \
    va_start(list, flags); \
    mode_t bits = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    if (path[0] == '/') return opened(CALLER, flags, bits, path, REAL(open)); \
    return REAL(name)(folder, path, flags, bits); \
  }
OPENAT(openat)
OPENAT(openat64)

int creat(const char *path, mode_t bits) { return opened(CALLER, O_WRONLY | O_CREAT | O_TRUNC, bits, path, REAL(open)); }

// Writing.

#define WRITING(name, kind, fd, count, position, ...) \
  char path[PATH_MAX]; \
  if (!path_of(fd, path)) return REAL(name)(__VA_ARGS__); \
  int todo = enter(kind, CALLER, count); \
  if (todo == FAIL) return -1; \
  if (todo == HALF) { count = count / 2; met(kind, CALLER, "half"); } \
  int64_t at = (position); \
  ssize_t result = REAL(name)(__VA_ARGS__);

ssize_t write(int fd, const void *data, size_t count) {
  WRITING(write, WRITE, fd, count, lseek(fd, 0, SEEK_CUR), fd, data, count)
  if (result > 0) record(WRITE, CALLER, inode_of(fd), at, path, "", data, result);
  leave();
  return result;
}

#define PWRITE(name, offset_type) \
  ssize_t name(int fd, const void *data, size_t count, offset_type offset) { \
    WRITING(name, WRITE, fd, count, offset, fd, data, count, offset) \
    if (result > 0) record(WRITE, CALLER, inode_of(fd), at, path, "", data, result); \
    leave(); \
    return result; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec *parts, int count) {
  WRITING(writev, WRITE, fd, count, lseek(fd, 0, SEEK_CUR), fd, parts, count)
  record_copied(WRITE, CALLER, fd, at, result);
  leave();
  return result;
}

#define PWRITEV(name, offset_type) \
  ssize_t name(int fd, const struct iovec *parts, int count, offset_type offset) { \
    WRITING(name, WRITE, fd, count, offset, fd, parts, count, offset) \
    record_copied(WRITE, CALLER, fd, at, result); \
    leave(); \
    return result; \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned flags) {
  if (strstr(refused, "range")) { errno = ENOSYS; return -1; }
  WRITING(copy_file_range, COPY, to, count, to_offset ? *to_offset : lseek(to, 0, SEEK_CUR), from, from_offset, to, to_offset, count, flags)
  record_copied(COPY, CALLER, to, at, result);
  leave();
  return result;
}

#define SENDFILE(name, offset_type) \
  ssize_t name(int to, int from, offset_type *offset, size_t count) { \
    WRITING(name, WRITE, to, count, lseek(to, 0, SEEK_CUR), to, from, offset, count) \
    record_copied(WRITE, CALLER, to, at, result); \
    leave(); \
    return result; \
  }
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  char path[PATH_MAX];
  if (request != 0x40049409 /* FICLONE */ || !path_of(fd, path)) return REAL(ioctl)(fd, request, argument);
  if (enter(CLONE, CALLER, 0) == FAIL) return -1;
  int result = REAL(ioctl)(fd, request, argument);
  struct stat status;
  if (result == 0 && fstat(fd, &status) == 0) record_copied(WRITE, CALLER, fd, 0, status.st_size);
  leave();
  return result;
}

// Reading.

// Whether the call is to fail, with `errno` set.
static int fails_to_read(int fd, void *caller) {
  char path[PATH_MAX];
  if (!reads || !path_of(fd, path)) return 0;
  if (!is_met() || !mode) return 0;
  if (is("suspend")) {
    await_gate(READ, caller);
    return 0;
  }
  met(READ, caller, "failed");
  errno = atoi(mode);
  return 1;
}

#define READING(name, parameters, ...) \
  ssize_t name parameters { return fails_to_read(fd, CALLER) ? -1 : REAL(name)(__VA_ARGS__); }
READING(read, (int fd, void *data, size_t count), fd, data, count)
READING(pread, (int fd, void *data, size_t count, off_t offset), fd, data, count, offset)
READING(pread64, (int fd, void *data, size_t count, off64_t offset), fd, data, count, offset)
READING(readv, (int fd, const struct iovec *parts, int count), fd, parts, count)
READING(preadv, (int fd, const struct iovec *parts, int count, off_t offset), fd, parts, count, offset)
READING(preadv64, (int fd, const struct iovec *parts, int count, off64_t offset), fd, parts, count, offset)

// Sizes, syncs and attributes.

#define ON_FILE(name, kind, parameters, offset, ...) \
  int name parameters { \
    char path[PATH_MAX]; \
    if (!path_of(fd, path)) return REAL(name)(__VA_ARGS__); \
    if (enter(kind, CALLER, 0) == FAIL) return -1; \
    int result = REAL(name)(__VA_ARGS__); \
    if (result == 0) record(kind, CALLER, inode_of(fd), offset, path, "", 0, 0); \
    leave(); \
    return result; \
  }
ON_FILE(ftruncate, TRUNCATE, (int fd, off_t size), size, fd, size)
ON_FILE(ftruncate64, TRUNCATE, (int fd, off64_t size), size, fd, size)
ON_FILE(fsync, SYNC, (int fd), 0, fd)
ON_FILE(fdatasync, SYNC, (int fd), 0, fd)
ON_FILE(fchmod, OTHER, (int fd, mode_t bits), 0, fd, bits)
ON_FILE(fchown, OTHER, (int fd, uid_t user, gid_t group), 0, fd, user, group)
ON_FILE(fallocate, OTHER, (int fd, int how, off_t offset, off_t count), 0, fd, how, offset, count)
ON_FILE(fallocate64, OTHER, (int fd, int how, off64_t offset, off64_t count), 0, fd, how, offset, count)
ON_FILE(posix_fallocate, OTHER, (int fd, off_t offset, off_t count), 0, fd, offset, count)
ON_FILE(posix_fallocate64, OTHER, (int fd, off64_t offset, off64_t count), 0, fd, offset, count)

// Names.

#define ON_PATH(name, kind, parameters, changes, from, to, ...) \
  int name parameters { \
    if (!watched(from) || !(changes)) return REAL(name)(__VA_ARGS__); \
    if (enter(kind, CALLER, 0) == FAIL) return -1; \
    int64_t inode = inode_at(from); \
    int result = REAL(name)(__VA_ARGS__); \
    if (result == 0) record(kind, CALLER, inode, 0, from, to, 0, 0); \
    leave(); \
    return result; \
  }
#define IS_THERE(path) (inode_at(path) != -1)
ON_PATH(rename, RENAME, (const char *from, const char *to), IS_THERE(from), from, to, from, to)
ON_PATH(renameat, RENAME, (int a, const char *from, int b, const char *to), IS_THERE(from), from, to, a, from, b, to)
ON_PATH(renameat2, RENAME, (int a, const char *from, int b, const char *to, unsigned f), IS_THERE(from), from, to, a, from, b, to, f)
ON_PATH(unlink, UNLINK, (const char *path), IS_THERE(path), path, "", path)
ON_PATH(unlinkat, UNLINK, (int folder, const char *path, int flags), IS_THERE(path), path, "", folder, path, flags)
ON_PATH(mkdir, MKDIR, (const char *path, mode_t bits), 1, path, "", path, bits)
ON_PATH(rmdir, RMDIR, (const char *path), IS_THERE(path), path, "", path)
ON_PATH(chmod, OTHER, (const char *path, mode_t bits), 1, path, "", path, bits)
ON_PATH(truncate, OTHER, (const char *path, off_t size), 1, path, "", path, size)
ON_PATH(truncate64, OTHER, (const char *path, off64_t size), 1, path, "", path, size)
ON_PATH(symlink, OTHER, (const char *from, const char *to), 1, to, from, from, to)

int link(const char *from, const char *to) {
  if (strstr(refused, "link")) { errno = EPERM; return -1; }
  if (!watched(to)) return REAL(link)(from, to);
  if (enter(LINK, CALLER, 0) == FAIL) return -1;
  int result = REAL(link)(from, to);
  if (result == 0) record(LINK, CALLER, inode_at(to), 0, from, to, 0, 0);
  leave();
  return result;
}
