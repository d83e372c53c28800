import DAOCriteria

/// What a write was about that broke a foreign key. SQLite says no more than that one was broken.
enum KeyedWrite {
  /// A new or changed row, by its attributes' values.
  case row([StoredValue])
  /// A row that was to be deleted, by its key.
  case deletion(key: [StoredValue])
  /// Rows that were to be deleted.
  case deletions
  /// Attributes that many rows were to get.
  case change(of: [String])
}

extension Connection {
  /// The error with attribute and table, where it is that of a foreign key and they can be found: the store is asked which row is missing, or is
  /// in the way. The statement has taken back what it did.
  func naming(_ error: any Error, _ write: @autoclosure () -> KeyedWrite?, of entity: EntityDescription) -> any Error {
    guard case DAOError.constraint(.foreignKey, _, let attributes, _) = error, attributes.isEmpty, let write = write(),
      let schema = try? schema(view: { _ in false }), let table = schema[entity.table]
    else { return error }
    return (try? broken(by: write, of: entity, table, schema)) ?? error
  }

  private func broken(
    by write: KeyedWrite, of entity: EntityDescription, _ table: StoreSchema.Table, _ schema: StoreSchema
  ) throws -> DAOError? {
    switch write {
    case .row(let values):
      for key in table.foreignKeys {
        let here = key.columns.map { column in
          entity.attributes.firstIndex { SchemaName.same($0.column, column) }.map { values[$0] } ?? .null
        }
        let there = key.columns(in: schema)
        guard there.count == here.count, !here.contains(.null) else { continue }
        if !(try isThere(key.table, there, here)), !isItself(key, there, here, entity, table, values) {
          return .pointsNowhere(entity: entity.name, attributes: entity.names(of: key.columns), table: key.table)
        }
      }
      // What others point to may have changed.
      let key = entity.keyAttributes.compactMap { attribute in entity.position(of: attribute.name).map { values[$0] } }
      return try pointing(to: table, entity, key: key, schema) { column, old in
        entity.attributes.firstIndex { SchemaName.same($0.column, column) }.map { values[$0] != old } ?? false
      }
    case .deletion(let key): return try pointing(to: table, entity, key: key, schema) { _, _ in true }
    case .deletions:
      let others = schema.keys(to: table).filter { $0.key.denies }
      guard others.count == 1, let (other, key) = others.first else { return nil }
      return .isPointedTo(
        entity: entity.name, attributes: entity.names(of: key.columns(in: schema)), table: other.name, columns: key.columns)
    case .change(let attributes):
      let columns = attributes.compactMap { entity[$0]?.column }
      let changed = table.foreignKeys.filter { key in key.columns.contains { name in columns.contains { SchemaName.same($0, name) } } }
      guard changed.count == 1, let key = changed.first else { return nil }
      return .pointsNowhere(entity: entity.name, attributes: entity.names(of: key.columns), table: key.table)
    }
  }

  /// The first rows that point to one and may not be left behind.
  /// - Parameter isChanged: whether a column of the row is to lose its value.
  private func pointing(
    to table: StoreSchema.Table, _ entity: EntityDescription, key: [StoredValue], _ schema: StoreSchema,
    _ isChanged: (_ column: String, _ old: StoredValue) -> Bool
  ) throws -> DAOError? {
    let keyColumns = entity.keyAttributes.map(\.column)
    guard keyColumns.count == key.count, !key.contains(.null) else { return nil }
    for (other, foreign) in schema.keys(to: table) where foreign.denies {
      let there = foreign.columns(in: schema)
      guard there.count == foreign.columns.count else { continue }
      let list = there.map(\.quotedIdentifier).joined(separator: ", ")
      let found = try rows(SQLStatement("SELECT \(list) FROM \(table.name.quotedIdentifier) WHERE \(Self.equal(keyColumns))", key))
      guard let old = found.first, zip(there, old).contains(where: { isChanged($0, $1) }), !old.contains(.null) else { continue }
      if try isThere(other.name, foreign.columns, old) {
        return .isPointedTo(entity: entity.name, attributes: entity.names(of: there), table: other.name, columns: foreign.columns)
      }
    }
    return nil
  }

  private func isThere(_ table: String, _ columns: [String], _ values: [StoredValue]) throws -> Bool {
    try !rows(SQLStatement("SELECT 1 FROM \(table.quotedIdentifier) WHERE \(Self.equal(columns)) LIMIT 1", values)).isEmpty
  }

  private static func equal(_ columns: [String]) -> String { columns.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ") }

  /// Whether a row points to itself.
  private func isItself(
    _ key: StoreSchema.ForeignKey, _ there: [String], _ here: [StoredValue], _ entity: EntityDescription, _ table: StoreSchema.Table,
    _ values: [StoredValue]
  ) -> Bool {
    guard SchemaName.same(key.table, table.name) else { return false }
    return there.map { column in entity.attributes.firstIndex { SchemaName.same($0.column, column) }.map { values[$0] } } == here
  }
}

extension StoreSchema {
  /// The foreign keys that lead to a table, each with the table that has it.
  fileprivate func keys(to table: Table) -> [(table: Table, key: ForeignKey)] {
    tables.flatMap { other in other.foreignKeys.filter { SchemaName.same($0.table, table.name) }.map { (other, $0) } }
  }
}

extension StoreSchema.ForeignKey {
  /// The columns that it leads to.
  fileprivate func columns(in schema: StoreSchema) -> [String] {
    targetColumns.isEmpty ? schema[table]?.primaryKey ?? [] : targetColumns
  }

  /// Whether a row that is pointed to can't go.
  fileprivate var denies: Bool { ["NO ACTION", "RESTRICT"].contains(SchemaName.capitals(onDelete)) }
}

extension EntityDescription {
  /// The attributes of columns; a column's own name where no attribute has it.
  fileprivate func names(of columns: [String]) -> [String] {
    columns.map { column in attributes.first { SchemaName.same($0.column, column) }?.name ?? column }
  }
}
