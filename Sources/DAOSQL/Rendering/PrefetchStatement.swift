import DAOCriteria

extension SQL {
  /// A statement that fetches the rows of a relationship along.
  ///
  /// Each of its values is the list of the keys that the rows before it lead to, so the text is the same however many there are. (Keys that
  /// have a NUL in them are packed: `(SELECT dao_unpack(value) FROM temp.json_each(?))`.) Where no row leads anywhere it is not sent.
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
