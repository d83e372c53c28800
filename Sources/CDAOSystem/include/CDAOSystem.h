// System calls that Swift does not import, each with its Darwin twin.
#ifndef CDAOSYSTEM_H
#define CDAOSYSTEM_H

// One pointer a thread: the stack of stores whose closures this thread is inside.
void *dao_thread_marker(void);
void dao_set_thread_marker(void *marker);
// An address that no other living thread has.
const void *dao_thread_identity(void);

#endif
