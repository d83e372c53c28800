/// The keys that are noted of the rows of one statement, by the relationships for which they are.
@usableFromInline package final class RowNotes {
  private(set) var byRelationship: [String: NotedKeys] = [:]
  // Those of the relationship that led to the rows.
  let own: NotedKeys?
  private let all: [NotedKeys]
  // The first of them where there is no other, held by `all`.
  private let only: Unmanaged<NotedKeys>?

  /// Notes the keys that lead to the fetched relationships of an entity's rows, and the rows' own keys.
  init(_ entity: EntityDescription, _ tree: PrefetchTree, own: NotedKeys? = nil) {
    for name in tree.branches.keys {
      guard let relationship = entity.relationship(name), let first = try? entity.steps(of: relationship).first else { continue }
      byRelationship[name] = NotedKeys(at: first.pairs.compactMap { entity.position(of: $0.here.name) }, as: first.types)
    }
    self.own = own
    all = byRelationship.values + [own].compactMap { $0 }
    only = all.count == 1 ? .passUnretained(all[0]) : nil
  }

  /// Notes the keys of a row.
  @usableFromInline package func note(_ row: inout RowReader) throws {
    if let only { return try only._withUnsafeGuaranteedRef { try $0.note(&row) } }
    for keys in all { try keys.note(&row) }
  }

  /// Notes the keys of rows that have been read, unless they were noted then.
  /// - Throws: ``DAOError/invalidValue(entity:attribute:problem:)``.
  func note<E: Entity>(_ entities: [E], of entity: EntityDescription) throws {
    if all.allSatisfy({ $0.count == entities.count }) { return }
    // An entity that reads in a way of its own may have passed over rows.
    for keys in all { keys.forget() }
    var writer = ColumnWriter(collecting: entity.types)
    for row in entities {
      defer { writer.values.removeAll(keepingCapacity: true) }
      do {
        try row.write(to: &writer)
        try writer.endRow()
      } catch let problem as ColumnProblem { throw entity.invalidValue(problem) }
      for keys in all { keys.note(writer.values) }
    }
  }
}
