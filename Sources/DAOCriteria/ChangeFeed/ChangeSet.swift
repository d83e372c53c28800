/// What one commit changed, by entity.
///
/// ```swift
/// for await changes in try factory.changes(of: Zone.self, Country.self) {
///   let zones = changes[Zone.self]
///   if zones.needsReload { … } else { show(zones.inserted, zones.updated, zones.deleted) }
/// }
/// ```
///
/// It has the net effect of the commit: a row that was inserted and then updated is inserted, one that was inserted and then deleted is not
/// there, and one that was deleted and inserted again under the same key is updated. A row whose key changed is deleted under the old key
/// and inserted under the new one.
public struct ChangeSet: Sendable {
  /// The number of the commit. Each commit that reaches the feed has a higher one than the commit before.
  public let number: Int
  /// The rows by entity; only entities with changes are in it.
  package let rows: [ChangedRows]
  // The entities that the consumer asked for.
  let asked: [EntityDescription]

  package init(number: Int, _ rows: [ChangedRows], asked: [EntityDescription]) {
    self.number = number
    self.rows = rows
    self.asked = asked
  }

  /// Unknown rows of all the entities that a consumer asked for.
  package init(number: Int, reloading asked: [EntityDescription]) {
    self.init(number: number, asked.map { ChangedRows(unknownOf: $0) }, asked: asked)
  }

  /// The entities with changes.
  public var entities: [EntityDescription] { rows.map(\.entity) }

  /// Whether rows of any entity changed without being known one by one: after a commit of another process, and where the consumer was too
  /// slow for its buffer.
  public var needsReload: Bool { rows.contains { $0.needsReload } }

  /// The changed rows of a type.
  ///
  /// Of an entity that the feed was not asked for nothing is known, so ``EntityChanges/needsReload`` is true of it.
  public subscript<E: Entity>(type: E.Type) -> EntityChanges<E> { changes(E.entityDescription) }

  /// The changed rows of an entity that has no Swift type.
  public subscript(entity: EntityDescription) -> EntityChanges<DynamicEntity> { changes(entity) }

  private func changes<E>(_ entity: EntityDescription) -> EntityChanges<E> {
    if let found = rows.first(where: { $0.entity === entity || $0.entity == entity }) { return EntityChanges(found) }
    return EntityChanges(needsReload: !asked.contains(entity))
  }
}

extension ChangeSet: CustomStringConvertible {
  /// The number and what changed: `commit 3: zone 1 inserted, 2 updated; country to be reloaded`.
  public var description: String {
    let parts = rows.map { rows in
      var words = [(rows.inserted.count, "inserted"), (rows.updated.count, "updated"), (rows.deleted.count, "deleted")].compactMap {
        $0 > 0 ? "\($0) \($1)" : nil
      }
      if rows.needsReload { words.append("to be reloaded") }
      return "\(rows.entity.name) \(words.joined(separator: ", "))"
    }
    return "commit \(number): \(parts.joined(separator: "; "))"
  }
}
