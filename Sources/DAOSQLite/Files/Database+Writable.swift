import GRDB
import GRDBSQLite

extension Database {
  /// Refuses a file that was opened for writing and can only be read, before SQLite reads it: beside a file in WAL mode it would then make
  /// a WAL and its index, and be unable to remove them.
  /// - Throws: `SQLITE_READONLY`.
  func checkIsWritable() throws {
    guard sqlite3_db_readonly(sqliteConnection, "main") == 1 else { return }
    throw DatabaseError(resultCode: .SQLITE_READONLY, message: "the file can't be written; give it the permission, or use it where it lies")
  }
}
