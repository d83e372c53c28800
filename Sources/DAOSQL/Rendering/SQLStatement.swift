import DAOCriteria

/// A statement as an engine receives it: text with placeholders, and the values for them.
public struct SQLStatement: Sendable, Hashable {
  /// The SQL; every value in it is a `?`, or numbered (`?1`) where some are used more than once.
  public let text: String
  /// The values, in the order or by the numbers of the placeholders.
  public let bindings: [StoredValue]

  /// A statement.
  public init(_ text: String, _ bindings: [StoredValue] = []) {
    self.text = text
    self.bindings = bindings
  }
}
