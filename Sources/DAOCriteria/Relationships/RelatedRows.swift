/// The rows that a relationship leads to from some entities: one statement, or two where pairs are between.
struct RelatedRows<Target: Entity> {
  /// The key of each entity; nil where it leads to no row.
  let keys: [MatchKey?]
  /// The rows by the keys that lead to them.
  private(set) var byKey: [MatchKey: [Target]] = [:]

  /// - Throws: ``DAOError``; ``ValueProblem`` where the entities of the relationship do not fit each other.
  init<E: Entity>(
    of relationship: Relationship, from entity: EntityDescription, _ entities: [E], _ tree: PrefetchTree, at path: FetchPath,
    _ store: any EntityStore
  ) throws {
    let steps = try entity.steps(of: relationship)
    let (first, last) = (steps[0], steps[steps.count - 1])
    guard Target.self == DynamicEntity.self || Target.entityDescription == last.target else {
      throw ValueProblem("leads to \(last.target.name), and \(Target.self) is none")
    }
    keys = try entity.matchKeys(of: entities, in: first.pairs.map(\.here), as: first.types)
    let wanted = keys.distinct
    // Which entities' keys lead to a row's. Without pairs each row's own does.
    let pairs = try steps.count == 1 ? nil : Self.pairs(first, last, wanted, tree, store)
    let reached = pairs.map { Array($0.keys) } ?? wanted
    if reached.isEmpty { return }

    var target = EntityTarget(last.target)
    target.path = path
    var found = try store.find(Target.self, in: target, tree.limited(last.rows(reached, by: tree.orders)))
    let foundKeys = try last.target.matchKeys(of: found, in: last.pairs.map(\.there), as: last.types)
    found = try Prefetching.fill(found, of: last.target, tree, at: path, from: store)
    for (row, key) in zip(found, foundKeys) {
      guard let key else { continue }
      for start in pairs.map({ $0[key] ?? [] }) ?? [key] { byKey[start, default: []].append(row) }
    }
  }

  /// The keys here by the keys over there that rows between the two pair them with.
  private static func pairs(
    _ first: RelationshipStep, _ last: RelationshipStep, _ keys: [MatchKey], _ tree: PrefetchTree, _ store: any EntityStore
  ) throws -> [MatchKey: [MatchKey]] {
    if keys.isEmpty { return [:] }
    let criteria = tree.limited(first.pairs(with: last, keys))
    let rows = try store.report(in: EntityTarget(first.target), criteria) { row in
      let values = try criteria.columns.map { _ in try row.takeStored() }
      let middle = first.pairs.count
      return (MatchKey(values, at: 0..<middle, as: first.types), MatchKey(values, at: middle..<values.count, as: last.types))
    }
    var pairs: [MatchKey: [MatchKey]] = [:]
    for case (let here?, let there?) in rows { pairs[there, default: []].append(here) }
    return pairs
  }
}
