import DAOKit

extension Trial {
  /// Whether a part of the criteria fails over some row that it leads to, each part being asked by itself, of all rows.
  package func reachesFailure(_ stores: Stores) -> Bool {
    // What groups have to do with it is not told apart.
    if criteria.columns.contains(where: \.term.hasAggregate) || !criteria.having.isAlwaysTrue { return true }
    var terms = criteria.columns.map(\.term) + criteria.orders.map(\.term)
    if case .update(let changes) = question { terms += changes.map(\.value) }
    let parts = criteria.filter.parts + scope.parts + terms.flatMap { [.isNull($0)] + $0.parts }
    return parts.contains { part in
      var whole = Criteria()
      whole.filter = part
      do {
        _ = try stores.evaluator.count(in: EntityTarget(stores.catalog.entities[table]), whole)
        return false
      } catch { return true }
    }
  }
}

extension Criteria.Condition {
  /// Conditions that are worked out for every row that this one leads to, and for no others.
  fileprivate var parts: [Criteria.Condition] {
    switch node {
    case .constant, .tooDeep: []
    case .all(let parts), .any(let parts): parts.flatMap(\.parts)
    case .not(let inner): inner.parts
    case .some(let path, let inner): inner.parts.map { $0.ofEach(path) }
    case .compare(let left, _, let right): [self] + left.parts + right.parts
    case .between(let term, let lower, let upper): [self] + [term, lower, upper].flatMap(\.parts)
    case .among(let term, _), .isNull(let term), .matches(let term, _, _, _): [self] + term.parts
    case .search: [self]
    }
  }

  /// The condition of every row that a path leads to: a count looks at them all.
  fileprivate func ofEach(_ path: FieldPath) -> Criteria.Condition {
    .compare(.related(.count, path, nil, self), .greaterOrEqual, .value(0))
  }
}

extension Criteria.Term {
  fileprivate var parts: [Criteria.Condition] {
    switch self {
    case .related(_, let path, let inner, let condition):
      condition.parts.map { $0.ofEach(path) } + (inner.map { inner in inner.parts.map { $0.ofEach(path) } } ?? [])
    case .function(_, let terms): terms.flatMap(\.parts)
    case .aggregate(_, let inner): inner?.parts ?? []
    case .field, .value, .search, .unstorable: []
    }
  }
}
