extension [String] {
  /// Expressions or names, one after the other.
  var listed: String { joined(separator: ", ") }

  /// Conditions that hold together.
  var allHold: String { joined(separator: " AND ") }

  /// The rows of several queries, each once.
  var united: String { joined(separator: "\nUNION\n") }
}
