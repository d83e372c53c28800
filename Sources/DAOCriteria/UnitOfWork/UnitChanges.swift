/// What a unit of work changes, or has committed.
public struct UnitChanges: Sendable {
  /// Each row, in the order in which they were first edited.
  public let rows: [UnitChange]

  package init(_ rows: [UnitChange]) { self.rows = rows }

  /// The changes of rows of tables.
  /// - Parameter entity: the entity of a table.
  package init(
    _ rows: some Sequence<(table: EditedTable, before: [StoredValue]?, after: [StoredValue]?)>, entity: (EditedTable) -> EntityDescription
  ) {
    var known: [String: (entity: EntityDescription, places: [Int?])] = [:]
    self.rows = rows.map { table, before, after in
      let found: (entity: EntityDescription, places: [Int?])
      if let kept = known[table.name] {
        found = kept
      } else {
        let entity = entity(table)
        found = (entity, entity.attributes.map { table.position(of: $0.column) })
        known[table.name] = found
      }
      return UnitChange(of: found.entity, at: found.places, before: before, after: after)
    }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { rows.isEmpty }

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
