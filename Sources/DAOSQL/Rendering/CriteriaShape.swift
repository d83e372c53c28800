import DAOCriteria

/// What is left of a criteria when its values are taken out: the part that its SQL depends on.
///
/// One walk collects the values and writes out the rest, so that a criteria that is built anew each time finds its prepared statement without
/// being rendered. The walk's order is the renderer's: scope, filter, columns, having, orders, changes, limit, offset, place.
struct CriteriaShape {
  /// Equal for equal shapes, and for no others.
  private(set) var words = ShapeWords()
  private(set) var literals: [Literal] = []

  init(_ kind: StatementKind, _ criteria: Criteria) { self.init(kind, criteria, scope: criteria.scope) }

  /// The shape of a criteria within another scope than its own.
  init(_ kind: StatementKind, _ criteria: Criteria, scope: Condition) {
    self.init()
    words.add(kind.tag)
    walk(scope)
    walk(criteria.filter)
    let first = literals.count
    words.add(criteria.columns.count)
    for column in criteria.columns { walk(column) }
    walk(criteria.having)
    words.add(criteria.orders.count)
    for order in criteria.orders { walk(order) }
    if !criteria.columns.isEmpty { addEquals(of: literals[first...]) }
    words.add(kind.changes.count)
    for change in kind.changes {
      walk(change.target)
      walk(change.value)
    }
    words.add(criteria.isDistinct)
    words.add(criteria.limit.map { $0 == 0 ? 1 : 2 } ?? 0)
    if let limit = criteria.limit { literals.append(.scalar(.integer(Int64(limit)))) }
    words.add(criteria.offset != nil)
    if let offset = criteria.offset { literals.append(.scalar(.integer(Int64(offset)))) }
    words.add(criteria.after?.count ?? -1)
    for value in criteria.after ?? [] {
      words.add(value.isNull)
      literals.append(.stored(value))
    }
  }

  /// The shape of a scope by itself.
  init(scope: Condition) {
    self.init()
    walk(scope)
  }

  private init() { literals.reserveCapacity(8) }

  /// Adds which literals are equal. Whether a report groups by what it orders by depends on it: `.json(\.details, "a")` is not
  /// `.json(\.details, "b")`.
  private mutating func addEquals(of literals: ArraySlice<Literal>) {
    var places: [Literal: Int] = [:]
    for literal in literals {
      let place = places[literal] ?? places.count
      places[literal] = place
      words.add(place)
    }
  }

  /// How many literals a condition has.
  static func literalCount(of condition: Condition) -> Int {
    var shape = CriteriaShape()
    shape.walk(condition)
    return shape.literals.count
  }

  /// How many literals a term has.
  static func literalCount(of term: Term) -> Int {
    var shape = CriteriaShape()
    shape.walk(term)
    return shape.literals.count
  }

  private mutating func walk(_ condition: Condition) {
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
          | (list.isConvertible ? 16 : 0))
      literals.append(.list(list.hasNull ? values.filter { !$0.isNull } : values))
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

  private mutating func walk(_ search: TextSearch) {
    words.add(13)
    words.add(search.path)
    literals.append(.words(search.query))
  }

  private mutating func walk(_ scalar: Scalar) {
    words.add(Int(scalar.kind.rawValue) | (scalar.isApproximate ? 0x100 : 0) | (scalar.isNumberInText ? 0x200 : 0))
    literals.append(.scalar(scalar))
  }

  private mutating func walk(_ term: Term) {
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
      words.add(aggregate.rawValue)
      words.add(term != nil)
      if let term { walk(term) }
    case .related(let aggregate, let path, let term, let condition):
      words.add(25)
      words.add(aggregate.rawValue)
      words.add(path)
      words.add(term != nil)
      if let term { walk(term) }
      walk(condition)
    case .unstorable: words.add(24)
    }
  }

  private mutating func walk(_ column: ProjectedColumn) {
    words.add(column.isGroup)
    words.add(column.name)
    walk(column.term)
  }

  private mutating func walk(_ order: Ordering) {
    words.add(order.direction == .ascending)
    words.add(order.nulls == .first)
    walk(order.term)
  }
}

extension Comparison {
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

/// What the SQL of an `in` depends on.
struct ListShape {
  let isEmpty: Bool
  let hasNull: Bool
  let hasNUL: Bool
  /// Whether several stored values may be read as one of its dates.
  let hasEarlyDate: Bool
  /// Whether a column's affinity would have SQLite compare another value than one of its: a number that a text spells, or the double that is
  /// nearest to an integer.
  let isConvertible: Bool

  init(_ values: [Scalar]) {
    var hasNull = false
    var hasNUL = false
    var hasEarlyDate = false
    var isConvertible = false
    var count = 0
    for value in values {
      switch value {
      case .null: hasNull = true
      case .text(let text):
        count += 1
        if !hasNUL, text.utf8.contains(0) { hasNUL = true }
        if !isConvertible, value.isNumberInText { isConvertible = true }
      case .integer(let integer):
        count += 1
        if !isConvertible, Int64(exactly: Double(integer)) != integer { isConvertible = true }
      case .date:
        count += 1
        if !hasEarlyDate, value.isApproximate { hasEarlyDate = true }
      default: count += 1
      }
    }
    isEmpty = count == 0
    self.hasNull = hasNull
    self.hasNUL = hasNUL
    self.hasEarlyDate = hasEarlyDate
    self.isConvertible = isConvertible
  }
}
