import DAOCriteria

/// What is left of a criteria when its values are taken out: the part that its SQL depends on.
///
/// One walk collects the values and hashes the rest, so that a criteria that is built anew each time finds its prepared statement without
/// being rendered. The walk's order is the renderer's: scope, filter, columns, having, orders, changes, limit, offset, place.
struct CriteriaShape {
  private var hasher = ShapeHash()
  private(set) var literals: [Literal] = []
  /// The hash of the shape; equal shapes have equal hashes.
  let hash: Int

  init(_ kind: StatementKind, _ criteria: Criteria) { self.init(kind, criteria, scope: criteria.scope) }

  /// The shape of a criteria within another scope than its own.
  init(_ kind: StatementKind, _ criteria: Criteria, scope: Condition) {
    self.init()
    hasher.combine(kind.tag)
    walk(scope)
    walk(criteria.filter)
    for column in criteria.columns { walk(column) }
    walk(criteria.having)
    for order in criteria.orders { walk(order) }
    for change in kind.changes {
      walk(change.target)
      walk(change.value)
    }
    hasher.combine(criteria.isDistinct)
    hasher.combine(criteria.limit == nil)
    if let limit = criteria.limit {
      hasher.combine(limit == 0)
      literals.append(.scalar(.integer(Int64(limit))))
    }
    hasher.combine(criteria.offset == nil)
    if let offset = criteria.offset { literals.append(.scalar(.integer(Int64(offset)))) }
    if let place = criteria.after {
      for value in place {
        hasher.combine(value.isNull)
        literals.append(.stored(value))
      }
    }
    self = CriteriaShape(literals: literals, hash: Int(truncatingIfNeeded: hasher.value))
  }

  private init() {
    hash = 0
    literals.reserveCapacity(8)
  }

  private init(literals: [Literal], hash: Int) {
    self.literals = literals
    self.hash = hash
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
    case .constant(let value): hasher.combine(value ? 1 : 2)
    case .compare(let left, let comparison, let right):
      hasher.combine(3)
      hasher.combine(comparison.rawValue)
      walk(left)
      walk(right)
    case .between(let term, let lower, let upper):
      hasher.combine(4)
      walk(term)
      walk(lower)
      walk(upper)
    case .among(let term, let values):
      hasher.combine(5)
      walk(term)
      let list = ListShape(values)
      hasher.combine((list.isEmpty ? 1 : 0) | (list.hasNull ? 2 : 0) | (list.hasNUL ? 4 : 0))
      literals.append(.list(list.hasNull ? values.filter { !$0.isNull } : values))
    case .isNull(let term):
      hasher.combine(6)
      walk(term)
    case .matches(let term, let match, let pattern, let caseSensitive):
      hasher.combine(7)
      hasher.combine(match.rawValue)
      hasher.combine(caseSensitive)
      walk(term)
      walk(pattern)
      hasher.combine(pattern.isEmptyText)
    case .search(let search): walk(search)
    case .all(let conditions):
      hasher.combine(8)
      hasher.combine(conditions.count)
      for condition in conditions { walk(condition) }
    case .any(let conditions):
      hasher.combine(9)
      hasher.combine(conditions.count)
      for condition in conditions { walk(condition) }
    case .not(let condition):
      hasher.combine(10)
      walk(condition)
    case .some(let path, let condition):
      hasher.combine(12)
      hasher.combine(path)
      walk(condition)
    case .tooDeep: hasher.combine(11)
    }
  }

  private mutating func walk(_ search: TextSearch) {
    hasher.combine(13)
    hasher.combine(search.path)
    literals.append(.words(search.query))
  }

  private mutating func walk(_ scalar: Scalar) {
    hasher.combine(Int(scalar.kind.rawValue))
    literals.append(.scalar(scalar))
  }

  private mutating func walk(_ term: Term) {
    switch term {
    case .field(let path):
      hasher.combine(20)
      hasher.combine(path)
    case .value(let scalar):
      hasher.combine(21)
      walk(scalar)
    case .search(let result, let search):
      hasher.combine(28)
      hasher.combine(result.name)
      if let path = result.path { hasher.combine(path) }
      for value in result.values { walk(value) }
      walk(search)
    case .function(let function, let terms):
      hasher.combine(22)
      hasher.combine(function.rawValue)
      for term in terms { walk(term) }
    case .aggregate(let aggregate, let term):
      hasher.combine(23)
      hasher.combine(aggregate.rawValue)
      if let term { walk(term) }
    case .related(let aggregate, let path, let term, let condition):
      hasher.combine(25)
      hasher.combine(aggregate.rawValue)
      hasher.combine(path)
      if let term { walk(term) }
      walk(condition)
    case .unstorable: hasher.combine(24)
    }
  }

  private mutating func walk(_ column: ProjectedColumn) {
    hasher.combine(column.isGroup)
    hasher.combine(column.name)
    walk(column.term)
  }

  private mutating func walk(_ order: Ordering) {
    hasher.combine(order.direction.rawValue)
    hasher.combine(order.nulls.rawValue)
    walk(order.term)
  }
}

/// What the SQL of an `in` depends on.
struct ListShape: Equatable {
  let isEmpty: Bool
  let hasNull: Bool
  let hasNUL: Bool

  init(_ values: [Scalar]) {
    var hasNull = false
    var hasNUL = false
    var count = 0
    for value in values {
      switch value {
      case .null: hasNull = true
      case .text(let text):
        count += 1
        if !hasNUL, text.utf8.contains(0) { hasNUL = true }
      default: count += 1
      }
    }
    isEmpty = count == 0
    self.hasNull = hasNull
    self.hasNUL = hasNUL
  }
}

extension Scalar {
  var isEmptyText: Bool { if case .text(let text) = self { text.isEmpty } else { false } }
}
