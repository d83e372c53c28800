import DAOCriteria

extension SQL {
  /// The SQL dialects there are.
  public enum Dialect: String, Sendable, Hashable {
    /// SQLite 3.37 or later.
    case sqlite
  }
}
