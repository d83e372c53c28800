import DAOCriteria

extension EngineStore {
  /// `SELECT … FROM … WHERE … ORDER BY … LIMIT`, its rows read as the cursor goes.
  package func withCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    if !criteria.prefetches.isEmpty { return try withPrefetchingCursor(type, in: target, criteria, body) }
    return try source.read(snapshot: false) { connection in
      let rows = try OpenRows<E>(connection, in: target, criteria)
      defer { rows.close() }
      return try EntityCursor.run(over: rows.next, body)
    }
  }

  /// The same over a connection that is held from the first batch to the last.
  package func batches<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> EntityBatches<E> {
    guard let engine else { throw DAOError.sessionStreamed }
    let rows = LeasedRows<E>(engine, in: target, criteria)
    return EntityBatches(next: rows.next, close: rows.close)
  }
}
