extension Criteria {
  /// An order as a plain value, without Swift types.
  public struct Ordering: Sendable, Hashable {
    /// Up or down.
    public enum Direction: String, Sendable, Hashable {
      /// Smallest first.
      case ascending = "ASC"
      /// Largest first.
      case descending = "DESC"
    }

    /// The term that rows are ordered by.
    public let term: Criteria.Term
    /// Up or down.
    public let direction: Direction
    /// The position of nulls.
    public let nulls: Nulls

    /// An order by a term.
    public init(_ term: consuming Criteria.Term, _ direction: Direction = .ascending, nulls: Nulls? = nil) {
      term.checkDepth()
      self.term = term
      self.direction = direction
      self.nulls = nulls ?? (direction == .ascending ? .first : .last)
    }

    /// The order that a page of a report gets from one of its columns, which may be deeper than other orders: a report has no page after a
    /// cursor.
    package init(of column: Criteria.Column) {
      term = column.term
      direction = .ascending
      nulls = .first
    }
  }
}
