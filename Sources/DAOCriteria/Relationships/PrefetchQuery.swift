/// The query for the rows of a relationship. Its keys are known when the rows before it have been read; here some key stands for them.
package struct PrefetchQuery {
  /// The path of the relationship.
  package let path: FieldPath
  /// The entity whose rows are asked for: the relationship's, or the pairs'.
  package let entity: EntityDescription
  /// Which rows; projections of pairs.
  package let criteria: Criteria
}

extension Criteria {
  /// Returns the queries for the relationships that the criteria prefetch, those on a path one after the other.
  /// - Throws: ``DAOError/invalidCriteria(entity:problems:)`` with every path that is none of relationships.
  package func prefetchQueries(of entity: EntityDescription) throws -> [PrefetchQuery] {
    if prefetches.isEmpty { return [] }
    return try PrefetchTree(self, of: entity).queries(of: entity, at: .root)
  }
}

extension PrefetchTree {
  fileprivate func queries(of entity: EntityDescription, at path: FieldPath) throws -> [PrefetchQuery] {
    try branches.keys.sorted().flatMap { name in
      guard let branch = branches[name], let relationship = entity.relationship(name) else { return [PrefetchQuery]() }
      let path = path.appending(name)
      let steps: [RelationshipStep]
      do { steps = try entity.steps(of: relationship) } catch {
        throw DAOError.invalidDescription(entity: entity.name, problems: ["\(entity.name).\(name) \(error)"])
      }
      let (first, last) = (steps[0], steps[steps.count - 1])
      let pairs = steps.count == 1 ? [] : [first.pairs(with: last, [MatchKey(anyOf: first.targetTypes)])]
      let rows = branch.limited(last.rows([MatchKey(anyOf: last.targetTypes)], by: branch.orders))
      return pairs.map { PrefetchQuery(path: path, entity: first.target, criteria: $0) }
        + [PrefetchQuery(path: path, entity: last.target, criteria: rows)] + (try branch.queries(of: last.target, at: path))
    }
  }
}
