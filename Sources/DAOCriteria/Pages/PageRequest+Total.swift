extension PageRequest {
  /// The information that a page gives about the rows beyond it, each kind at its own cost.
  public enum Total: Sendable, Hashable {
    /// Nothing: no extra row is fetched, unless rows may have the same key: rows of a view, or of a table whose key may be null or is a
    /// decimal kept as text.
    case omitted
    /// Whether another page follows: one extra row is fetched.
    case hasNext
    /// The number of rows of all pages, by a second statement, `SELECT COUNT(*) FROM … WHERE …`, unless this is the only page. Inside a
    /// session both see the same snapshot. ``DAO/refine(_:)`` narrows both alike.
    case exact
    /// The same, counted up to a number and no further: `SELECT COUNT(*) FROM (SELECT 1 FROM … WHERE … LIMIT ?)`. A total equal to this
    /// number means that number or more.
    case atMost(Int)

    /// Whether it takes a second statement.
    package var isCounted: Bool {
      switch self {
      case .omitted, .hasNext: false
      case .exact, .atMost: true
      }
    }
  }
}
