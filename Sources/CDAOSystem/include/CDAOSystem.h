// What Swift has no way to: a pointer a thread, and system calls that it does not import, each with its Darwin twin.
#ifndef CDAOSYSTEM_H
#define CDAOSYSTEM_H

#include <stdint.h>
#include <sys/types.h>

// One pointer a thread: the stack of stores whose closures this thread is inside.
void *dao_thread_marker(void);
void dao_set_thread_marker(void *marker);
// One more pointer a thread: the asynchronous call that it works for.
void *dao_thread_call(void);
void dao_set_thread_call(void *call);
// And one more: the meter of the query that it runs.
void *dao_thread_meter(void);
void dao_set_thread_meter(void *meter);
// And one more: the limits of the connection that it uses.
void *dao_thread_limits(void);
void dao_set_thread_limits(void *limits);
// And one more: what suspends the store to all of which it does something.
void *dao_thread_suspension(void);
void dao_set_thread_suspension(void *suspension);
// An address that no other living thread has.
const void *dao_thread_identity(void);
// The number that debuggers and the system's tools show for the calling thread.
uint64_t dao_thread_number(void);

// A flag that one thread sets and others read without a lock.
typedef struct dao_flag { int value; } dao_flag;
dao_flag *dao_flag_make(void);
void dao_flag_free(dao_flag *flag);
void dao_flag_set(dao_flag *flag, int value);
static inline int dao_flag_is_set(const dao_flag *flag) { return flag && __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE); }

// Makes the new file `path`, with a mode no wider than that of `source`, and opens it for writing. Where the file system can share blocks,
// it holds what `source` holds, and `*cloned` is 1; else it is empty. -1 and errno where it can't be made.
int dao_create_clone(int source, const char *path, int *cloned);

// Copies up to `length` bytes between the files' positions inside the kernel. -1 and ENOSYS where the system can't.
ssize_t dao_copy_range(int source, int target, size_t length);

// Returns when what was written is on the medium, as far as the system can tell.
int dao_sync(int file);

// A descriptor that can be read from when the file at `path` is written or removed: inotify's on Linux; on Apple systems the file itself,
// for an event source of the file system. -1 and errno where the file can't be watched.
int dao_watch(const char *path);
// Takes what can be read from it.
void dao_watch_drain(int watch);

#endif
