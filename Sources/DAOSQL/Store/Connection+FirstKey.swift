import DAOCriteria

/// Where the keys begin that the engine generates in a store into which newer seeds are merged: above those of later seeds' rows; and in
/// another store that was made from a seed: after the seed's, be the last of them deleted. The first row gets its key given; what the
/// engine generates after it is higher by itself. So nothing is asked for each row.
extension Connection {
  /// The first row without a key, and the one that it is to have; nil where what the engine generates will do.
  func firstKey<E: Entity>(for entities: [E], in entity: EntityDescription) throws -> (index: Int, key: Int64)? {
    guard entity.hasGeneratedKey, try isFromSeed, let column = entity.keyAttributes.first?.column,
      let index = entities.firstIndex(where: { $0.primaryKey == nil })
    else { return nil }
    return try firstKey(of: entity.table, column: column).map { (index, $0) }
  }

  /// Runs a body over new rows, the first of which has its key where it has to.
  func givingFirstKey<E: Entity, Result>(
    _ entities: inout [E], in entity: EntityDescription, _ body: (inout [E]) throws -> Result
  ) throws -> Result {
    guard var first = try firstKey(for: entities, in: entity) else { return try body(&entities) }
    func give() throws -> Result {
      entities[first.index].setGeneratedKey(first.key)
      return try body(&entities)
    }
    if isInTransaction { return try give() }
    // Somebody else may be about to do the same: asked again where only one can answer.
    return try transaction(.write) {
      guard let still = try firstKey(for: entities, in: entity) else { return try body(&entities) }
      first = still
      return try give()
    }
  }
}
