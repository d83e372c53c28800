import DAOCriteria
import DAOSQL
import GRDB
import GRDBSQLite

/// A copy of one snapshot of a database, made piece by piece while others write (sqlite.org/backup.html).
///
/// It belongs to the source's connection, which has a transaction open until the copy ends, and is used where that connection may be.
final class OnlineBackup {
  private let source: SQLiteConnection
  private let target: SQLiteFile
  // Nil when it has ended.
  private var backup: OpaquePointer?

  /// Begins a copy; no page is copied yet.
  /// - Parameter target: an empty database, which nobody else uses.
  init(of source: any Connection, to target: SQLiteFile) throws {
    guard let source = source as? SQLiteConnection else { throw DAOError.unsupported("only SQLite's stores are copied page by page") }
    self.source = source
    self.target = target
    // The snapshot is the one that this reads.
    try source.begin()
    do {
      backup = try target.run { db in
        guard let backup = sqlite3_backup_init(db.sqliteConnection, "main", source.handle, "main") else {
          throw DatabaseError(resultCode: ResultCode(rawValue: sqlite3_errcode(db.sqliteConnection)))
        }
        return backup
      }
    } catch {
      source.rollBack()
      throw error
    }
  }

  deinit { end() }

  /// Copies so many pages more.
  /// - Returns: how many pages there are, and how many are left.
  func step(_ pages: Int32) throws -> (total: Int64, left: Int64) {
    try source.beginStatement()
    return try target.run { _ in
      guard let backup else { return (0, 0) }
      let code = sqlite3_backup_step(backup, pages)
      guard code == SQLITE_OK || code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      return (Int64(sqlite3_backup_pagecount(backup)), Int64(sqlite3_backup_remaining(backup)))
    }
  }

  private func end() {
    guard let backup else { return }
    sqlite3_backup_finish(backup)
    self.backup = nil
    source.rollBack()
  }
}

extension SQLiteConnection {
  /// Begins a transaction that has its snapshot already.
  fileprivate func begin() throws {
    _ = try rows(SQLStatement("BEGIN"))
    do { _ = try rows(SQLStatement("SELECT 1 FROM sqlite_schema LIMIT 1")) } catch {
      rollBack()
      throw error
    }
  }
}
