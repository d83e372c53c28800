// What Swift has no way to: a pointer a thread, and system calls that it does not import, each with its Darwin twin.
#ifndef CDAOSYSTEM_H
#define CDAOSYSTEM_H

#include <sys/types.h>

// One pointer a thread: the stack of stores whose closures this thread is inside.
void *dao_thread_marker(void);
void dao_set_thread_marker(void *marker);
// An address that no other living thread has.
const void *dao_thread_identity(void);

// Makes the new file `path`, with a mode no wider than that of `source`, and opens it for writing. Where the file system can share blocks, it holds what `source` holds, and `*cloned`
// is 1; else it is empty. -1 and errno where it can't be made.
int dao_create_clone(int source, const char *path, int *cloned);

// Copies up to `length` bytes between the files' positions inside the kernel. -1 and ENOSYS where the system can't.
ssize_t dao_copy_range(int source, int target, size_t length);

// Returns when what was written is on the medium, as far as the system can tell.
int dao_sync(int file);

#endif
