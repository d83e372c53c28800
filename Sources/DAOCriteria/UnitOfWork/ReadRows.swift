/// The entities that a unit of work has read and not edited, as they were when it read them last: what an edit of one is based on.
package struct ReadRows {
  private struct Kind: Hashable {
    let table: SchemaName
    let type: ObjectIdentifier
  }

  private protocol Forgetting: AnyObject { func forget(_ row: [StoredValue], of table: EditedTable) }

  private final class Rows<E: Entity>: Forgetting {
    private let entity: EntityDescription
    var entities: [E.PrimaryKey: E] = [:]

    init(_ entity: EntityDescription) { self.entity = entity }

    func forget(_ row: [StoredValue], of table: EditedTable) {
      let values = entity.attributes.map { table.position(of: $0.column).map { row[$0] } ?? .null }
      if let known: E = try? entity.read(values), let key = known.primaryKey { entities[key] = nil }
    }
  }

  private var kinds: [Kind: AnyObject] = [:]

  package init() {}

  /// Notes entities.
  package mutating func note<E: Entity>(_ entities: [E], of entity: EntityDescription) {
    if entities.isEmpty { return }
    let kind = Kind(table: SchemaName(entity.table), type: ObjectIdentifier(E.self))
    let rows = kinds[kind] as? Rows<E> ?? Rows<E>(entity)
    kinds[kind] = rows
    for entity in entities { if let key = entity.primaryKey { rows.entities[key] = entity } }
  }

  /// The entity that was read with a key.
  package func entity<E: Entity>(_ key: E.PrimaryKey, of entity: EntityDescription) -> E? {
    (kinds[Kind(table: SchemaName(entity.table), type: ObjectIdentifier(E.self))] as? Rows<E>)?.entities[key]
  }

  /// Forgets the rows that a commit has written, which are others now.
  package func forget(_ writes: [EditWrite]) {
    for (kind, rows) in kinds {
      guard let rows = rows as? any Forgetting else { continue }
      for write in writes where SchemaName(write.table.name) == kind.table {
        for row in [write.before, write.after] { if let row { rows.forget(row, of: write.table) } }
      }
    }
  }
}
