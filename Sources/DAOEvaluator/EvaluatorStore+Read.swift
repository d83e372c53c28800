import DAOCriteria

extension EvaluatorStore {
  /// The entities that a query finds.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    if !criteria.prefetches.isEmpty { return try findPrefetching(type, in: target, criteria) }
    return try reading { try target.entity.read($0.query(.entities, criteria, in: target).rows(), at: target.path) }
  }

  /// Runs a body with a cursor over the entities that a query finds.
  public func withCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    if !criteria.prefetches.isEmpty { return try withPrefetchingCursor(type, in: target, criteria, body) }
    return try reading { data in
      let rows = try data.query(.entities, criteria, in: target).rows()
      return try EntityCursor.run(over: { EntityBatch(try target.entity.read(rows), isLast: true) }, body)
    }
  }

  /// The entities that a query finds, all in one batch: nobody could write while they are handed out.
  public func batches<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> EntityBatches<E> {
    if isSession { throw DAOError.sessionStreamed }
    return EntityBatches(next: { EntityBatch(try self.find(type, in: target, criteria), isLast: true) }, close: {})
  }

  /// The visible entity with a key.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E {
    try reading { data in
      guard let row = try VisibleRows(target, of: data).row(key) else { throw DAOError.notFound(entity: target.entity.name, key: "\(key)") }
      return try target.entity.read(row)
    }
  }

  /// The visible entities with these keys, in the keys' order.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    if keys.isEmpty { return [] }
    return try reading { data in
      let rows = try VisibleRows(target, of: data)
      return try keys.compactMap { key in try rows.row(key).map { try target.entity.read($0) } }
    }
  }

  /// Whether a visible row has a key.
  public func exists(in target: EntityTarget, key: some EntityKey) throws -> Bool {
    try reading { try VisibleRows(target, of: $0).row(key) != nil }
  }

  /// The keys of the entities that a query finds.
  public func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    try reading { data in
      let columns = target.entity.key.attributes.compactMap { target.entity.position(of: $0) }
      let types = RowColumns(target.entity.keyTypes, of: target.entity)
      return try data.query(.keys, criteria, in: target).rows().enumerated().map { number, row in
        var reader = RowReader(columns.map { row[$0] }, columns: types)
        reader.rowNumber = number
        return try target.entity.naming(target.entity.key.attributes) { try E.PrimaryKey(row: &reader) }
      }
    }
  }

  /// How many rows a query returns.
  public func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try reading { data in
      let query = try data.query(.count, criteria, in: target)
      return criteria.columns.isEmpty ? try query.places().count : try query.report().count
    }
  }

  /// Whether a query returns a row.
  public func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool {
    try reading { try !$0.query(.exists, criteria, in: target).places().isEmpty }
  }

  /// The rows of a query's projections.
  public func report<Row>(
    in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Row
  ) throws -> [Row] {
    try reading { data in
      let query = try data.query(.report, criteria, in: target)
      let types = RowColumns(criteria.columns.map { query.evaluator.type(of: $0.term) ?? .any }, of: target.entity)
      return try query.report().enumerated().map { number, values in
        var reader = RowReader(values, columns: types)
        reader.rowNumber = number
        return try target.entity.naming(criteria.columns.map(\.name)) { try read(&reader) }
      }
    }
  }
}

extension EvaluatorData {
  /// The criteria's query, after the check that SQL stores make too.
  func query(_ kind: Criteria.Use, _ criteria: Criteria, in target: EntityTarget) throws -> ArrayQuery {
    try criteria.check(kind, in: target, within: .sqlite)
    return try ArrayQuery(criteria, in: target) { try self.table(of: $0).rows }
  }
}
