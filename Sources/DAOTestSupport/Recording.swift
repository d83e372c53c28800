import DAOKit

/// The statements that ran during a body, and the result of the body.
public struct Recording<Result> {
  /// The result of the body.
  public let result: Result
  /// The statements' texts, with placeholders.
  public let texts: [String]
  /// The statements with their values, where the recorder received them; without samples.
  package let expanded: [String]

  /// The statements that read or change rows: without those that begin and end transactions, set up connections, read the schema or take a
  /// sample, which a store does when it needs to and not at each call.
  public var queries: [String] {
    texts.filter { text in
      !["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA"].contains { text.hasPrefix($0) }
        && !["sqlite_schema", "sqlite_master"].contains { text.contains($0) } && !text.isSample
    }
  }
}

extension Recording: Sendable where Result: Sendable {}
