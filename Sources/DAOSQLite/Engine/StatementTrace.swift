import DAOSQL

/// A statement that a store ran.
public struct StatementTrace: Sendable {
  /// Its text, with placeholders for its values: those stay out of logs.
  public let sql: String
  /// How long it ran, from its first step to its last.
  public let duration: Duration
}
