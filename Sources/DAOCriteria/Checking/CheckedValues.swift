// The values that stand in a checked tree, in order.
extension CheckedTerm {
  /// The values in it.
  var values: [CheckedValue] {
    switch node {
    case .value(let value): [value]
    case .beyond(_, let inner): inner.values
    case .function(_, let terms): terms.flatMap(\.values)
    case .aggregate(let call): call.values
    case .related(let call, _, let condition): call.values + condition.values
    case .search(let result): result.values + [result.search.words]
    case .attribute, .unknown: []
    }
  }

  /// The term with a name in messages for the values in it, in its functions and in its aggregates.
  func naming(_ path: String) -> CheckedTerm {
    switch node {
    case .value(var value):
      value.path = path
      return CheckedTerm(node: .value(value), type: type, isNullable: isNullable, path: self.path)
    case .function(let function, let terms):
      return CheckedTerm(node: .function(function, terms.map { $0.naming(path) }), type: type, isNullable: isNullable, path: self.path)
    case .aggregate(let call):
      return CheckedTerm(node: .aggregate(call.naming(path)), type: type, isNullable: isNullable, path: self.path)
    case .related(let call, let hops, let condition):
      return CheckedTerm(node: .related(call.naming(path), hops, condition), type: type, isNullable: isNullable, path: self.path)
    case .attribute, .beyond, .search, .unknown: return self
    }
  }
}

extension CheckedAggregate {
  fileprivate var values: [CheckedValue] {
    (term?.values ?? []) + (list.map { [$0.separator] + $0.orders.flatMap(\.term.values) } ?? [])
  }

  fileprivate func naming(_ path: String) -> CheckedAggregate {
    var call = self
    call.term = term?.naming(path)
    return call
  }
}

extension CheckedCondition {
  /// The values in it.
  var values: [CheckedValue] {
    switch node {
    case .constant: []
    case .compare(let left, _, let right): left.values + right.values
    case .between(let lower, let upper): lower.subject.values + lower.bound.values + upper.subject.values + upper.bound.values
    case .among(let term, let list, _): term.values + [list]
    case .isNull(let term): term.values
    case .matches(let term, _, let pattern, _): term.values + [pattern]
    case .search(let search): [search.words]
    case .all(let parts), .any(let parts): parts.flatMap(\.values)
    case .not(let inner): inner.values
    case .some(let quantifier): quantifier.condition.values
    }
  }
}
