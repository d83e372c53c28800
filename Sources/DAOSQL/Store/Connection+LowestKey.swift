import DAOCriteria

/// Keys that an engine keeps for other rows: see ``Connection/lowestKey(of:column:)``. The first new row gets its key given; what the
/// engine generates after it is higher by itself, so nothing is asked for each row.
extension Connection {
  /// The first row without a key, and the one that it is to have; nil where what the engine generates will do.
  func lowestKey<E: Entity>(for entities: [E], in entity: EntityDescription) throws -> (index: Int, key: Int64)? {
    // A single row that has a key needs no generated one.
    guard entity.hasGeneratedKey, entities.count > 1 || entities.first?.primaryKey == nil, let column = entity.keyAttributes.first?.column,
      let key = try lowestKey(of: entity.table, column: column)
    else { return nil }
    return entities.firstIndex { $0.primaryKey == nil }.map { ($0, key) }
  }

  /// Runs a body over new rows, the first of which has its key where it has to.
  func givingLowestKey<E: Entity, Result>(
    _ entities: inout [E], in entity: EntityDescription, _ body: (inout [E]) throws -> Result
  ) throws -> Result {
    guard var first = try lowestKey(for: entities, in: entity) else { return try body(&entities) }
    func give() throws -> Result {
      entities[first.index].setGeneratedKey(first.key)
      return try body(&entities)
    }
    if isInTransaction { return try give() }
    // Somebody else may be about to do the same: asked again where only one can answer.
    return try transaction(.write) {
      guard let still = try lowestKey(for: entities, in: entity) else { return try body(&entities) }
      first = still
      return try give()
    }
  }
}
