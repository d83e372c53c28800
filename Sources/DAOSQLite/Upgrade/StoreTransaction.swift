import GRDB

/// One transaction on a store, which lasts when it has returned.
struct StoreTransaction {
  /// A transaction that was to be committed, and may or may not have been.
  struct CommitFailure: Error {
    let error: any Error
  }

  let store: String
  let timeout: Duration
  let maximumLength: Int

  /// - Throws: what the body throws, when all is taken back; ``CommitFailure``.
  func run<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var isCommitting = false
    do {
      return try SQLiteFile.open(store, timeout: timeout, maximumLength: maximumLength) { db in
        // As the library's own syncs: the old base goes when this has come to the medium.
        try db.run("PRAGMA fullfsync = ON")
        try db.run("PRAGMA synchronous = FULL")
        try db.run("BEGIN IMMEDIATE")
        do {
          let value = try body(db)
          isCommitting = true
          try db.run("COMMIT")
          return value
        } catch {
          try? db.run("ROLLBACK")
          throw error
        }
      }
    } catch { throw isCommitting ? CommitFailure(error: error) : error }
  }
}
