// Calls of SQLite that Swift can't make: functions with any number of arguments.
#ifndef CDAOSQLITE_H
#define CDAOSQLITE_H

// Switches an option of a SQLite connection on (1) or off (0), or leaves it as it is (-1): `sqlite3_db_config`. Returns what it is then; -1
// where SQLite does not know it.
int dao_configure(void *connection, int option, int value);

#endif
