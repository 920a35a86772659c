#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>

// sqlite3_db_config() takes variable arguments, which Swift cannot pass. Every switch that we set
// takes an int and answers with one.
static inline int datebook_sqlite3_switch(sqlite3 *database, int option, int on) {
  int now = 0;
  return sqlite3_db_config(database, option, on, &now);
}

// SQLITE_TRANSIENT ("copy the text") is a cast of -1 to a function pointer, which Swift does not
// import. A null pointer would bind NULL; Swift has one for empty text.
static inline int datebook_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const char *text, int octets) {
  return sqlite3_bind_text(statement, index, text ? text : "", octets, SQLITE_TRANSIENT);
}

// SQLITE_STATIC: the text is not copied, and must be there for as long as the statement runs.
static inline int datebook_sqlite3_bind_lent_text(
    sqlite3_stmt *statement, int index, const char *text, int octets) {
  return sqlite3_bind_text(statement, index, text ? text : "", octets, SQLITE_STATIC);
}

// The same for octets that are no text: a null pointer would bind NULL here, too.
static inline int datebook_sqlite3_bind_octets(
    sqlite3_stmt *statement, int index, const void *octets, int count) {
  return sqlite3_bind_blob(statement, index, octets ? octets : "", count, SQLITE_TRANSIENT);
}

// sqlite3_config() takes variable arguments, too. Without the statistics that nobody reads, each
// allocation takes two steps on a mutex less. It is to be called before anything else of SQLite.
static inline int datebook_sqlite3_keep_no_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// The same for the answer of a function of ours.
static inline void datebook_sqlite3_result_text(
    sqlite3_context *context, const char *text, int octets) {
  sqlite3_result_text(context, text ? text : "", octets, SQLITE_TRANSIENT);
}

// What is in the write-ahead log goes to the disk, as a checkpoint has it go before all else. SQLite hands out the
// file and no call for this; the methods of a file are part of its interface. sqlite.org/c3ref/c_fcntl_begin_atomic_write.html,
// SQLITE_FCNTL_JOURNAL_POINTER; sqlite.org/c3ref/io_methods.html.
//
// - Parameter system_error: becomes the errno of what failed.
static inline int datebook_sqlite3_sync_journal(sqlite3 *database, int *system_error) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_MISUSE;
  errno = 0;
  code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  *system_error = errno;
  return code;
}

// The device and the inode of what a path leads to, by which a file that was replaced is known. stat(2).
//
// - Returns: 0; 1 where nothing is there; -1 where it cannot be asked.
static inline int datebook_file_identity(
    const char *path, unsigned long long *device, unsigned long long *inode) {
  struct stat status;
  if (stat(path, &status) != 0) return errno == ENOENT || errno == ENOTDIR ? 1 : -1;
  *device = status.st_dev;
  *inode = status.st_ino;
  return 0;
}
