import DAOKit

extension Trial {
  /// What is wrong with the keys that a store found, where all that is asked is which texts fit a pattern without regard to case.
  ///
  /// Both stores fold texts by one function, whose faults their answers can't tell; Unicode's own tables can.
  func foldingProblem(_ keys: [[Scalar]], in store: any EntityStore, of entity: EntityDescription) throws -> String? {
    guard let (name, match, pattern, isNegated) = criteria.matchInAnyCase, let place = entity.place(of: name) else { return nil }
    let rows = try store.find(DynamicEntity.self, in: EntityTarget(entity), Criteria()).map(\.values)
    let fitting = rows.filter { row in
      guard case .text(let text) = row[place] else { return isNegated }
      return match.fits(UnicodeFolding.fold(text), UnicodeFolding.fold(pattern), caseSensitive: true) != isNegated
    }
    let places = entity.key.attributes.compactMap { entity.place(of: $0) }
    let expected = Answer.rows(fitting.map { row in places.map { row[$0] } }, isOrdered: false)
    return expected == .rows(keys, isOrdered: false) ? nil : "found \(keys), but by Unicode's folding it is \(expected)"
  }
}

extension Criteria {
  /// The attribute and the pattern, where a match in any case or its negation is all there is.
  fileprivate var matchInAnyCase: (name: String, match: TextMatch, pattern: String, isNegated: Bool)? {
    var only = Criteria()
    only.filter = filter
    guard self == only else { return nil }
    let (condition, isNegated) = if case .not(let inner) = filter.node { (inner, true) } else { (filter, false) }
    guard case .matches(.field(let path), let match, .text(let pattern), caseSensitive: false) = condition.node, path.rest.isEmpty else {
      return nil
    }
    return (path.first, match, pattern, isNegated)
  }
}

extension EntityDescription {
  fileprivate func place(of name: String) -> Int? { attributes.firstIndex { $0.name == name } }
}
