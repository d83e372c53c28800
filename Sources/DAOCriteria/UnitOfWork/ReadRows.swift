/// The entities that a unit of work has read and not edited, as they were when it read them last: what an edit of one is based on.
package struct ReadRows {
  private struct Kind: Hashable {
    let table: SchemaName
    let type: ObjectIdentifier
  }

  private protocol AnyRows: AnyObject { func forget(_ rows: [[StoredValue]], of table: EditedTable) }

  private final class Rows<E: Entity>: AnyRows {
    private let entity: EntityDescription
    // Swift finds texts equal that are several keys: by these a row is known by its stored key.
    private let hasTexts: Bool
    private var entities: [E.PrimaryKey: E] = [:]
    private var entitiesByText: [[StoredValue]: E] = [:]

    init(_ entity: EntityDescription) {
      self.entity = entity
      hasTexts = entity.keyTypes.contains { $0.storedForm == .text || $0.storedForm == .any }
    }

    func note(_ row: E) {
      guard let key = row.primaryKey else { return }
      if !hasTexts {
        entities[key] = row
      } else if let stored = try? entity.stored(key) {
        entitiesByText[stored] = row
      }
    }

    subscript(key: E.PrimaryKey) -> E? {
      hasTexts ? (try? entity.stored(key)).flatMap { entitiesByText[$0] } : entities[key]
    }

    func forget(_ rows: [[StoredValue]], of table: EditedTable) {
      let columns = entity.keyAttributes.compactMap { table.position(of: $0.column) }
      let keys = Set(rows.map { row in columns.map { row[$0] } })
      func isKept(_ entity: E) -> Bool {
        (try? self.entity.storedValues(of: entity)).map { !keys.contains(self.entity.key(of: $0)) } ?? false
      }
      entities = entities.filter { isKept($1) }
      entitiesByText = entitiesByText.filter { isKept($1) }
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
    for entity in entities { rows.note(entity) }
  }

  /// The entity that was read with a key.
  package func entity<E: Entity>(_ key: E.PrimaryKey, of entity: EntityDescription) -> E? {
    (kinds[Kind(table: SchemaName(entity.table), type: ObjectIdentifier(E.self))] as? Rows<E>)?[key]
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
