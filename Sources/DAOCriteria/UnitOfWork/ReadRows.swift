/// The entities that a unit of work has read and not edited, as they were when it read them last: what an edit of one is based on.
package struct ReadRows {
  private struct Kind: Hashable {
    let table: SchemaName
    let type: ObjectIdentifier
  }

  private protocol AnyRows: AnyObject { func forget(_ rows: [[StoredValue]], of table: EditedTable) }

  private final class Rows<E: Entity>: AnyRows {
    private let entity: EntityDescription
    var entities: [E.PrimaryKey: E] = [:]

    init(_ entity: EntityDescription) { self.entity = entity }

    func forget(_ rows: [[StoredValue]], of table: EditedTable) {
      let columns = entity.keyAttributes.compactMap { table.position(of: $0.column) }
      let keys = Set(rows.map { row in columns.map { row[$0] } })
      entities = entities.filter { _, entity in
        (try? self.entity.storedValues(of: entity)).map { !keys.contains(self.entity.key(of: $0)) } ?? false
      }
    }
  }

  private var kinds: [Kind: any AnyRows] = [:]

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
    if kinds.isEmpty { return }
    for (_, writes) in Dictionary(grouping: writes, by: \.id.table) {
      guard let table = writes.first?.table else { continue }
      let (name, written) = (SchemaName(table.name), writes.flatMap { [$0.before, $0.after] }.compactMap { $0 })
      for (kind, rows) in kinds where kind.table == name { rows.forget(written, of: table) }
    }
  }
}
