import DAOCriteria

extension SQL {
  /// The supported SQL dialects.
  public enum Dialect: String, Sendable, Hashable {
    /// SQLite 3.37 or later.
    case sqlite
  }
}

extension SQL.Dialect {
  /// What an engine of the dialect takes in one statement.
  package var limits: Criteria.StatementLimits {
    switch self {
    case .sqlite: .sqlite
    }
  }
}
