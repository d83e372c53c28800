#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "CDAOSystem.h"

#include <pthread.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

static _Thread_local void *marker;
static _Thread_local void *call;
static _Thread_local void *meter;
static _Thread_local void *limits;
static _Thread_local void *suspension;

void *dao_thread_marker(void) { return marker; }
void dao_set_thread_marker(void *value) { marker = value; }
void *dao_thread_call(void) { return call; }
void dao_set_thread_call(void *value) { call = value; }
void *dao_thread_meter(void) { return meter; }
void dao_set_thread_meter(void *value) { meter = value; }
void *dao_thread_limits(void) { return limits; }
void dao_set_thread_limits(void *value) { limits = value; }
void *dao_thread_suspension(void) { return suspension; }
void dao_set_thread_suspension(void *value) { suspension = value; }
const void *dao_thread_identity(void) { return &marker; }

static uint64_t system_thread_number(void) {
#if defined(__APPLE__)
  uint64_t number = 0;
  pthread_threadid_np(NULL, &number);
  return number;
#elif defined(__linux__)
  return (uint64_t)syscall(SYS_gettid);
#else
  return 0;
#endif
}

uint64_t dao_thread_number(void) {
  // Asked of the system once a thread: it is noted at each call.
  static _Thread_local uint64_t number;
  if (!number) number = system_thread_number();
  return number;
}
