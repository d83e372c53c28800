import DAOCriteria

// Hashes can collide; before a kept plan is used, the criteria is compared with the one that it was made for, values aside.
extension Criteria {
  func hasShape(of other: Criteria) -> Bool {
    scope.hasShape(of: other.scope) && filter.hasShape(of: other.filter) && having.hasShape(of: other.having)
      && isDistinct == other.isDistinct && (limit == nil) == (other.limit == nil) && (limit == 0) == (other.limit == 0)
      && (offset == nil) == (other.offset == nil) && after.hasShape(of: other.after) && orders.hasShape(of: other.orders)
      && columns.count == other.columns.count
      && zip(columns, other.columns).allSatisfy { $0.isGroup == $1.isGroup && $0.name == $1.name && $0.term.hasShape(of: $1.term) }
  }
}

extension [Ordering] {
  fileprivate func hasShape(of other: Self) -> Bool {
    // By index: pairs would copy both orders.
    count == other.count
      && indices.allSatisfy {
        self[$0].direction == other[$0].direction && self[$0].nulls == other[$0].nulls && self[$0].term.hasShape(of: other[$0].term)
      }
  }
}

extension [StoredValue]? {
  /// Whether two places have nulls in the same orders.
  fileprivate func hasShape(of other: Self) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.count == other.count && zip(self, other).allSatisfy { $0.isNull == $1.isNull }
  }
}

extension Condition {
  func hasShape(of other: Condition) -> Bool {
    // Most scopes, and apart from the pairs below, which copy both.
    if case .constant(let value) = node, case .constant(let otherValue) = other.node { return value == otherValue }
    return switch (node, other.node) {
    case (.compare(let left, let comparison, let right), .compare(let otherLeft, let otherComparison, let otherRight)):
      comparison == otherComparison && left.hasShape(of: otherLeft) && right.hasShape(of: otherRight)
    case (.between(let term, let lower, let upper), .between(let otherTerm, let otherLower, let otherUpper)):
      term.hasShape(of: otherTerm) && lower.hasShape(of: otherLower) && upper.hasShape(of: otherUpper)
    case (.among(let term, let values), .among(let otherTerm, let otherValues)):
      term.hasShape(of: otherTerm) && ListShape(values) == ListShape(otherValues)
    case (.isNull(let term), .isNull(let otherTerm)): term.hasShape(of: otherTerm)
    case (
      .matches(let term, let match, let pattern, let sensitive),
      .matches(let otherTerm, let otherMatch, let otherPattern, let otherSensitive)
    ):
      match == otherMatch && sensitive == otherSensitive && pattern.kind == otherPattern.kind
        && pattern.isEmptyText == otherPattern.isEmptyText && term.hasShape(of: otherTerm)
    case (.search(let search), .search(let other)): search.path == other.path
    case (.all(let parts), .all(let otherParts)), (.any(let parts), .any(let otherParts)):
      parts.count == otherParts.count && zip(parts, otherParts).allSatisfy { $0.hasShape(of: $1) }
    case (.not(let inner), .not(let otherInner)): inner.hasShape(of: otherInner)
    case (.some(let path, let inner), .some(let otherPath, let otherInner)): path == otherPath && inner.hasShape(of: otherInner)
    default: false
    }
  }
}

extension Term {
  func hasShape(of other: Term) -> Bool {
    // Most terms, and apart from the pairs below, which copy both.
    if case .field(let path) = self, case .field(let otherPath) = other { return path == otherPath }
    return switch (self, other) {
    case (.value(let scalar), .value(let otherScalar)): scalar.kind == otherScalar.kind
    case (.search(let result, let search), .search(let otherResult, let otherSearch)):
      result.name == otherResult.name && result.path == otherResult.path && search.path == otherSearch.path
    case (.function(let function, let terms), .function(let otherFunction, let otherTerms)):
      function == otherFunction && terms.count == otherTerms.count && zip(terms, otherTerms).allSatisfy { $0.hasShape(of: $1) }
    case (.aggregate(let aggregate, let term), .aggregate(let otherAggregate, let otherTerm)):
      aggregate == otherAggregate
        && (term == nil ? otherTerm == nil : otherTerm.map { term?.hasShape(of: $0) ?? false } ?? false)
    case (
      .related(let aggregate, let path, let term, let condition),
      .related(let otherAggregate, let otherPath, let otherTerm, let otherCondition)
    ):
      aggregate == otherAggregate && path == otherPath && condition.hasShape(of: otherCondition)
        && (term == nil ? otherTerm == nil : otherTerm.map { term?.hasShape(of: $0) ?? false } ?? false)
    default: false
    }
  }
}
