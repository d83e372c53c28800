import DAOCriteria
import GRDBSQLite

/// A statement that a store ran.
public struct StatementTrace: Sendable {
  /// Its text, with placeholders for its values: those stay out of logs.
  public let sql: String
  /// How long it ran, from its first step to its last. The time that the caller takes between two rows is part of it; what SQLite does
  /// after a commit, to fold the write-ahead log into the file, is not.
  public let duration: Duration
  /// How many rows it returned or, where it returns none, changed. Nil where rows were not counted: of slow statements, where no others are
  /// reported.
  public let rowCount: Int?
  /// Whether it had run before, and was kept from then.
  public let isReused: Bool
  /// SQLite's extended code of the error with which it failed (sqlite.org/rescode.html); nil where it did not fail.
  public internal(set) var errorCode: Int32?
  /// Its text with its values, where ``StoreLog/showsValues`` requests it.
  public let expanded: String?
}

extension StatementTrace {
  /// The error with which it failed, in SQLite's general words: those of the error itself may have values.
  package var error: DAOError? {
    errorCode.map { .engine(DAOError.EngineFailure(code: $0, message: String(cString: sqlite3_errstr($0)), sql: sql)) }
  }
}
