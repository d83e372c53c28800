import DAOCriteria

/// What a write was about that broke a foreign key.
package enum KeyedWrite {
  /// A new or changed row, by its attributes' values.
  case row([StoredValue])
  /// A row that was to be deleted, by its key.
  case deletion(key: [StoredValue])
  /// Rows that were to be deleted; whether rows of a table that stay point to them by some columns.
  case deletions(arePointedTo: (_ pointer: Pointer) throws -> Bool)
  /// Attributes that many rows were to get, each with its value where that is the same for all.
  case change(to: [(attribute: String, value: StoredValue?)])

  /// How rows point to others.
  package struct Pointer {
    /// The table of the rows that point.
    package let table: String
    /// Their columns.
    package let columns: [String]
    /// The columns that they point to.
    package let target: [String]
  }
}

/// Finds which foreign key a write has broken, since SQLite says no more than that one was: the store is asked which row is missing, or is
/// in the way. The write has been taken back.
package struct ForeignKeyNaming {
  /// A few rows of a table for which columns have values: the values of other columns.
  package typealias Lookup = (_ columns: [String], _ table: String, _ matching: [String], _ values: [StoredValue]) throws -> [[StoredValue]]

  private let schema: StoreSchema
  private let lookup: Lookup

  package init(_ schema: StoreSchema, _ lookup: @escaping Lookup) {
    self.schema = schema
    self.lookup = lookup
  }

  /// The error with attribute and table; nil where they can't be told for certain.
  package func error(for write: KeyedWrite, of entity: EntityDescription) throws -> DAOError? {
    guard let table = schema[entity.table] else { return nil }
    switch write {
    case .row(let values): return try missing(values, of: entity, table) ?? pointing(to: values, of: entity, table)
    case .deletion(let key): return try pointing(to: table, entity, key: key, \.onDelete) { _, _ in true } ?? keeping(what: table)
    case .deletions(let arePointedTo):
      let found = try keys(to: table).first { other, key in
        guard Self.denies(key.onDelete), columns(of: key).count == key.columns.count else { return false }
        return try arePointedTo(KeyedWrite.Pointer(table: other.name, columns: key.columns, target: columns(of: key)))
      }
      guard let (other, key) = found else { return keeping(what: table) }
      // Rows that go along by another of their keys are in nobody's way.
      guard other.foreignKeys.allSatisfy({ Self.denies($0.onDelete) || !SchemaName.same($0.table, table.name) }) else { return nil }
      return .isPointedTo(entity: entity.name, attributes: entity.names(of: columns(of: key)), table: other.name, columns: key.columns)
    case .change(let changes): return try missing(changes, of: entity, table)
    }
  }

  /// A row that those which were changed alike would point to and that is not there.
  private func missing(
    _ changes: [(attribute: String, value: StoredValue?)], of entity: EntityDescription, _ table: StoreSchema.Table
  ) throws -> DAOError? {
    let changed = changes.compactMap { change in entity[change.attribute].map { (column: $0.column, value: change.value) } }
    func isChanged(_ columns: [String]) -> Bool { columns.contains { name in changed.contains { SchemaName.same($0.column, name) } } }
    // Rows may point to what they have lost.
    let pointing = keys(to: table).filter { isChanged(columns(of: $0.key)) }
    if let (other, key) = pointing.first {
      guard pointing.count == 1, Self.denies(key.onUpdate), !table.foreignKeys.contains(where: { isChanged($0.columns) }) else {
        return nil
      }
      return .isPointedTo(entity: entity.name, attributes: entity.names(of: columns(of: key)), table: other.name, columns: key.columns)
    }
    var possible: [StoreSchema.ForeignKey] = []
    for key in table.foreignKeys.reversed() where isChanged(key.columns) {
      let values = key.columns.compactMap { name in changed.first { SchemaName.same($0.column, name) }?.value }
      let there = columns(of: key)
      // Where not all values are known, it is by the others that the key is broken or not.
      guard values.count == key.columns.count, there.count == values.count else {
        possible.append(key)
        continue
      }
      if values.contains(.null) { continue }
      if try lookup(there, key.table, there, values).isEmpty { possible = [key]; break }
    }
    guard possible.count == 1, let key = possible.first else { return nil }
    return .pointsNowhere(entity: entity.name, attributes: entity.names(of: key.columns), table: key.table)
  }

  /// A row that the new one points to and that is not there.
  private func missing(_ values: [StoredValue], of entity: EntityDescription, _ table: StoreSchema.Table) throws -> DAOError? {
    // SQLite lists the one first that was declared last.
    for key in table.foreignKeys.reversed() {
      let (here, there) = (entity.values(values, of: key.columns), columns(of: key))
      guard there.count == here.count, !here.contains(.null) else { continue }
      // A row may point to itself.
      if SchemaName.same(key.table, table.name), entity.values(values, of: there) == here { continue }
      if try lookup(there, key.table, there, here).isEmpty {
        return .pointsNowhere(entity: entity.name, attributes: entity.names(of: key.columns), table: key.table)
      }
    }
    return nil
  }

  /// Rows that point to values which the row is to lose.
  private func pointing(to values: [StoredValue], of entity: EntityDescription, _ table: StoreSchema.Table) throws -> DAOError? {
    let key = entity.keyAttributes.compactMap { attribute in entity.position(of: attribute.name).map { values[$0] } }
    return try pointing(to: table, entity, key: key, \.onUpdate) { column, old in entity.values(values, of: [column]) != [old] }
  }

  /// The first rows that point to one and may not be left behind.
  /// - Parameters:
  ///   - action: what a foreign key does when the row goes, or changes.
  ///   - isLost: whether a column of the row is to lose its value.
  private func pointing(
    to table: StoreSchema.Table, _ entity: EntityDescription, key: [StoredValue], _ action: KeyPath<StoreSchema.ForeignKey, String>,
    _ isLost: (_ column: String, _ old: StoredValue) -> Bool
  ) throws -> DAOError? {
    let keyColumns = entity.keyAttributes.map(\.column)
    guard keyColumns.count == key.count, !key.contains(.null) else { return nil }
    for (other, foreign) in keys(to: table) where Self.denies(foreign[keyPath: action]) {
      let there = columns(of: foreign)
      guard there.count == foreign.columns.count, let old = try lookup(there, table.name, keyColumns, key).first, !old.contains(.null),
        zip(there, old).contains(where: { isLost($0, $1) })
      else { continue }
      let isSame = SchemaName.same(other.name, table.name)
      let found = try lookup(isSame ? keyColumns : foreign.columns, other.name, foreign.columns, old)
      if found.contains(where: { !isSame || $0 != key }) {
        return .isPointedTo(entity: entity.name, attributes: entity.names(of: there), table: other.name, columns: foreign.columns)
      }
    }
    return nil
  }

  /// The key that keeps rows which would go along with others, where it can be no other.
  private func keeping(what table: StoreSchema.Table) -> DAOError? {
    var along: [StoreSchema.Table] = []
    var next = [table]
    while let table = next.popLast() {
      for (other, key) in keys(to: table)
      where SchemaName.capitals(key.onDelete) == "CASCADE" && !along.contains(where: { $0.name == other.name }) {
        along.append(other)
        next.append(other)
      }
    }
    let keeping = along.flatMap { table in keys(to: table).filter { SchemaName.capitals($0.key.onDelete) != "CASCADE" }.map { (table, $0) }
    }
    let hasDefaults = keys(to: table).contains { SchemaName.capitals($0.key.onDelete) == "SET DEFAULT" }
    guard !hasDefaults, keeping.count == 1, let (lost, (other, key)) = keeping.first, Self.denies(key.onDelete) else { return nil }
    return .isPointedTo(entity: lost.name, attributes: columns(of: key), table: other.name, columns: key.columns)
  }

  /// Whether a row that is pointed to can't go, or change.
  private static func denies(_ action: String) -> Bool { ["NO ACTION", "RESTRICT"].contains(SchemaName.capitals(action)) }

  /// The foreign keys that lead to a table, each with the table that has it.
  private func keys(to table: StoreSchema.Table) -> [(table: StoreSchema.Table, key: StoreSchema.ForeignKey)] {
    schema.tables.flatMap { other in other.foreignKeys.reversed().filter { SchemaName.same($0.table, table.name) }.map { (other, $0) } }
  }

  /// The columns that a foreign key leads to.
  private func columns(of key: StoreSchema.ForeignKey) -> [String] {
    key.targetColumns.isEmpty ? schema[key.table]?.primaryKey ?? [] : key.targetColumns
  }
}

extension Connection {
  /// The error with attribute and table, where it is that of a foreign key and they can be told.
  func naming(_ error: any Error, _ write: @autoclosure () -> KeyedWrite?, of entity: EntityDescription) -> any Error {
    guard case DAOError.constraint(.foreignKey, _, let attributes, _) = error, attributes.isEmpty, let write = write(),
      let schema = try? schema(view: { _ in false })
    else { return error }
    let naming = ForeignKeyNaming(schema) { columns, table, matching, values in
      let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
      let condition = matching.map { "\($0.quotedIdentifier) = ?" }.joined(separator: " AND ")
      return try self.rows(SQLStatement("SELECT \(list) FROM \(table.quotedIdentifier) WHERE \(condition) LIMIT 2", values))
    }
    return (try? naming.error(for: write, of: entity)) ?? error
  }
}

extension EntityDescription {
  /// The attributes of columns; a column's own name where no attribute has it.
  package func names(of columns: [String]) -> [String] {
    columns.map { column in attributes.first { SchemaName.same($0.column, column) }?.name ?? column }
  }

  /// The values that a row has in columns; null where no attribute has one.
  fileprivate func values(_ row: [StoredValue], of columns: [String]) -> [StoredValue] {
    columns.map { column in attributes.firstIndex { SchemaName.same($0.column, column) }.map { row[$0] } ?? .null }
  }
}
