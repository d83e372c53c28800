#include "CDAOSystem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

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
  if (flag) atomic_store(&flag->isSet, true);
}

int dao_flag_is_set(const dao_flag *flag) { return flag && atomic_load(&flag->isSet); }
