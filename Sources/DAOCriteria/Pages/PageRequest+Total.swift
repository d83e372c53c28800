extension PageRequest {
  /// The information that a page gives about the rows beyond it, each kind at its own cost.
  public enum Total: Sendable, Hashable {
    /// Nothing: no row more than the page's is asked for, but where rows may have the same key: those of a view, or where the key may be
    /// null or is a decimal kept as text.
    case omitted
    /// Whether another page follows: one row more is asked for.
    case hasNext
    /// How many rows all pages have, by a second statement, `SELECT COUNT(*) FROM … WHERE …`, unless there is this page alone. Inside a
    /// session both see the same snapshot. ``DAO/refine(_:)`` narrows both alike.
    case exact
    /// The same, counted up to a number and no further: `SELECT COUNT(*) FROM (SELECT 1 FROM … WHERE … LIMIT ?)`. A total of just this
    /// number means as many or more.
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
