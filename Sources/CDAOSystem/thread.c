#include "CDAOSystem.h"

static _Thread_local void *marker;

void *dao_thread_marker(void) { return marker; }
void dao_set_thread_marker(void *value) { marker = value; }
const void *dao_thread_identity(void) { return &marker; }
