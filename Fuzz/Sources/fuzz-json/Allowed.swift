import DAOKit

/// A list that allows little, and the walk over a query that finds anything else in it.
enum Allowed {
  private static let list = CriteriaDecoder.AllowList(
    ["zone": ["name", "standardOffset", "country"], "country": ["name", "zones", "details"]],
    functions: [.lower, .coalesce, .jsonText], aggregates: [.count])

  static let decoder = CriteriaDecoder(allowing: list)

  static func check(_ criteria: Criteria, of entity: EntityDescription) {
    check(criteria.filter, of: entity)
    check(criteria.having, of: entity)
    for order in criteria.orders { check(order.term, of: entity) }
    for column in criteria.columns { check(column.term, of: entity) }
  }

  private static func check(_ condition: Criteria.Condition, of entity: EntityDescription) {
    switch condition.node {
    case .constant, .tooDeep: break
    case .compare(let left, _, let right): for term in [left, right] { check(term, of: entity) }
    case .between(let term, let lower, let upper): for term in [term, lower, upper] { check(term, of: entity) }
    case .among(let term, _), .isNull(let term), .matches(let term, _, _, _): check(term, of: entity)
    case .all(let parts), .any(let parts): for part in parts { check(part, of: entity) }
    case .not(let inner): check(inner, of: entity)
    case .some(let path, let inner): check(inner, of: end(of: path.names, from: entity))
    case .search(let search): check(search, of: entity)
    }
  }

  private static func check(_ search: Criteria.Search, of entity: EntityDescription) {
    if !search.path.names.isEmpty { return check(.field(search.path), of: entity) }
    for attribute in entity.attributes where attribute.isSearchable { require(attribute.name, of: entity) }
  }

  private static func check(_ term: Criteria.Term, of entity: EntityDescription) {
    switch term {
    case .value, .unstorable: break
    case .field(let path):
      let last = end(of: path.names.dropLast(), from: entity)
      require(path.names.last, of: last)
    case .search(let result, let search):
      check(search, of: entity)
      if let path = result.path { check(.field(path), of: entity) }
    case .function(let function, let terms):
      guard list.functions.contains(function) else { fatalError("\(function) is not allowed") }
      for term in terms { check(term, of: entity) }
    case .aggregate(let aggregate, let inner):
      require(aggregate)
      if let inner { check(inner, of: entity) }
    case .related(let aggregate, let path, let inner, let condition):
      require(aggregate)
      let target = end(of: path.names, from: entity)
      if let inner { check(inner, of: target) }
      check(condition, of: target)
    }
  }

  private static func end(of names: some Sequence<String>, from entity: EntityDescription) -> EntityDescription {
    names.reduce(entity) { entity, name in
      require(name, of: entity)
      guard let target = entity.relationship(name)?.target else { fatalError("\(entity.name) has no relationship \(name)") }
      return target
    }
  }

  private static func require(_ name: String?, of entity: EntityDescription) {
    guard let name, list.names?[entity.name]?.contains(name) == true else { fatalError("\(entity.name).\(name ?? "") is not allowed") }
  }

  private static func require(_ aggregate: Aggregate) {
    guard list.aggregates.contains(aggregate.kind) else { fatalError("\(aggregate) is not allowed") }
  }
}
