#include "CDAOSystem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct dao_flag {
  atomic_bool isSet;
};

dao_flag *dao_flag_make(void) {
  dao_flag *flag = malloc(sizeof(dao_flag));
  if (flag) atomic_init(&flag->isSet, false);
  return flag;
}

void dao_flag_free(dao_flag *flag) { free(flag); }

void dao_flag_set(dao_flag *flag) {
  if (flag) atomic_store_explicit(&flag->isSet, true, memory_order_seq_cst);
}

int dao_flag_is_set(const dao_flag *flag) { return flag && atomic_load_explicit(&flag->isSet, memory_order_seq_cst); }

int64_t dao_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int dao_limits_reached(void *context) {
  dao_limits *limits = context;
  if (dao_flag_is_set(limits->cancelled)) {
    limits->reached = dao_limit_cancelled;
  } else if (limits->deadline != INT64_MAX && dao_now() >= limits->deadline) {
    limits->reached = dao_limit_deadline;
  } else {
    return 0;
  }
  return 1;
}
