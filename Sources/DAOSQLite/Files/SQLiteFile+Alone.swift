import DAOCriteria
import DAOWaiting
import GRDB

extension SQLiteFile {
  /// Opens a database that nobody else has open, folds its WAL in, and keeps everybody out while the body runs. Afterwards it is not in WAL
  /// mode, whether or not the body throws.
  /// - Parameter purpose: the purpose, for the error: "be replaced".
  /// - Throws: ``DAOError/BootstrapProblem/Kind/locked`` where somebody has it open until `timeout`, and what the body throws.
  static func alone<Value>(_ path: String, timeout: Duration, to purpose: String, _ body: (Database) throws -> Value) throws -> Value {
    try SQLiteFile.open(path, timeout: timeout) { db in
      // Waited for here, and not in each statement.
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      try take(db, path, timeout: timeout, to: purpose)
      defer { try? db.execute(sql: "ROLLBACK") }
      return try body(db)
    }
  }

  /// Removes the WAL and its index that an opening has left which found no room for them, as far as nobody else has the database open.
  /// Commits in the WAL are folded in.
  static func removeWAL(of path: String) {
    var configuration = Configuration.untrusting()
    // The index is in memory then, and the WAL goes when the connection closes.
    configuration.prepareDatabase { try $0.run("PRAGMA locking_mode = EXCLUSIVE") }
    guard let file = try? SQLiteFile(path, .write, configuration) else { return }
    try? file.run { db in
      try db.run("BEGIN EXCLUSIVE")
      try Files.remove(path + "-shm")
      try db.run("ROLLBACK")
    }
    try? file.close()
  }

  /// Folds the WAL in and begins a transaction that keeps everybody else out.
  private static func take(_ db: Database, _ path: String, timeout: Duration, to purpose: String) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      if try foldWAL(db), try unlessBusy({ try db.execute(sql: "BEGIN EXCLUSIVE") }) != nil {
        // Somebody may have been quicker, and turned WAL mode on again.
        if try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete" { return }
        try db.execute(sql: "ROLLBACK")
      }
      guard ContinuousClock.now < deadline else {
        throw DAOError.bootstrap(DAOError.BootstrapProblem(.locked, path: path, "the store is open elsewhere and can't \(purpose)"))
      }
      try BlockedThread.pause(for: .milliseconds(5))
    }
  }
}
