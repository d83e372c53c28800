extension Criteria.Condition {
  /// The terms directly in it, in the order in which they are written.
  package var terms: [Criteria.Term] {
    switch node {
    case .constant, .search, .all, .any, .not, .some, .tooDeep: []
    case .compare(let left, _, let right): [left, right]
    case .between(let term, let lower, let upper): [term, lower, upper]
    case .among(let term, _), .isNull(let term), .matches(let term, _, _, _): [term]
    }
  }

  /// The conditions directly in it.
  package var children: [Criteria.Condition] {
    switch node {
    case .constant, .compare, .between, .among, .isNull, .matches, .search, .tooDeep: []
    case .all(let parts), .any(let parts): parts
    case .not(let inner), .some(_, let inner): [inner]
    }
  }

  /// The condition with other terms and conditions directly in it.
  package func map(terms transform: (Criteria.Term) -> Criteria.Term, conditions: (Criteria.Condition) -> Criteria.Condition = { $0 })
    -> Criteria.Condition
  {
    switch node {
    case .constant, .search, .tooDeep: self
    case .compare(let left, let comparison, let right): .compare(transform(left), comparison, transform(right))
    case .between(let term, let lower, let upper): .between(transform(term), transform(lower), transform(upper))
    case .among(let term, let values): .among(transform(term), values)
    case .isNull(let term): .isNull(transform(term))
    case .matches(let term, let match, let pattern, let caseSensitive):
      .matches(transform(term), match, pattern, caseSensitive: caseSensitive)
    case .all(let parts): .all(parts.map(conditions))
    case .any(let parts): .any(parts.map(conditions))
    case .not(let inner): .not(conditions(inner))
    case .some(let path, let inner): .some(path, conditions(inner))
    }
  }

  /// The terms of the condition, in all that joins it; those over the rows of relationships apart.
  package var rowTerms: [Criteria.Term] {
    if case .some = node { return [] }
    return terms + children.flatMap(\.rowTerms)
  }
}
