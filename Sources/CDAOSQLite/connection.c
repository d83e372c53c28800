#include "CDAOSQLite.h"

// Declared here, since only the floor above knows the headers of SQLite.
struct sqlite3;
int sqlite3_db_config(struct sqlite3 *, int, ...);

int dao_configure(void *connection, int option, int value) {
    int result = -1;
    return sqlite3_db_config((struct sqlite3 *)connection, option, value, &result) == 0 ? result : -1;
}
