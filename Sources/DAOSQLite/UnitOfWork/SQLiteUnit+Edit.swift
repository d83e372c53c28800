import DAOCriteria
import DAOSQL
import DAOSchema

// What entities become in the unit's tables. All of it runs in the unit's turn, inside a transaction of its connection.
extension SQLiteUnit {
  /// Adds an entity, and gives it a key where it has none.
  func insert<E: Entity>(
    _ entity: inout E, of description: EntityDescription, on connection: SQLiteConnection, _ store: EngineStore
  ) throws {
    let shadow = try shadow(description.table, on: connection)
    let table = shadow.table
    guard let number = edits.number(of: SchemaName(table.name)) else { return }
    var isNewKey = false
    if entity.primaryKey == nil, description.hasGeneratedKey {
      let lowest = try lowestKey(of: table, on: connection)
      entity.setGeneratedKey(numbers.nextKey(of: SchemaName(table.name), below: lowest))
      isNewKey = true
    }
    let stored = try description.storedValues(of: entity)
    if let key = entity.primaryKey, !isNewKey, try store.exists(in: EntityTarget(description), key: key) {
      throw DAOError.constraint(
        .primaryKey, entity: description.name, attributes: description.key.attributes, message: "a row with the key is there already")
    }
    func value(_ column: Int) -> StoredValue {
      description.attributes.firstIndex { SchemaName.same($0.column, table.columns[column]) }.map { stored[$0] } ?? .null
    }
    let key = table.key.map(value)
    if key.contains(.null) { throw DAOError.unsupported("a row of \(description.name) without a key in a unit of work") }
    // A row that was deleted here, and is there again.
    let known = try connection.keptRows(shadow.findByKey, key) { $0.integer(0) }.first
      .map { EditID(table: number, number: $0) }
    let deleted = known.flatMap { id in edits[id].flatMap { $0.mine == nil ? (id, $0) : nil } }
    let id = deleted?.0 ?? EditID(table: number, number: numbers.nextRow())
    let base = deleted?.1.base
    if deleted != nil { try put(nil, as: id, on: connection) }
    if isNewKey { newKeys.insert(id) }
    let written = description.attributes.indices.filter { !description.attributes[$0].isGenerated }
    let values = [.integer(id.number), .integer(base == nil ? 0 : 1)] + key + (base ?? table.columns.map { _ in .null })
    try connection.runKept(
      shadow.insert(written.map { description.attributes[$0].column }), values + written.map { stored[$0] })
    touch(id)
    try settle(on: connection)
  }

  private func lowestKey(of table: EditedTable, on connection: SQLiteConnection) throws -> Int64 {
    guard let column = table.generatedKey.map({ table.columns[$0].quotedIdentifier }) else { return 0 }
    let edited = "dao_edited_\(table.name)".quotedIdentifier
    let sql =
      "SELECT min(ifnull((SELECT min(\(column)) FROM main.\(table.name.quotedIdentifier)), 0), "
      + "ifnull((SELECT min(\(column)) FROM temp.\(edited)), 0))"
    return try connection.keptRows(sql, []) { $0.integer(0) }.first ?? 0
  }

  /// Notes entities that were read, but for those with edits, which are based on what was read before.
  func note<E: Entity>(_ found: [E], of entity: EntityDescription) {
    guard let number = edits.number(of: SchemaName(entity.table)), edits.editedTables.contains(number) else {
      return reads.note(found, of: entity)
    }
    reads.note(found.filter { !isEdited($0, entity, number) }, of: entity)
  }

  /// Whether an entity's row has an edit of this unit; so may one whose key is not that of the table.
  private func isEdited(_ entity: some Entity, _ description: EntityDescription, _ number: Int) -> Bool {
    let table = edits.tables[number]
    guard let stored = try? description.storedValues(of: entity) else { return true }
    let key = table.key.compactMap { column in
      description.attributes.firstIndex { SchemaName.same($0.column, table.columns[column]) }.map { stored[$0] }
    }
    return key.count < table.key.count || edits.hasRow(key, of: number)
  }

  private func key(of entity: some Entity, _ description: EntityDescription) -> [StoredValue] {
    (try? description.storedValues(of: entity)).map { description.key(of: $0) } ?? []
  }

  /// Edits an entity that the unit has read and somebody else has changed since: the edit is based on what was read.
  /// - Returns: false where nobody has.
  func updateStale<E: Entity>(
    _ entity: inout E, in target: EntityTarget, on connection: SQLiteConnection, _ store: EngineStore
  ) throws -> Bool {
    let description = target.entity
    guard let key = entity.primaryKey, let stale = try stale(E.self, key, in: target, on: connection, store) else { return false }
    if description.versionPosition != nil {
      // As outside a unit, but of the row that was read.
      if let conflict = description.conflict(mine: try description.storedValues(of: entity), theirs: stale.read) { throw conflict }
      entity.raiseVersion()
    }
    var mine = stale.base
    for (attribute, value) in zip(description.attributes, try description.storedValues(of: entity)) {
      if let column = stale.table.position(of: attribute.column) { mine[column] = value }
    }
    try edit(stale, to: mine, on: connection)
    return true
  }

  /// Deletes a row that the unit has read and somebody else has changed since.
  /// - Returns: false where nobody has.
  func deleteStale<E: Entity>(
    _ type: E.Type, _ key: E.PrimaryKey, in target: EntityTarget, on connection: SQLiteConnection, _ store: EngineStore
  ) throws -> Bool {
    guard let stale = try stale(type, key, in: target, on: connection, store) else { return false }
    try edit(stale, to: nil, on: connection)
    return true
  }

  /// A row that is not any more what the unit has read.
  private struct Stale {
    let table: EditedTable
    let id: EditID
    /// The row as it was read, with the columns that the entity does not have as they are now.
    let base: [StoredValue]
    /// The entity's values as they were read.
    let read: [StoredValue]
  }

  private func stale<E: Entity>(
    _ type: E.Type, _ key: E.PrimaryKey, in target: EntityTarget, on connection: SQLiteConnection, _ store: EngineStore
  ) throws -> Stale? {
    let description = target.entity
    let table = try shadow(description.table, on: connection).table
    var known: E? = reads.entity(key, of: description)
    // It may have been read by a key that only looks another.
    guard known != nil || description.keyAttributes.contains(where: { table.isFolding($0.column) }) else { return nil }
    let theirs: E
    do { theirs = try store.find(E.self, in: target, key: key) } catch DAOError.notFound { return nil }
    known = known ?? theirs.primaryKey.flatMap { reads.entity($0, of: description) }
    guard let known else { return nil }
    let (before, now) = (try description.storedValues(of: known), try description.storedValues(of: theirs))
    if before == now { return nil }
    guard let number = edits.number(of: SchemaName(table.name)), var base = try row(of: theirs, description, in: table, on: connection),
      !isEdited(theirs, description, number)
    else { return nil }
    let own = base
    for (attribute, value) in zip(description.attributes, before) {
      if let column = table.position(of: attribute.column) { base[column] = value }
    }
    // A row with an edit of the parent's keeps its number.
    let inherited = self.inherited.first { $0.key.table == number && $0.value.mine == own }?.key
    return Stale(table: table, id: inherited ?? EditID(table: number, number: numbers.nextRow()), base: base, read: before)
  }

  private func edit(_ stale: Stale, to mine: [StoredValue]?, on connection: SQLiteConnection) throws {
    forgetState()
    // The parent's row has changed since this unit read it: its commit into the parent will find that.
    let known = inherited[stale.id]
    if known != nil { inherited[stale.id]?.mine = stale.base }
    try put(EditedRow(base: known.map { $0.base } ?? stale.base, mine: mine), as: stale.id, on: connection)
    touch(stale.id)
    try settle(on: connection)
  }

  /// The row that has an entity's key, with all columns of the table.
  private func row<E: Entity>(
    of entity: E, _ description: EntityDescription, in table: EditedTable, on connection: SQLiteConnection
  ) throws -> [StoredValue]? {
    let columns = table.columns.map(\.quotedIdentifier).joined(separator: ", ")
    let isRow = description.keyAttributes.map { "\($0.column.quotedIdentifier) = ?" }.joined(separator: " AND ")
    let sql = "SELECT \(columns) FROM \(table.name.quotedIdentifier) WHERE \(isRow)"
    return try connection.keptRows(sql, key(of: entity, description)) { $0.values(from: 0, count: table.columns.count) }.first
  }

  /// Makes sure that an upsert's target is a key or a unique index.
  func checkUnique(_ names: [String], of entity: EntityDescription, on connection: SQLiteConnection) throws {
    let columns = Set(names.compactMap { entity[$0].map { SchemaName($0.column) } })
    let table = try currentSchema(on: connection)[entity.table]
    let indexes = (table?.indexes ?? []).filter(\.isUnique)
    // One with another collation than its columns finds other rows.
    let key = indexes.contains { $0.origin == .primaryKey && !$0.isPlain } ? [] : table?.primaryKey ?? []
    let unique = (indexes.filter(\.isPlain).map(\.columns) + [key]).map { Set($0.map(SchemaName.init)) }
    guard unique.contains(columns) else { throw DAOError.noUniqueIndex(of: entity, over: names) }
  }

  /// Adds an entity, or edits the row that its target meets. A null in the target meets none.
  func upsert<E: Entity>(
    _ new: E, _ rule: UpsertRule, in target: EntityTarget, on connection: SQLiteConnection, _ store: EngineStore
  ) throws -> Upserted<E> {
    let entity = target.entity
    let row = try entity.storedValues(of: new)
    let names = rule.target ?? entity.key.attributes
    let columns = names.compactMap { entity.position(of: $0) }
    let met = try columns.contains { row[$0].isNull } ? nil : existing(E.self, columns, row, of: entity, store)
    guard let met else {
      var inserted = new
      try insert(&inserted, of: entity, on: connection, store)
      return Upserted(inserted, .inserted)
    }
    guard let key = met.primaryKey, try store.exists(in: target, key: key) else {
      throw DAOError.constraint(
        .unique, entity: entity.name, attributes: names, message: "a row that is not visible here has these values")
    }
    let before = try entity.storedValues(of: met)
    let fixed = names + entity.key.attributes + (entity.versionAttribute.map { [$0.name] } ?? [])
    var after = before
    for name in rule.updating ?? entity.writtenAttributes.map(\.name).filter({ !fixed.contains($0) }) {
      if let column = entity.position(of: name) { after[column] = row[column] }
    }
    // What updates nothing overwrites nothing.
    if rule.updating?.isEmpty != true, let conflict = entity.conflict(mine: row, theirs: before) { throw conflict }
    if after == before { return Upserted(met, .unchanged) }
    var updated: E = try entity.read(after)
    if try updateStale(&updated, in: EntityTarget(entity), on: connection, store) { return Upserted(updated, .updated) }
    let written = try store.update([updated], in: EntityTarget(entity))
    try settle(on: connection)
    return Upserted(written[0], .updated)
  }

  private func existing<E: Entity>(
    _ type: E.Type, _ columns: [Int], _ row: [StoredValue], of entity: EntityDescription, _ store: EngineStore
  ) throws -> E? {
    let conditions = try columns.map { column -> Criteria.Condition in
      let attribute = entity.attributes[column]
      return .compare(.field(FieldPath(attribute.name)), .equal, .value(try attribute.type.scalar(row[column])))
    }
    var criteria = Criteria()
    criteria.filter = .all(conditions)
    criteria.limit = 1
    return try store.find(type, in: EntityTarget(entity), criteria).first
  }

  /// Refuses a search in a table with edits: its search table has the words of the store.
  func refuseSearch(_ criteria: Criteria, _ target: EntityTarget) throws {
    if edits.rows.isEmpty { return }
    let searched = max(criteria.searchedRows, target.scope.searchedRows)
    if searched == .none { return }
    let edited = edits.editedTables.map { SchemaName(edits.tables[$0].name) }
    if edited.contains(SchemaName(target.entity.table)) || searched == .related && edited.contains(where: isSearchable) {
      throw DAOError.unsupported("a search in a table with edits that are not committed: its words are those of the store")
    }
  }

  private func isSearchable(_ table: SchemaName) -> Bool { schema?.schema[table.text]?.search != nil }
}
