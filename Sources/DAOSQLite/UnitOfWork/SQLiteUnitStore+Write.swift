import DAOCriteria
import DAOSQL
import DAOSchema

extension SQLiteUnitStore {
  /// Adds entities to the unit. One whose key the store generates gets a negative one until the unit is committed.
  package func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    return try editing(target) { connection, store in
      var inserted = entities
      for index in inserted.indices {
        do { try unit.insert(&inserted[index], of: target.entity, on: connection, store) } catch let error as DAOError {
          throw error.about(index, of: entities.count)
        }
      }
      return inserted
    }
  }

  /// Edits entities. One that somebody has changed in the store since the unit read it is a conflict when the unit is committed.
  package func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    return try editing(target) { connection, store in
      try target.entity.checkRaising(entities)
      var updated = entities
      for index in updated.indices {
        do {
          if try unit.updateStale(&updated[index], in: target, on: connection, store) { continue }
          updated[index] = try store.update([updated[index]], in: target)[0]
        } catch let error as DAOError { throw error.about(index, of: entities.count) }
      }
      return updated
    }
  }

  /// Adds entities or edits existing ones.
  package func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    if entities.isEmpty { return [] }
    return try editing(target) { connection, store in
      try target.entity.checkRaising(entities)
      _ = try target.checked(rule, within: .sqlite)
      try unit.checkUnique(rule.target ?? target.entity.key.attributes, of: target.entity, on: connection)
      return try entities.indices.map { index in
        do { return try unit.upsert(entities[index], rule, in: target, on: connection, store) } catch let error as DAOError {
          throw error.about(index, of: entities.count)
        }
      }
    }
  }

  /// Deletes the entities with these keys.
  package func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    if keys.isEmpty { return 0 }
    return try editing(target) { connection, store in
      // A row that went with an earlier one is no more.
      try keys.reduce(0) { count, key in
        if try unit.deleteStale(type, key, in: target, on: connection, store) { return count + 1 }
        let deleted = try store.delete(type, keys: [key], in: target)
        try unit.settle(on: connection)
        return count + deleted
      }
    }
  }

  /// Changes attributes of every row that a query finds.
  package func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Criteria.Change]) throws -> Int {
    try counting(target, criteria) { _ = try $0.update(in: target, criteria, set: changes) }
  }

  /// Deletes every row that a query finds.
  package func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try counting(target, criteria) { _ = try $0.delete(in: target, criteria) }
  }

  /// Runs SQL that updates or deletes rows of a table.
  package func execute(_ sql: SQL) throws -> Int {
    let statement = try sql.statement()
    guard let table = SQLTokens.changedTable(of: statement.text) else {
      throw DAOError.unsupported(
        "SQL of your own in a unit of work updates or deletes rows; rows are added by a DAO, the schema by the store")
    }
    return try source.write(atomic: true) { connection in
      guard let connection = connection as? SQLiteConnection else { throw DAOError.unsupported("a unit of work needs SQLite") }
      try unit.shadow(table, on: connection)
      let before = unit.touchedCount
      _ = try EngineStore(session: OpenConnection(connection)).execute(sql)
      return unit.touchedCount - before
    }
  }

  private func counting(_ target: EntityTarget, _ criteria: Criteria, _ body: (EngineStore) throws -> Void) throws -> Int {
    try editing(target) { _, store in
      try unit.refuseSearch(criteria, target)
      let before = unit.touchedCount
      try body(store)
      return unit.touchedCount - before
    }
  }

  /// Runs a body that edits rows of a target, whole or not at all.
  private func editing<Result>(_ target: EntityTarget, _ body: (SQLiteConnection, EngineStore) throws -> Result) throws -> Result {
    let entity = target.entity
    if entity.isReadOnly { throw DAOError.readOnly(entity: entity.name, reason: "its rows come from a view") }
    return try source.write(atomic: true) { connection in
      guard let connection = connection as? SQLiteConnection else { throw DAOError.unsupported("a unit of work needs SQLite") }
      let store = EngineStore(session: OpenConnection(connection))
      // The entity is compared with the table as it is in the store.
      _ = try store.exists(in: EntityTarget(entity), Criteria())
      try unit.shadow(entity.table, entity, on: connection)
      return try body(connection, store)
    }
  }
}

extension SQLTokens {
  /// The table that an UPDATE or a DELETE changes; nil for another statement.
  static func changedTable(of sql: String) -> String? {
    let tokens = SQLTokens.of(sql)
    var depth = 0
    for place in tokens.indices {
      if tokens[place].isSign("(") { depth += 1 }
      if tokens[place].isSign(")") { depth -= 1 }
      guard depth == 0 else { continue }
      if ["INSERT", "REPLACE", "CREATE", "DROP", "ALTER"].contains(where: { tokens[place].isWord($0) }) { return nil }
      let isUpdate = tokens[place].isWord("UPDATE")
      guard isUpdate || tokens[place].isWord("DELETE") else { continue }
      var next = place + 1
      // UPDATE OR ROLLBACK, DELETE FROM
      if isUpdate, tokens.indices.contains(next), tokens[next].isWord("OR") { next += 2 }
      if !isUpdate { next += 1 }
      guard tokens.indices.contains(next) else { return nil }
      // A name with a schema before it means the store's own table, which the unit does not change.
      if tokens.indices.contains(next + 1), tokens[next + 1].isSign(".") { return nil }
      return tokens[next].name
    }
    return nil
  }
}
