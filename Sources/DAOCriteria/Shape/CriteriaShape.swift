/// The shape of a query, which is the query without its values, and the values: one walk collects both.
///
/// An engine keeps a statement for each shape, so that a query that is built again each time finds its prepared statement without being
/// checked or rendered, and binds its values. A page token holds a hash of shape and values, so that it fits no other criteria. The parts
/// come in the order in which ``CriteriaChecker`` checks them, which gives the values the same numbers: scope, filter, columns, having,
/// orders, changes, limit, offset, position.
///
/// The number of each kind and the bytes written for each value must never change: page tokens outlive the process. Another number, or
/// another order, needs another version of ``PageToken``.
@usableFromInline
package struct CriteriaShape {
  /// Equal for equal shapes, and for no others.
  @usableFromInline package private(set) var words = ShapeWords()
  /// The values, by their numbers.
  package private(set) var values: [CriteriaValue] = []

  /// The shape of a query within a scope.
  package init(_ use: Criteria.Use, _ criteria: Criteria, scope: Criteria.Condition) {
    self.init()
    words.add(use.tag)
    walk(scope)
    walk(criteria.filter)
    let first = values.count
    words.add(criteria.columns.count)
    for column in criteria.columns { walk(column) }
    walk(criteria.having)
    words.add(criteria.orders.count)
    for order in criteria.orders { walk(order) }
    if !criteria.columns.isEmpty { addEquals(of: values[first...]) }
    words.add(use.changes.count)
    for change in use.changes {
      walk(change.target)
      walk(change.value)
    }
    words.add(criteria.isDistinct)
    words.add(criteria.limit.map { $0 == 0 ? 1 : 2 } ?? 0)
    if let limit = criteria.limit { values.append(.scalar(.integer(Int64(limit)))) }
    words.add(criteria.offset != nil)
    if let offset = criteria.offset { values.append(.scalar(.integer(Int64(offset)))) }
    words.add(criteria.after?.count ?? -1)
    for value in criteria.after ?? [] {
      words.add(value.isNull)
      values.append(.stored(value))
    }
  }

  /// The shape of a scope by itself.
  package init(scope: Criteria.Condition) {
    self.init()
    walk(scope)
  }

  /// The shape of all that a position among rows depends on.
  init(scope: Criteria.Condition, filter: Criteria.Condition, orders: [Criteria.Ordering]) {
    self.init()
    walk(scope)
    walk(filter)
    words.add(orders.count)
    for order in orders { walk(order) }
  }

  private init() { values.reserveCapacity(8) }

  /// Adds which values are equal. Whether a report groups by what it orders by depends on it: `.json(\.details, "a")` is not
  /// `.json(\.details, "b")`.
  private mutating func addEquals(of values: ArraySlice<CriteriaValue>) {
    var places: [CriteriaValue: Int] = [:]
    for value in values {
      let place = places[value] ?? places.count
      places[value] = place
      words.add(place)
    }
  }

  private mutating func walk(_ condition: Criteria.Condition) {
    switch condition.node {
    case .constant(let value): words.add(value ? 1 : 2)
    case .compare(let left, let comparison, let right):
      words.add(3)
      words.add(comparison.tag)
      walk(left)
      walk(right)
    case .between(let term, let lower, let upper):
      words.add(4)
      walk(term)
      walk(lower)
      walk(upper)
    case .among(let term, let values):
      words.add(5)
      walk(term)
      let list = ListShape(values)
      words.add(
        (list.isEmpty ? 1 : 0) | (list.hasNull ? 2 : 0) | (list.hasNUL ? 4 : 0) | (list.hasEarlyDate ? 8 : 0)
          | (list.isConvertible ? 16 : 0) | (list.hasFarDate ? 32 : 0))
      self.values.append(.list(list.hasNull ? values.filter { !$0.isNull } : values))
    case .isNull(let term):
      words.add(6)
      walk(term)
    case .matches(let term, let match, let pattern, let caseSensitive):
      words.add(7)
      words.add(match.rawValue)
      words.add(caseSensitive)
      walk(term)
      walk(pattern)
    case .search(let search): walk(search)
    case .all(let conditions):
      words.add(8)
      words.add(conditions.count)
      for condition in conditions { walk(condition) }
    case .any(let conditions):
      words.add(9)
      words.add(conditions.count)
      for condition in conditions { walk(condition) }
    case .not(let condition):
      words.add(10)
      walk(condition)
    case .some(let path, let condition):
      words.add(12)
      words.add(path)
      walk(condition)
    case .tooDeep: words.add(11)
    }
  }

  private mutating func walk(_ search: Criteria.Search) {
    words.add(13)
    words.add(search.path)
    values.append(.words(search.query))
  }

  private mutating func walk(_ scalar: Scalar) {
    let facts = (scalar.isApproximate ? 0x100 : 0) | (scalar.isNumberInText ? 0x200 : 0) | (scalar.isFarDate ? 0x400 : 0)
    words.add(Int(scalar.kind.rawValue) | facts)
    values.append(.scalar(scalar))
  }

  private mutating func walk(_ term: Criteria.Term) {
    switch term {
    case .field(let path):
      words.add(20)
      words.add(path)
    case .value(let scalar):
      words.add(21)
      walk(scalar)
    case .search(let result, let search):
      words.add(28)
      words.add(result.name)
      words.add(result.path != nil)
      if let path = result.path { words.add(path) }
      words.add(result.values.count)
      for value in result.values { walk(value) }
      walk(search)
    case .function(let function, let terms):
      words.add(22)
      words.add(function.rawValue)
      words.add(terms.count)
      for term in terms { walk(term) }
    case .aggregate(let aggregate, let term):
      words.add(23)
      walk(aggregate, term)
    case .related(let aggregate, let path, let term, let condition):
      words.add(25)
      words.add(path)
      walk(aggregate, term)
      walk(condition)
    case .unstorable: words.add(24)
    }
  }

  private mutating func walk(_ aggregate: Aggregate, _ term: Criteria.Term?) {
    words.add(aggregate.name)
    words.add(term != nil)
    if let term { walk(term) }
    guard case .groupConcat(let separator, let orders) = aggregate else { return }
    walk(.text(separator))
    words.add(orders.count)
    for order in orders { walk(order) }
  }

  private mutating func walk(_ column: Criteria.Column) {
    words.add(column.isGroup)
    words.add(column.name)
    walk(column.term)
  }

  private mutating func walk(_ order: Criteria.Ordering) {
    words.add(order.direction == .ascending)
    words.add(order.nulls == .first)
    walk(order.term)
  }
}

extension Criteria.Comparison {
  /// A number for it, which is written faster than its name.
  fileprivate var tag: Int {
    switch self {
    case .equal: 0
    case .notEqual: 1
    case .less: 2
    case .lessOrEqual: 3
    case .greater: 4
    case .greaterOrEqual: 5
    }
  }
}
