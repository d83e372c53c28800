/// The entities that a unit of work has read and not edited, as they were when it read them last: what an edit of one is based on.
package struct ReadRows {
  private struct Kind: Hashable {
    let table: SchemaName
    let type: ObjectIdentifier
  }

  private final class Rows<E: Entity> { var entities: [E.PrimaryKey: E] = [:] }

  private var kinds: [Kind: AnyObject] = [:]

  package init() {}

  /// Notes entities.
  package mutating func note<E: Entity>(_ entities: [E], of entity: EntityDescription) {
    if entities.isEmpty { return }
    let kind = Kind(table: SchemaName(entity.table), type: ObjectIdentifier(E.self))
    let rows = kinds[kind] as? Rows<E> ?? Rows<E>()
    kinds[kind] = rows
    for entity in entities { if let key = entity.primaryKey { rows.entities[key] = entity } }
  }

  /// The entity that was read with a key.
  package func entity<E: Entity>(_ key: E.PrimaryKey, of entity: EntityDescription) -> E? {
    (kinds[Kind(table: SchemaName(entity.table), type: ObjectIdentifier(E.self))] as? Rows<E>)?.entities[key]
  }

  /// Forgets all.
  package mutating func removeAll() { kinds = [:] }
}
