#include "CDAOSystem.h"

#include <stdlib.h>

dao_flag *dao_flag_make(void) { return calloc(1, sizeof(dao_flag)); }

void dao_flag_free(dao_flag *flag) { free(flag); }

void dao_flag_set(dao_flag *flag, int value) {
  if (flag) __atomic_store_n(&flag->value, value, __ATOMIC_SEQ_CST);
}
