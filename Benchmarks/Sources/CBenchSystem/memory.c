#include "CBenchSystem.h"

#ifdef __linux__
#include <features.h>
#include <sys/vfs.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>

void bench_give_memory_back(void) { malloc_trim(0); }

// These are where it begins; it raises both when a large piece is freed, unless they were set.
void bench_keep_no_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}
#else
void bench_give_memory_back(void) {}

void bench_keep_no_memory(void) {}
#endif

#ifdef __linux__
int bench_is_in_memory(const char *path) {
  struct statfs status;
  // TMPFS_MAGIC
  return statfs(path, &status) == 0 && status.f_type == 0x01021994;
}
#else
int bench_is_in_memory(const char *path) { return 0; }
#endif
