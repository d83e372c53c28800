import DAOCriteria

extension SQL {
  /// The supported SQL dialects.
  public enum Dialect: String, Sendable, Hashable {
    /// SQLite 3.37 or later.
    case sqlite
  }
}
