#include "CBenchSystem.h"

#ifdef __linux__
#include <features.h>
#endif

#ifdef __GLIBC__
#include <malloc.h>

void bench_give_memory_back(void) { malloc_trim(0); }
#else
void bench_give_memory_back(void) {}
#endif
