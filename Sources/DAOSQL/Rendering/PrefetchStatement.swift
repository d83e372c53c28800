import DAOCriteria

extension SQL {
  /// A statement that prefetches the rows of a relationship.
  ///
  /// Each of its values is the list of the keys that the rows before it lead to, and the text is therefore the same for any number of keys.
  /// (Keys that have a NUL in them are packed: `(SELECT dao_unpack(value) FROM temp.json_each(?))`.) Where no row leads anywhere it is not
  /// sent.
  public struct PrefetchStatement: Sendable, Hashable {
    /// The path of the relationship.
    public let path: String
    /// The SQL.
    public let text: String

    /// A statement.
    public init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }
}
