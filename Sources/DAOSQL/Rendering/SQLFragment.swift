import DAOCriteria

/// A piece of SQL with the recipes for its placeholders.
struct SQLFragment {
  var text: String
  var bindings: [Binding]

  init(_ text: String, _ bindings: [Binding] = []) {
    self.text = text
    self.bindings = bindings
  }

  static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    SQLFragment(left.text + right.text, left.bindings + right.bindings)
  }

  static func + (left: SQLFragment, right: String) -> SQLFragment { SQLFragment(left.text + right, left.bindings) }

  static func + (left: String, right: SQLFragment) -> SQLFragment { SQLFragment(left + right.text, right.bindings) }

  var inParentheses: SQLFragment { "(" + self + ")" }
}

extension Sequence<SQLFragment> {
  /// The fragments with a separator between them.
  func joined(_ separator: String) -> SQLFragment {
    var joined = SQLFragment("")
    for (index, fragment) in enumerated() {
      if index > 0 { joined.text += separator }
      joined.text += fragment.text
      joined.bindings += fragment.bindings
    }
    return joined
  }
}

extension ArraySlice<SQLFragment> {
  /// The fragments with AND or OR between them. A long chain is written as a balanced tree: SQLite refuses expressions more than 1,000 levels
  /// deep, and a chain has one a term.
  func balanced(_ separator: String) -> SQLFragment {
    if count <= 100 { return joined(separator) }
    let middle = startIndex + count / 2
    return self[..<middle].balanced(separator).inParentheses + separator + self[middle...].balanced(separator).inParentheses
  }
}
