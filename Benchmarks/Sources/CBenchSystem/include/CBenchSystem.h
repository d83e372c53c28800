// System calls that Swift does not import.
#ifndef CBENCHSYSTEM_H
#define CBENCHSYSTEM_H

// Copies a file into a new one and returns when it is on the medium. -1 and errno where it can't be done.
int bench_copy(const char *source, const char *target);

// Returns when what was done to a file or folder is on the medium.
int bench_sync(const char *path);

// Gives memory that is free back to the system, where the C library can (glibc).
void bench_give_memory_back(void);

// From here on, memory goes back to the system as soon as it is free, where the C library can be told so (glibc). It would keep what it has
// once needed.
void bench_keep_no_memory(void);

// 1 where a folder is kept in memory alone (tmpfs), as far as can be told.
int bench_is_in_memory(const char *path);

#endif
