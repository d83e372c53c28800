import DAOCriteria

extension SQLEntityStore {
  /// `INSERT INTO … VALUES …`, one prepared statement for all, so that no cap of rows or bindings applies and keys come in order.
  public func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    let entity = target.entity
    return try source.write(atomic: entities.count > 1) { connection in
      let entry = try connection.entry(.insert, EntityTarget(entity))
      let types = entity.types
      var inserted = entities
      for index in inserted.indices {
        _ = try connection.run(entry, in: entity) { statement in
          try statement.bind(types) { try inserted[index].write(to: &$0) }
          try statement.execute()
          guard connection.changedRowCount == 1 else {
            throw DAOError.constraint(.other, entity: entity.name, attributes: [], message: "a trigger of the store ignored the row")
          }
        }
        if entity.hasGeneratedKey { inserted[index].setGeneratedKey(connection.lastInsertedKey) }
      }
      return inserted
    }
  }

  /// `UPDATE … SET … WHERE key = ?`, for each.
  public func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws {
    if entities.isEmpty { return }
    try refuseReadOnly(target)
    let entity = target.entity
    try source.write(atomic: entities.count > 1) { connection in
      let entry = try connection.entry(.update, target)
      let types = entity.types
      for changed in entities {
        let changes = try connection.run(entry, in: entity) { statement in
          try statement.bind(types) { try changed.write(to: &$0) }
          try statement.bindScope(target.scope, of: entity, entry.plan, first: types.count + 1)
          try statement.execute()
          return connection.changedRowCount
        }
        guard changes == 1 else {
          throw DAOError.notFound(entity: entity.name, key: changed.primaryKey.map { "\($0)" } ?? "nil")
        }
      }
    }
  }

  /// `INSERT INTO … ON CONFLICT (target) DO UPDATE SET …`, for each; never REPLACE, which would delete the row and what hangs on it.
  public func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    // One entity may still take a lookup beside the insert, so it is always atomic.
    return try source.write(atomic: true) { connection in
      try entities.map { try connection.upsert($0, rule, in: target) }
    }
  }

  /// `DELETE FROM … WHERE key = ?`, for each.
  public func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    if keys.isEmpty { return 0 }
    try refuseReadOnly(target)
    return try source.write(atomic: keys.count > 1) { connection in
      let entry = try connection.entry(.delete, target)
      return try keys.reduce(0) { count, key in
        let deleted = try connection.run(entry, in: target.entity) { statement in
          try statement.bind(target.entity, key: key, scope: target.scope, entry.plan)
          try statement.execute()
          return connection.changedRowCount
        }
        return count + (deleted ?? 0)
      }
    }
  }

  /// `UPDATE … SET … WHERE …`.
  public func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Change]) throws -> Int {
    try change(.update(changes), in: target, criteria)
  }

  /// `DELETE FROM … WHERE …`.
  public func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try change(.delete, in: target, criteria)
  }

  private func change(_ kind: StatementKind, in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try refuseReadOnly(target)
    let shape = CriteriaShape(kind, criteria, scope: target.scope)
    return try source.write(atomic: false) { connection in
      let entry = try connection.entry(kind, criteria, shape, in: target)
      let count = try connection.run(entry, in: target.entity) { statement in
        try statement.bind(entry.plan, shape.literals, of: target.entity)
        try statement.execute()
        return connection.changedRowCount
      }
      return count ?? 0
    }
  }

  private func refuseReadOnly(_ target: EntityTarget) throws {
    if target.entity.isReadOnly { throw DAOError.readOnly(entity: target.entity.name, reason: "its rows come from a view") }
  }
}
