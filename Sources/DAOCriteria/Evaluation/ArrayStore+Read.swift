extension ArrayStore {
  /// The entities that a criteria finds.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    if !criteria.prefetches.isEmpty { return try findPrefetching(type, in: target, criteria) }
    let rows = self[target.entity]
    return try query(target, criteria).positions().enumerated().map { try target.entity.read(E.self, rows[$1], number: $0) }
  }

  /// Runs a body with a cursor over the entities that a criteria finds.
  public func withCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    let found = try find(type, in: target, criteria)
    return try EntityCursor.run(over: { EntityBatch(found, isLast: true) }, body)
  }

  /// The entities that a criteria finds, in one batch.
  public func batches<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) -> EntityBatches<E> {
    EntityBatches(next: { EntityBatch(try self.find(type, in: target, criteria), isLast: true) }, close: {})
  }

  /// The visible entity with a key.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, key: E.PrimaryKey) throws -> E {
    guard let found = try find(type, in: target, keys: [key]).first else {
      throw DAOError.notFound(entity: target.entity.name, key: "\(key)")
    }
    return found
  }

  /// Whether a visible row has a key.
  public func exists(in target: EntityTarget, key: some EntityKey) throws -> Bool { try position(of: key, in: target) != nil }

  /// The visible entities with these keys, in the keys' order.
  public func find<E: Entity>(_ type: E.Type, in target: EntityTarget, keys: [E.PrimaryKey]) throws -> [E] {
    try keys.compactMap { key in
      try position(of: key, in: target).map { try target.entity.read(E.self, self[target.entity][$0], number: 0) }
    }
  }

  /// The keys of the entities that a criteria finds.
  public func findKeys<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E.PrimaryKey] {
    let rows = self[target.entity]
    return try query(target, criteria).positions().map { position in
      let key = target.entity.key(of: rows[position])
      var reader = RowReader(key, columns: RowColumns(target.entity.keyTypes, of: target.entity))
      return try E.PrimaryKey(row: &reader)
    }
  }

  /// How many rows a criteria returns.
  public func count(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    let query = query(target, criteria)
    return criteria.columns.isEmpty ? try query.positions().count : try query.report().count
  }

  /// Whether a criteria returns a row.
  public func exists(in target: EntityTarget, _ criteria: Criteria) throws -> Bool { try !query(target, criteria).positions().isEmpty }

  /// The rows of a criteria's projections.
  public func report<Result>(
    in target: EntityTarget, _ criteria: Criteria, _ read: (inout RowReader) throws -> Result
  ) throws -> [Result] {
    let query = query(target, criteria)
    let types = try criteria.columns.map { try query.evaluator.type(of: $0.term) ?? .any }
    return try query.report().enumerated().map { number, values in
      var reader = RowReader(values, columns: RowColumns(types))
      reader.rowNumber = number
      do { return try read(&reader) } catch let problem as RowProblem {
        throw DAOError.undecodable(
          entity: target.entity.name, column: criteria.columns[problem.column].name, row: number, problem: "\(problem.problem)")
      }
    }
  }

  func query(_ target: EntityTarget, _ criteria: Criteria) -> ArrayQuery {
    ArrayQuery(rows: self[target.entity], entity: target.entity, scope: target.scope, criteria: criteria) { self[$0] }
  }

  /// Where the visible row with a key stands.
  func position(of key: some EntityKey, in target: EntityTarget) throws -> Int? {
    var writer = ColumnWriter(collecting: target.entity.keyAttributes.map(\.type))
    do { try key.write(to: &writer) } catch let problem as ColumnProblem {
      throw DAOError.invalidValue(
        entity: target.entity.name, attribute: target.entity.key.attributes[problem.column], problem: "\(problem.problem)")
    }
    return try position(ofKey: writer.values, in: target)
  }

  func position(ofKey key: StoredRow, in target: EntityTarget) throws -> Int? {
    try query(target, Criteria()).positions().first { target.entity.key(of: self[target.entity][$0]) == key }
  }
}

extension EntityDescription {
  func read<E: Entity>(_ type: E.Type, _ row: StoredRow, number: Int) throws -> E {
    var reader = RowReader(row, columns: RowColumns(attributes.map(\.type), of: self))
    reader.rowNumber = number
    do { return try E(row: &reader) } catch let problem as RowProblem {
      throw DAOError.undecodable(
        entity: name, column: attributes[problem.column].column, row: problem.row, problem: "\(problem.problem)")
    }
  }

  func values(_ names: [String], of row: StoredRow) -> StoredRow { names.map { position(of: $0).map { row[$0] } ?? .null } }

  func key(of row: StoredRow) -> StoredRow { values(key.attributes, of: row) }
}
