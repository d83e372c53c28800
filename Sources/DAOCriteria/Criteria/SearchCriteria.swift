/// A query as one immutable value: filters, orders, projections and a page.
///
/// Every function returns a new value. The same value finds, counts, projects, pages, updates and deletes.
///
/// ```swift
/// let criteria = SearchCriteria<Zone>
///   .where { .like($0.name, "europe/*", caseSensitive: false) && $0.comment != nil }
///   .order(by: .ascending(\.standardOffset), .descending(\.name))
///   .limit(20)
/// ```
///
/// becomes
///
/// ```sql
/// SELECT "id", "name", … FROM "zone"
/// WHERE dao_ilike("name", ?) AND "comment" IS NOT NULL
/// ORDER BY "standardOffset" ASC NULLS FIRST, "name" DESC NULLS LAST, "id" ASC NULLS FIRST LIMIT ?
/// ```
public struct SearchCriteria<Root: Entity>: Sendable, Hashable {
  /// The criteria as a plain value.
  public package(set) var criteria: Criteria

  /// All rows, in no order.
  @inlinable public init() { self.init(Criteria()) }

  /// A query around a plain value.
  public init(_ criteria: Criteria) { self.criteria = criteria }

  /// All rows, in no order.
  @inlinable public static var all: SearchCriteria { SearchCriteria() }

  /// The rows that a filter is true of.
  @inlinable public static func `where`(_ filter: Filter<Root>) -> SearchCriteria { SearchCriteria().filter(filter) }

  /// The rows that a filter is true of, written over the entity's fields: `.where { $0.name == "x" }`.
  @inlinable public static func `where`(_ filter: (Root.Fields) -> Filter<Root>) -> SearchCriteria { SearchCriteria().filter(filter) }

  /// Only rows that this filter is true of too.
  @inlinable public consuming func filter(_ filter: Filter<Root>) -> SearchCriteria {
    changing { $0.filter = .both($0.filter, filter.condition) }
  }

  /// Only rows that this filter is true of too, written over the entity's fields: `{ $0.name == "x" && $0.comment != nil }`.
  @inlinable public consuming func filter(_ filter: (Root.Fields) -> Filter<Root>) -> SearchCriteria {
    self.filter(filter(Root.Fields(path: .root)))
  }

  /// Ordered by these too, after the existing orders.
  @inlinable public consuming func order(by orders: Order<Root>...) -> SearchCriteria { order(by: orders) }

  /// Ordered by these too, after the existing orders.
  @inlinable public consuming func order(by orders: [Order<Root>]) -> SearchCriteria {
    // A key path in a generic type is created again each time, which costs more than all else here.
    changing { for order in orders { $0.orders.append(order.ordering) } }
  }

  // Apart from several, and always inlined, so that the compiler sees which key path is meant: walking one takes a hundredth of a page.
  /// Ordered by an attribute too, smallest first: `order(by: \.name)`.
  @inlinable @inline(__always)
  public consuming func order<Value>(by path: FieldKeyPath<Root, Value>) -> SearchCriteria { order(by: .ascending(path)) }

  /// Ordered by attributes too, smallest first: `order(by: \.country, \.name)`.
  @inlinable public consuming func order<each Value>(by paths: repeat FieldKeyPath<Root, each Value>) -> SearchCriteria {
    changing { for path in repeat each paths { $0.orders.append(Order<Root>.ascending(path).ordering) } }
  }

  /// At most `limit` rows, after skipping `offset` rows. A report of aggregates without a group is computed over these rows only. The
  /// orders of a query with a page always end in the primary key.
  @inlinable public consuming func limit(_ limit: Int, offset: Int = 0) -> SearchCriteria {
    changing {
      $0.limit = limit
      $0.offset = offset == 0 ? nil : offset
    }
  }

  /// Skips `offset` rows.
  @inlinable public consuming func offset(_ offset: Int) -> SearchCriteria { changing { $0.offset = offset == 0 ? nil : offset } }

  /// Adds projections: the values that a report reads of each row or group.
  @inlinable public consuming func project<each Value>(_ projections: repeat Projection<Root, each Value>) -> SearchCriteria {
    changing { for projection in repeat each projections { $0.columns.append(projection.column) } }
  }

  /// Only groups that the filter is true of; aggregates in it speak of the group: `HAVING COUNT(*) > ?`. Without projections to group by it
  /// is an error.
  @inlinable public consuming func having(_ filter: Filter<Root>) -> SearchCriteria {
    changing { $0.having = .both($0.having, filter.condition) }
  }

  /// Only groups that the filter is true of, written over the entity's fields.
  @inlinable public consuming func having(_ filter: (Root.Fields) -> Filter<Root>) -> SearchCriteria {
    having(filter(Root.Fields(path: .root)))
  }

  /// Equal rows of a report count once: `SELECT DISTINCT`. Without projections it is an error: no two rows of an entity are equal.
  @inlinable public consuming func distinct() -> SearchCriteria { changing { $0.isDistinct = true } }

  // Consuming, as are the functions above: a query that nobody else holds is changed where it is.
  @usableFromInline consuming func changing(_ change: (inout Criteria) -> Void) -> SearchCriteria {
    change(&criteria)
    return self
  }
}
