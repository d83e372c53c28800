import DAOSQL

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
  /// Its text with its values, where ``StoreLog/showsValues`` requests it.
  public let expanded: String?
}
