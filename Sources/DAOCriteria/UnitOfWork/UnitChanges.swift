/// What a unit of work changes, or has committed.
public struct UnitChanges: Sendable {
  private let writes: [EditWrite]
  // The entity of each table, and the positions of its attributes there.
  private let entities: [(description: EntityDescription, places: [Int?])]

  /// No changes.
  init() { (writes, entities) = ([], []) }

  /// The changes of rows of tables.
  /// - Parameter entity: the entity of a table.
  package init(_ writes: [EditWrite], of tables: [EditedTable], entity: (EditedTable) -> EntityDescription) {
    self.writes = writes
    entities = tables.map { table in
      let entity = entity(table)
      return (entity, entity.attributes.map { table.position(of: $0.column) })
    }
  }

  /// Each row, in the order in which they were first edited. Keep it in a constant: each access makes it again.
  public var rows: [UnitChange] {
    writes.map { write in
      let (entity, places) = entities[write.id.table]
      return UnitChange(of: entity, at: places, before: write.before, after: write.after)
    }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { writes.isEmpty }

  /// The changes of one entity.
  /// - Throws: ``DAOError/undecodable(entity:column:row:problem:)`` where a row can't be read as the entity.
  public func of<E: Entity>(_ type: E.Type) throws -> EntityUnitChanges<E> {
    let entity = E.entityDescription
    var changes = EntityUnitChanges<E>()
    for row in rows where SchemaName(row.described.table) == SchemaName(entity.table) && row.entity == entity.name {
      let before: E? = try row.storedBefore.map { try entity.read($0) }
      let after: E? = try row.storedAfter.map { try entity.read($0) }
      switch (before, after) {
      case (nil, let after?): changes.inserted.append(after)
      case (let before?, let after?): changes.updated.append((before, after))
      case (let before?, nil): changes.deleted.append(before)
      case (nil, nil): break
      }
    }
    return changes
  }
}

extension UnitChanges: CustomStringConvertible {
  /// The changes in words, one each line.
  public var description: String { rows.map(\.description).joined(separator: "\n") }
}
