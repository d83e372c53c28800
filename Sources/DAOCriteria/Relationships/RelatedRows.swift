/// The rows that a relationship leads to from some entities: one statement, or two where pairs are between.
@usableFromInline struct RelatedRows<Target: Entity> {
  /// The rows in the order in which they came.
  @usableFromInline var rows: [Target]
  private let groups: RowGroups?
  // How many entities there are.
  private let count: Int

  /// - Throws: ``DAOError``; ``ValueProblem`` where the entities of the relationship do not fit each other.
  init(
    of relationship: Relationship, from entity: EntityDescription, _ keys: NotedKeys, _ tree: PrefetchTree, at path: FetchPath,
    _ store: any EntityStore
  ) throws {
    let steps = try entity.steps(of: relationship)
    let (first, last) = (steps[0], steps[steps.count - 1])
    guard Target.self == DynamicEntity.self || Target.entityDescription == last.target else {
      throw ValueProblem("leads to \(last.target.name), and \(Target.self) is none")
    }
    // Each value may be kept in two forms, and a key in as many as there are combinations.
    guard steps.allSatisfy({ $0.convertedCount <= 4 }) else {
      throw ValueProblem("matches more than four attributes with others that are stored in different forms")
    }
    count = keys.count
    let wanted = keys.distinct
    // Which entities' keys lead to a row's. Without pairs each row's own does.
    let pairs =
      if steps.count > 1 { try Self.pairs(first, last, wanted, tree, store) } else { last.converts ? last.converted(wanted) : nil }
    let reached = pairs.map { Array($0.keys) } ?? wanted
    if reached.isEmpty {
      (rows, groups) = ([], nil)
      return
    }

    var target = EntityTarget(last.target)
    target.path = path
    let own = NotedKeys(at: last.pairs.compactMap { last.target.position(of: $0.there.name) }, as: last.targetTypes)
    let notes = RowNotes(last.target, tree, own: own)
    let found = try store.find(Target.self, in: target, tree.limited(last.rows(reached, by: tree.orders)), notes)
    try notes.note(found, of: last.target)
    groups = RowGroups(keys, own, pairs)
    rows = try Prefetching.fill(found, of: last.target, tree, at: path, from: store, notes)
  }

  /// The rows of an entity, by its number.
  @inlinable subscript(entity: Int) -> [Target] {
    if let piece = piece(of: entity) { Array(rows[piece]) } else { places(of: entity).map { rows[$0] } }
  }

  /// Returns the range of an entity's rows, if they are adjacent.
  @usableFromInline func piece(of entity: Int) -> Range<Int>? { groups.map { $0.piece(of: entity) } ?? 0..<0 }

  /// The places of an entity's rows.
  @usableFromInline func places(of entity: Int) -> ArraySlice<Int> { groups?.rows(of: entity) ?? [] }

  /// The place of each entity's first row; -1 where it has none.
  @usableFromInline var firstPlaces: [Int] { groups?.firstRows ?? [Int](repeating: -1, count: count) }

  /// The keys here by the keys over there that rows between the two pair them with.
  private static func pairs(
    _ first: RelationshipStep, _ last: RelationshipStep, _ keys: [MatchKey], _ tree: PrefetchTree, _ store: any EntityStore
  ) throws -> [MatchKey: [MatchKey]] {
    if keys.isEmpty { return [:] }
    let here = first.converts ? first.converted(keys) : nil
    let criteria = tree.limited(first.pairs(with: last, here.map { Array($0.keys) } ?? keys))
    let rows = try store.report(in: EntityTarget(first.target), criteria) { row in
      let values = try criteria.columns.map { _ in try row.takeStored() }
      let middle = first.pairs.count
      return (MatchKey(values, at: 0..<middle, as: first.targetTypes), MatchKey(values, at: middle..<values.count, as: last.types))
    }
    var pairs: [MatchKey: [MatchKey]] = [:]
    for case (let middle?, let next?) in rows {
      for there in last.converts ? Array(last.converted([next]).keys) : [next] { pairs[there, default: []] += here?[middle] ?? [middle] }
    }
    return pairs
  }
}

extension EntityStore {
  /// The entities that the criteria find, whose keys are noted.
  func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ notes: RowNotes) throws -> [E] {
    if let store = self as? any NotingStore { return try store.find(type, in: target, criteria, noting: notes) }
    let found = try find(type, in: target, criteria)
    try notes.note(found, of: target.entity)
    return found
  }
}
