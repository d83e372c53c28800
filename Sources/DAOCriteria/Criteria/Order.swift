/// One term by which rows are ordered, its direction, and the position of nulls.
///
/// ```swift
/// .order(by: .descending(\.standardOffset), .ascending(.lower(\.name)))
/// // ORDER BY "standardOffset" DESC NULLS LAST, dao_lower("name") ASC NULLS FIRST
/// ```
public struct Order<Root: Entity>: Sendable, Hashable {
  /// The order as a plain value.
  public let ordering: Criteria.Ordering

  /// An order.
  @inlinable public init(_ ordering: Criteria.Ordering) { self.ordering = ordering }

  /// Smallest first; nulls first by default: `"x" ASC NULLS FIRST`.
  @inlinable @inline(__always)
  public static func ascending<V>(_ path: FieldKeyPath<Root, V>, nulls: Nulls = .first) -> Order {
    Order(Criteria.Ordering(Root.term(path), .ascending, nulls: nulls))
  }
  /// Smallest first, of a function or named attribute; nulls first by default.
  @inlinable public static func ascending<V>(_ operand: Operand<Root, V>, nulls: Nulls = .first) -> Order {
    Order(Criteria.Ordering(operand.term, .ascending, nulls: nulls))
  }
  /// Largest first; nulls last by default: `"x" DESC NULLS LAST`.
  @inlinable @inline(__always)
  public static func descending<V>(_ path: FieldKeyPath<Root, V>, nulls: Nulls = .last) -> Order {
    Order(Criteria.Ordering(Root.term(path), .descending, nulls: nulls))
  }
  /// Largest first, of a function or named attribute; nulls last by default.
  @inlinable public static func descending<V>(_ operand: Operand<Root, V>, nulls: Nulls = .last) -> Order {
    Order(Criteria.Ordering(operand.term, .descending, nulls: nulls))
  }
}

// The same for closures, where an aggregate takes orders: `{ $0.name.groupConcat(order: $0.rank.descending()) }`.
extension Field {
  /// Smallest first; nulls first by default: `"x" ASC NULLS FIRST`.
  public func ascending(nulls: Nulls = .first) -> Criteria.Ordering { Criteria.Ordering(term, .ascending, nulls: nulls) }
  /// Largest first; nulls last by default: `"x" DESC NULLS LAST`.
  public func descending(nulls: Nulls = .last) -> Criteria.Ordering { Criteria.Ordering(term, .descending, nulls: nulls) }
}
