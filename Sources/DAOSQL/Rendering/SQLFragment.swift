import DAOCriteria

/// A piece of SQL with the recipes for its placeholders.
struct SQLFragment {
  var text: String
  var bindings: [Binding]
  /// How deep the deepest condition in it goes.
  var depth = 0

  init(_ text: String, _ bindings: [Binding] = [], depth: Int = 0) {
    self.text = text
    self.bindings = bindings
    self.depth = depth
  }

  static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    SQLFragment(left.text + right.text, left.bindings + right.bindings, depth: max(left.depth, right.depth))
  }

  static func + (left: SQLFragment, right: String) -> SQLFragment { SQLFragment(left.text + right, left.bindings, depth: left.depth) }

  static func + (left: String, right: SQLFragment) -> SQLFragment { SQLFragment(left + right.text, right.bindings, depth: right.depth) }

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
      joined.depth = Swift.max(joined.depth, fragment.depth)
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

extension [SQLFragment] {
  /// The fragments, one that goes deep before the others: SQLite's parser remembers what stands before a parenthesis until that ends.
  var deepestFirst: [SQLFragment] {
    guard let deepest = indices.max(by: { self[$0].depth < self[$1].depth }), Condition.isDeep(self[deepest].depth) else { return self }
    var fragments = self
    fragments.insert(fragments.remove(at: deepest), at: 0)
    return fragments
  }
}
