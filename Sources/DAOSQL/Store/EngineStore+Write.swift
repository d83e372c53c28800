import DAOCriteria
import DAOSchema

extension EngineStore {
  /// `INSERT INTO … VALUES …`, one prepared statement for all, so that no cap of rows or bindings applies and keys come in order.
  package func insert<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    let entity = target.entity
    return try source.write(atomic: entities.count > 1) { connection in
      var inserted = entities
      do {
        try connection.givingLowestKey(&inserted, in: entity) { rows in
          _ = try connection.write(rows.count, .insert, for: .insert(takesKeys: entity.hasGeneratedKey), in: EntityTarget(entity)) {
            try E.writeAll(&rows, to: &$0)
          } of: {
            entity.keyedWrite(of: entities[$0])
          }
        }
      } catch let missed as RowNotWritten {
        throw DAOError.constraint(.other, entity: entity.name, attributes: [], message: "a trigger of the store ignored the row")
          .about(missed.row, of: entities.count)
      }
      return inserted
    }
  }

  /// `UPDATE … SET … WHERE key = ?`, for each; with a version, `SET … "version" = ? + 1 WHERE key = ? AND "version" = ?`.
  package func update<E: Entity>(_ entities: [E], in target: EntityTarget) throws -> [E] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    try target.entity.checkRaising(entities)
    func notFound(_ index: Int) -> DAOError {
      DAOError.notFound(entity: target.entity.name, key: entities[index].primaryKey.map { "\($0)" } ?? "nil")
    }
    return try source.write(atomic: entities.count > 1) { connection in
      var changed = entities
      do {
        let written = try connection.write(entities.count, .update, for: .update, in: target) {
          try E.writeAll(&changed, to: &$0)
        } of: {
          target.entity.keyedWrite(of: entities[$0])
        }
        // Nothing was sent, since the scope lets no row be seen.
        if written == nil { throw notFound(0) }
      } catch let missed as RowNotWritten {
        throw try connection.conflict(writing: entities[missed.row], in: target) ?? notFound(missed.row)
      }
      if target.entity.versionAttribute != nil { for index in changed.indices { changed[index].raiseVersion() } }
      return changed
    }
  }

  /// `INSERT INTO … ON CONFLICT (target) DO UPDATE SET …`, for each; never REPLACE, which would delete the row and what hangs on it.
  package func upsert<E: Entity>(_ entities: [E], _ rule: UpsertRule, in target: EntityTarget) throws -> [Upserted<E>] {
    if entities.isEmpty { return [] }
    try refuseReadOnly(target)
    try target.entity.checkRaising(entities)
    // One entity may still take a lookup beside the insert, so it is always atomic.
    return try source.write(atomic: true) { connection in try connection.upsert(entities, rule, in: target) }
  }

  /// The statement of `find`, of whose row the values are taken as they are stored.
  package func checkVersion<E: Entity>(of entity: E, in target: EntityTarget) throws -> Bool {
    guard let key = entity.primaryKey else { return false }
    let mine = try target.entity.storedValues(of: entity)
    return try source.read(snapshot: false) { connection in
      guard let theirs = try connection.storedRow(key, in: target) else { return false }
      if let conflict = target.entity.conflict(mine: mine, theirs: theirs, deletes: true) { throw conflict }
      return true
    }
  }

  /// `DELETE FROM … WHERE key = ?`, for each.
  package func delete<E: Entity>(_ type: E.Type, keys: [E.PrimaryKey], in target: EntityTarget) throws -> Int {
    if keys.isEmpty { return 0 }
    try refuseReadOnly(target)
    return try source.write(atomic: keys.count > 1) { connection in
      let written = try connection.write(keys.count, .delete, for: .delete, in: target) {
        try E.PrimaryKey.writeAll(keys, to: &$0)
      } of: {
        target.entity.deletion(of: keys[$0])
      }
      return written?.changedCount ?? 0
    }
  }

  /// `UPDATE … SET … WHERE …`.
  package func update(in target: EntityTarget, _ criteria: Criteria, set changes: [Criteria.Change]) throws -> Int {
    try change(.update(changes), in: target, criteria)
  }

  /// `DELETE FROM … WHERE …`.
  package func delete(in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try change(.delete, in: target, criteria)
  }

  private func change(_ kind: Criteria.Use, in target: EntityTarget, _ criteria: Criteria) throws -> Int {
    try refuseReadOnly(target)
    let shape = CriteriaShape(kind, criteria, scope: target.scope)
    var count = 0
    try source.write(atomic: false) { connection in
      var plan: SQLPlan?
      do {
        try connection.within(criteria.budget) {
          let entry = try connection.entry(kind, criteria, shape, in: target)
          plan = entry.plan
          try connection.checkTypes(of: target.entity, entry.plan.reached)
          try connection.run(entry, in: target.entity) { statement in
            try statement.bind(entry.plan, shape.values, kind, criteria, in: target)
            try statement.execute()
            count = connection.changedRowCount
          }
        }
      } catch {
        throw connection.naming(error, write(kind, plan, shape.values, criteria.budget, connection, target.entity), of: target.entity)
      }
    }
    return count
  }

  /// Describes a change of many rows for naming a broken foreign key. The search takes no more than the budget of the change.
  private func write(
    _ kind: Criteria.Use, _ plan: SQLPlan?, _ values: [CriteriaValue], _ budget: RunBudget?, _ connection: any Connection,
    _ entity: EntityDescription
  ) -> KeyedWrite? {
    guard case .delete = kind, let plan else { return KeyedWrite(kind, of: entity) }
    return .deletions { pointer in
      try connection.within(budget) { try connection.pointsToDeleted(pointer, plan, values, of: entity) }
    }
  }

  private func refuseReadOnly(_ target: EntityTarget) throws {
    if target.entity.isReadOnly { throw DAOError.readOnly(entity: target.entity.name, reason: "its rows come from a view") }
  }
}

extension Connection {
  /// Runs a statement over one row for each of the `total` rows that a body writes.
  /// - Parameter row: a row by its number, of which an error is.
  /// - Throws: what the body throws, and ``RowNotWritten``.
  /// - Returns: nil where no row can match and nothing is sent.
  @discardableResult
  func write(
    _ total: Int, _ statement: RowStatement, for purpose: RowWriter.Purpose, in target: EntityTarget,
    _ body: (inout RowWriter) throws -> Void, of row: (Int) -> KeyedWrite?
  ) throws -> RowWriter? {
    let entity = target.entity
    let entry = try entry(statement, target)
    // Before the first row: without a transaction around it, it is there at once.
    try checkTypes(of: entity, entry.plan.reached)
    return try run(entry, in: entity) { prepared in
      let types = if case .delete = purpose { entity.keyTypes } else { entity.types }
      try prepared.bindScope(target.scope, of: entity, entry.plan, first: types.count + 1)
      var rows = RowWriter(
        statement: prepared.handle, functions: prepared.writeFunctions, texts: prepared.texts, types: types, for: purpose,
        keyColumn: entity.key.attributes.first.flatMap { entity.position(of: $0) })
      do { try body(&rows) } catch {
        // The columns of a delete are the key's.
        if case .delete = purpose, let problem = error as? ColumnProblem {
          throw entity.invalidKey(problem).about(rows.count, of: total)
        }
        let named = naming(translated(error, prepared, entry.plan, entity), row(rows.count), of: entity)
        throw (named as? DAOError)?.about(rows.count, of: total) ?? named
      }
      return rows
    }
  }
}

extension Connection {
  /// Whether rows that stay point to those that a plan's `DELETE FROM table …` was to delete: it goes on as a query of the same rows.
  fileprivate func pointsToDeleted(
    _ pointer: KeyedWrite.Pointer, _ plan: SQLPlan, _ values: [CriteriaValue], of entity: EntityDescription
  ) throws -> Bool {
    let table = entity.table.quotedIdentifier
    guard plan.text.hasPrefix("DELETE FROM \(table)") else { return false }
    let rows = plan.text.dropFirst("DELETE ".count)
    func list(_ columns: [String]) -> String { columns.map(\.quotedIdentifier).joined(separator: ", ") }
    // The deleted column stands on the left: a key's own collation decides.
    let pairs = zip(pointer.target, pointer.columns).map { "d.\($0.quotedIdentifier) = o.\($1.quotedIdentifier)" }
    var sql = "SELECT 1 FROM (SELECT \(list(pointer.target)) \(rows)) AS d, \(pointer.table.quotedIdentifier) AS o WHERE "
    sql += pairs.joined(separator: " AND ")
    let isOwn = SchemaName.same(pointer.table, entity.table)
    if isOwn {
      let keys = entity.keyAttributes.map(\.column)
      let isSame = keys.map { "e.\($0.quotedIdentifier) IS o.\($0.quotedIdentifier)" }.joined(separator: " AND ")
      sql += " AND NOT EXISTS (SELECT 1 FROM (SELECT \(list(keys)) \(rows)) AS e WHERE \(isSame))"
    }
    let statement = try prepare(sql + " LIMIT 1")
    defer { statement.finish() }
    try beginStatement()
    try statement.bind(plan, values, of: entity)
    if isOwn { try statement.bind(plan, values, of: entity, first: plan.bindings.count + 1) }
    let code = statement.functions.step(statement.handle)
    guard code == 100 || code == 101 else { throw StepFailure(code: code) }
    return code == 100
  }
}
