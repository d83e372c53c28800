import DAOCriteria

extension Condition {
  /// Whether it is likely to be true of few rows, as far as its form tells: an equality, a range, a list or a pattern is; what leaves such
  /// rows out, null checks and no condition at all are not.
  ///
  /// Over 100,000 rows with 10 related ones each (SQLite 3.40, no index on what is compared), `IN (SELECT …)` finds the rows that have a
  /// related one among 0.1 % of all 35 times as fast as EXISTS, at 50 % they are even, and at 95 % it takes 2.4 times as long.
  func isRare(negated: Bool = false) -> Bool {
    switch node {
    case .constant, .isNull, .tooDeep: false
    case .compare(_, .less, _), .compare(_, .lessOrEqual, _), .compare(_, .greater, _), .compare(_, .greaterOrEqual, _): true
    case .compare(.value(.null), _, _), .compare(_, _, .value(.null)): false
    case .compare(_, let comparison, _): comparison == .equal && !negated || comparison == .notEqual && negated
    case .between, .among, .matches, .search, .some: !negated
    case .all(let parts): negated ? parts.allSatisfy { $0.isRare(negated: true) } : parts.contains { $0.isRare() }
    case .any(let parts): negated ? parts.contains { $0.isRare(negated: true) } : parts.allSatisfy { $0.isRare() }
    case .not(let inner): inner.isRare(negated: !negated)
    }
  }

  /// Whether an index finds its rows by a value, of itself or of a part without which it is not true.
  func isSearched(in entity: EntityDescription) -> Bool {
    switch node {
    case .all(let parts): parts.contains { $0.isSearched(in: entity) }
    case .compare(.field(let path), .equal, .value), .compare(.value, .equal, .field(let path)), .among(.field(let path), _):
      entity.hasIndex(leading: path)
    default: false
    }
  }
}

extension EntityDescription {
  /// Whether rows are found by these attributes without reading the whole table.
  func hasIndex(leading attributes: [Attribute]) -> Bool { hasIndex(leading: Set(attributes.map(\.name))) }

  fileprivate func hasIndex(leading path: FieldPath) -> Bool { self[path.description] != nil && hasIndex(leading: [path.description]) }

  private func hasIndex(leading names: Set<String>) -> Bool {
    ([key.attributes] + (indexes + relationshipIndexes).map(\.attributes)).contains { Set($0.prefix(names.count)) == names }
  }
}
