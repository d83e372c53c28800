#include "CBenchSystem.h"

#ifdef __linux__
#include <features.h>
#include <sys/vfs.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>

void bench_give_memory_back(void) { malloc_trim(0); }
#else
void bench_give_memory_back(void) {}
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
