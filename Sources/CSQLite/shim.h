#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, which Swift does not import: SQLite shall copy what is bound.
static inline int safelight_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int safelight_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline void safelight_result_text(
    sqlite3_context *context, const void *text, int bytes) {
  sqlite3_result_text(context, (const char *)text, bytes, SQLITE_TRANSIENT);
}

// Swift does not import functions with variable arguments: switches an option of a connection on or off.
static inline void safelight_set(sqlite3 *connection, int option, int isOn) {
  sqlite3_db_config(connection, option, isOn, (int *)0);
}
