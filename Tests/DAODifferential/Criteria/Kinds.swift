import DAOKit

/// The kinds of node that there are, and those in a query.
package struct Kinds {
  /// Everything that a query can be made of. What only an index knows, and what entities are given along, is for other tests.
  package static let all: [String] =
    ["constant", "between", "among", "among nothing", "among null", "among hundreds", "isNull", "all", "any", "not"]
    + ["some", "every", "none", "nested quantifiers", "several hops", "field", "related field", "value", "nil", "attribute with attribute"]
    + Criteria.Comparison.allCases.map(\.rawValue) + Criteria.TextComparison.allCases.flatMap { ["\($0) in case", "\($0) in any case"] }
    + FullTextQuery.Kind.allCases.map { "search for \($0.rawValue)" }
    + ["search for a beginning", "search in all", "search in one", "search through a relationship", "highlight", "relevance"]
    + Function.allCases.map(\.rawValue)
    + Aggregate.Kind.allCases.flatMap { ["aggregate \($0.rawValue)", "related \($0.rawValue)"] } + ["aggregate of rows", "related rows"]
    + ["ASC FIRST", "ASC LAST", "DESC FIRST", "DESC LAST", "order by a function", "order through a relationship"]
    + ["JSON of a function", "JSON of a value", "JSON of an aggregate"]
    + ["limit", "offset", "distinct", "group", "having", "one group", "columns", "scope"]

  package private(set) var found: Set<String> = []
  private var depth = 0

  package init() {}

  package mutating func note(_ criteria: Criteria, scope: Criteria.Condition = .constant(true)) {
    note(criteria.filter)
    note(scope)
    note(criteria.having)
    if !scope.isAlwaysTrue { found.insert("scope") }
    if !criteria.having.isAlwaysTrue { found.insert("having") }
    for order in criteria.orders { note(order) }
    if criteria.limit != nil { found.insert("limit") }
    if criteria.offset != nil { found.insert("offset") }
    if criteria.isDistinct { found.insert("distinct") }
    for prefetch in criteria.prefetches { found.insert(prefetch.orders.isEmpty ? "prefetch" : "prefetch in an order") }
    if criteria.columns.isEmpty { return }
    found.insert("columns")
    if criteria.columns.contains(where: \.isGroup) {
      found.insert("group")
    } else if criteria.columns.contains(where: \.term.hasAggregate) {
      found.insert("one group")
    }
    for column in criteria.columns { note(column.term) }
  }

  private mutating func note(_ order: Criteria.Ordering) {
    found.insert("\(order.direction.rawValue) \(order.nulls.rawValue)")
    if case .function = order.term { found.insert("order by a function") }
    if case .field(let path) = order.term, !path.rest.isEmpty { found.insert("order through a relationship") }
    note(order.term)
  }

  private mutating func note(_ condition: Criteria.Condition) {
    switch condition.node {
    case .constant: found.insert("constant")
    case .compare(let left, let comparison, let right):
      found.insert(comparison.rawValue)
      if case .field = left, case .field = right { found.insert("attribute with attribute") }
      note(left)
      note(right)
    case .between(let term, let lower, let upper):
      found.insert("between")
      for term in [term, lower, upper] { note(term) }
    case .among(let term, let values):
      found.insert("among")
      if values.isEmpty { found.insert("among nothing") }
      if values.contains(.null) { found.insert("among null") }
      if values.count >= 300 { found.insert("among hundreds") }
      note(term)
    case .isNull(let term):
      found.insert("isNull")
      note(term)
    case .matches(let term, let match, _, let caseSensitive):
      found.insert("\(match) in \(caseSensitive ? "case" : "any case")")
      note(term)
    case .all(let parts):
      found.insert("all")
      for part in parts { note(part) }
    case .any(let parts):
      found.insert("any")
      for part in parts { note(part) }
    case .not(let inner):
      found.insert("not")
      if case .some(_, let condition) = inner.node {
        if case .not = condition.node { found.insert("every") } else { found.insert("none") }
      }
      note(inner)
    case .some(let path, let inner):
      found.insert("some")
      if path.names.count > 1 { found.insert("several hops") }
      if depth > 0 { found.insert("nested quantifiers") }
      depth += 1
      note(inner)
      depth -= 1
    case .search(let search): note(search)
    case .tooDeep: found.insert("too deep")
    }
  }

  private mutating func note(_ aggregate: Aggregate) {
    if case .groupConcat(_, let orders) = aggregate { for order in orders { note(order) } }
  }

  private mutating func note(_ search: Criteria.Search) {
    found.insert("search for \(search.query.kind.rawValue)")
    if search.query.isPrefix { found.insert("search for a beginning") }
    found.insert(search.path == .root ? "search in all" : search.path.rest.isEmpty ? "search in one" : "search through a relationship")
  }

  private mutating func note(_ term: Criteria.Term) {
    switch term {
    case .field(let path): found.insert(path.rest.isEmpty ? "field" : "related field")
    case .value(.null): found.insert("nil")
    case .value: found.insert("value")
    case .function(let function, let terms):
      found.insert(function.rawValue)
      if [.jsonText, .jsonInteger, .jsonReal, .jsonBool].contains(function) {
        switch terms.first {
        case .function: found.insert("JSON of a function")
        case .value: found.insert("JSON of a value")
        case .aggregate, .related: found.insert("JSON of an aggregate")
        default: break
        }
      }
      for term in terms { note(term) }
    case .aggregate(let aggregate, let inner):
      found.insert("aggregate \(aggregate.kind.rawValue)")
      note(aggregate)
      if let inner { note(inner) } else { found.insert("aggregate of rows") }
    case .related(let aggregate, let path, let inner, let condition):
      found.insert("related \(aggregate.kind.rawValue)")
      note(aggregate)
      if path.names.count > 1 { found.insert("several hops") }
      if let inner { note(inner) } else { found.insert("related rows") }
      note(condition)
    case .search(let result, let search):
      found.insert(result.name)
      note(search)
    case .unstorable: found.insert("unstorable")
    }
  }
}
