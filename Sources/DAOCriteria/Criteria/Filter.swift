/// A condition on the rows of an entity, as an immutable value.
///
/// Written as a closure over the entity's fields, in which the compiler names a slip (*no member 'nmae'*), or with key paths; operators and
/// named functions make the same values. Join them with `&&`, `||` and `!`, or from lists with ``all(_:)`` and ``any(_:)``.
///
/// ```swift
/// zones.findAll(.where { $0.standardOffset > 3600 && $0.comment != nil && !.like($0.name, "europe/*") })
///
/// let far: Filter<Zone> = \.standardOffset >= 36_000 || \.standardOffset <= -36_000
/// let named: Filter<Zone> = .like(\.name, "europe/*", caseSensitive: false) && .isNotNull(\.comment)
/// zones.count(.where(far && !named))
/// ```
///
/// Filters are true or false, never unknown: `\.comment != "x"` is true where the comment is nil, and `!f` is exactly the rows that `f`
/// leaves out. Composing never changes the operands.
public struct Filter<Root: Entity>: Sendable, Hashable {
  /// The condition as a plain value.
  public let condition: Criteria.Condition

  /// A filter with a condition.
  @inlinable public init(_ condition: Criteria.Condition) { self.condition = condition }

  /// True of every row.
  public static var everything: Filter { Filter(.constant(true)) }
  /// True of no row.
  public static var nothing: Filter { Filter(.constant(false)) }

  /// All of the filters; true for an empty list: `a AND b`.
  @inlinable public static func all(_ filters: [Filter]) -> Filter { Filter(.all(filters.map { $0.condition })) }
  /// One of the filters at least; false for an empty list: `a OR b`.
  @inlinable public static func any(_ filters: [Filter]) -> Filter { Filter(.any(filters.map { $0.condition })) }
  /// Both.
  @inlinable public static func and(_ filters: Filter...) -> Filter { all(filters) }
  /// One at least.
  @inlinable public static func or(_ filters: Filter...) -> Filter { any(filters) }
  /// The rows that the filter leaves out.
  @inlinable public static func not(_ filter: Filter) -> Filter { Filter(.not(filter.condition)) }

  /// Both.
  @inlinable public static func && (left: Filter, right: Filter) -> Filter { Filter(.all([left.condition, right.condition])) }
  /// One at least.
  @inlinable public static func || (left: Filter, right: Filter) -> Filter { Filter(.any([left.condition, right.condition])) }
  /// The rows that the filter leaves out.
  @inlinable public static prefix func ! (filter: Filter) -> Filter { not(filter) }

  /// A filter if the value is not nil, all rows if it is nil: the only way to skip a filter, and visible.
  ///
  /// ```swift
  /// .where(.optional(searchText) { .contains(\.name, $0) })
  /// ```
  @inlinable public static func optional<Value>(_ value: Value?, _ filter: (Value) -> Filter) -> Filter { value.map(filter) ?? .everything }
}
