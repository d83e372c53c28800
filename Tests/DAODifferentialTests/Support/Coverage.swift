import DAOKit

/// Which kinds of node were generated, and how often.
struct Coverage {
  private(set) var counts: [String: Int] = [:]

  /// Everything that criteria can be made of.
  static let all: Set<String> = Set(
    [
      "constant", "search", "highlight", "between", "among", "among nothing", "among null", "among hundreds", "isNull", "all", "any", "not",
      "field", "value",
      "nil",
    ]
      + Comparison.allCases.map(\.rawValue)
      + TextMatch.allCases.flatMap { ["\($0) true", "\($0) false"] } + Function.allCases.map(\.rawValue)
      + Aggregate.allCases.map { "aggregate \($0.rawValue)" } + ["rows", "attribute with attribute"]
      + [
        "ASC FIRST", "ASC LAST", "DESC FIRST", "DESC LAST", "limit", "offset", "distinct", "group", "having", "one group", "columns",
        "scope",
      ])

  private mutating func note(_ what: String) { counts[what, default: 0] += 1 }

  mutating func note(_ criteria: Criteria) {
    note(criteria.filter)
    if !criteria.scope.isAlwaysTrue { note("scope") }
    for order in criteria.orders {
      note(order.direction.rawValue + " " + order.nulls.rawValue)
      note(order.term)
    }
    if criteria.limit != nil { note("limit") }
    if criteria.offset != nil { note("offset") }
    if criteria.isDistinct { note("distinct") }
    if !criteria.having.isAlwaysTrue { note("having") }
    note(criteria.having)
    if !criteria.columns.isEmpty { note("columns") }
    if criteria.columns.contains(where: \.isGroup) {
      note("group")
    } else if criteria.columns.contains(where: \.term.hasAggregate) {
      note("one group")
    }
    for column in criteria.columns { note(column.term) }
  }

  mutating func note(_ condition: Condition) {
    switch condition.node {
    case .constant: note("constant")
    case .compare(let left, let comparison, let right):
      note(comparison.rawValue)
      if case .field = left, case .field = right { note("attribute with attribute") }
      note(left)
      note(right)
    case .between(let term, let lower, let upper):
      note("between")
      [term, lower, upper].forEach { note($0) }
    case .among(let term, let values):
      note("among")
      if values.isEmpty { note("among nothing") }
      if values.contains(.null) { note("among null") }
      if values.count >= 300 { note("among hundreds") }
      note(term)
    case .isNull(let term):
      note("isNull")
      note(term)
    case .matches(let term, let match, _, let caseSensitive):
      note("\(match) \(caseSensitive)")
      note(term)
    case .search: note("search")
    case .all(let parts):
      note("all")
      parts.forEach { note($0) }
    case .any(let parts):
      note("any")
      parts.forEach { note($0) }
    case .not(let inner):
      note("not")
      note(inner)
    case .some(_, let inner):
      note("some")
      note(inner)
    case .tooDeep: note("too deep")
    }
  }

  private mutating func note(_ term: Term) {
    switch term {
    case .field: note("field")
    case .value(.null): note("nil")
    case .value: note("value")
    case .function(let function, let terms):
      note(function.rawValue)
      terms.forEach { note($0) }
    case .aggregate(let aggregate, let inner):
      note("aggregate " + aggregate.rawValue)
      if let inner { note(inner) } else { note("rows") }
    case .related(let aggregate, _, let inner, let condition):
      note("related " + aggregate.rawValue)
      if let inner { note(inner) }
      note(condition)
    case .search(let result, _): note(result.name)
    case .unstorable: note("unstorable")
    }
  }
}
