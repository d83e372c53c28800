import DAOCriteria

/// Finds which foreign key a write has broken, since SQLite says no more than that one was: the store is asked which row is missing, or is
/// in the way. The write has been taken back. A key is named where it can be no other, whatever triggers have done; rows that a table's own
/// `ON CONFLICT REPLACE` removes are not searched.
package struct ForeignKeyNaming {
  /// How the store is asked.
  package struct Questions {
    /// A few rows of a table for which columns have values: the values of other columns.
    package typealias Lookup = (
      _ columns: [String], _ table: String, _ matching: [String], _ values: [StoredValue]
    ) throws -> [[StoredValue]]
    /// Returns whether other rows point to the row of a table that has the given values in some columns.
    package typealias Pointing = (
      _ pointer: KeyedWrite.Pointer, _ table: String, _ matching: [String], _ values: [StoredValue]
    ) throws -> Bool

    let lookup: Lookup
    let arePointing: Pointing

    /// Two functions that ask a store.
    package init(lookup: @escaping Lookup, arePointing: @escaping Pointing) {
      self.lookup = lookup
      self.arePointing = arePointing
    }
  }

  private let schema: StoreSchema
  private let triggers: [FiredTriggers.Trigger]
  private let deferring: Set<SchemaName>
  private let questions: Questions

  /// - Parameters:
  ///   - triggers: those of the store.
  ///   - deferring: the tables that have keys which are checked when a transaction ends.
  package init(
    _ schema: StoreSchema, triggers: [FiredTriggers.Trigger] = [], deferring: Set<SchemaName> = [], _ questions: Questions
  ) {
    self.schema = schema
    self.triggers = triggers
    self.deferring = deferring
    self.questions = questions
  }

  /// The error with attribute and table; nil where they can't be determined for certain.
  package func error(for write: KeyedWrite, of entity: EntityDescription) throws -> DAOError? {
    guard let table = schema[entity.table] else { return nil }
    let fired = FiredTriggers(of: table, in: schema, triggers)
    switch write {
    case .row(let values, let setting): return try missing(values, setting: setting, of: entity, table, fired)
    case .deletion(let key):
      let keyColumns = entity.keyAttributes.map(\.column)
      guard keyColumns.count == key.count, !key.contains(.null) else { return nil }
      return try keeping(table, of: entity, fired) { try questions.arePointing($0, table.name, keyColumns, key) }
    case .deletions(let arePointedTo): return try keeping(table, of: entity, fired, arePointedTo)
    case .change(let changes): return try missing(changes, of: entity, table, fired)
    }
  }

  /// A row that those which were changed alike would point to and that is not there.
  private func missing(
    _ changes: [(attribute: String, value: StoredValue?)], of entity: EntityDescription, _ table: StoreSchema.Table, _ fired: FiredTriggers
  ) throws -> DAOError? {
    let changed = changes.compactMap { change in entity[change.attribute].map { (column: $0.column, value: change.value) } }
    // So may be each generated column.
    func isChanged(_ columns: [String]) -> Bool {
      columns.contains { name in table[name]?.isGenerated == true || changed.contains { SchemaName.same($0.column, name) } }
    }
    // Rows may point to what they have lost.
    let pointing = keys(to: table).filter { isChanged(schema.columns(of: $0.key)) }
    if let (other, key) = pointing.first {
      guard pointing.count == 1, key.denies(\.onUpdate), fired.isEmpty, !table.foreignKeys.contains(where: { isChanged($0.columns) }) else {
        return nil
      }
      return .isPointedTo(
        entity: entity.name, attributes: entity.names(of: schema.columns(of: key)), table: other.name, columns: key.columns)
    }
    var possible: [StoreSchema.ForeignKey] = []
    for key in table.foreignKeys.reversed() where isChanged(key.columns) {
      let values = key.columns.compactMap { name in changed.first { SchemaName.same($0.column, name) }?.value }
      let there = schema.columns(of: key)
      // If some values are unknown, the known ones decide whether the key is broken.
      guard values.count == key.columns.count, there.count == values.count else {
        possible.append(key)
        continue
      }
      if values.contains(.null) { continue }
      if try questions.lookup(there, key.table, there, values).isEmpty {
        if !mayRepair(key, of: table, fired), !mayDefer(table) { return pointsNowhere(key, of: entity) }
        possible.append(key)
      }
    }
    guard possible.count == 1, fired.isEmpty, let key = possible.first else { return nil }
    return pointsNowhere(key, of: entity)
  }

  /// A row that the new one points to and that is not there.
  private func missing(
    _ values: [StoredValue], setting: [String]?, of entity: EntityDescription, _ table: StoreSchema.Table, _ fired: FiredTriggers
  ) throws -> DAOError? {
    // SQLite lists the one first that was declared last.
    let missing = try table.foreignKeys.reversed().compactMap { key -> (key: StoreSchema.ForeignKey, isSure: Bool)? in
      let (here, there) = (entity.values(values, of: key.columns), schema.columns(of: key))
      guard there.count == here.count, !here.contains(.null), try questions.lookup(there, key.table, there, here).isEmpty else {
        return nil
      }
      // A row may point to itself.
      let mayBeItself =
        SchemaName.same(key.table, table.name) && table.mayEqual(entity.values(values, of: there), here, in: there, of: entity)
      // A column that is not written breaks nothing.
      let isWritten = setting.map { Set(entity.names(of: key.columns)).isSubset(of: $0) } ?? true
      return (key, isWritten && !mayBeItself && !mayRepair(key, of: table, fired))
    }
    if let sure = missing.first(where: \.isSure), !mayDefer(table) { return pointsNowhere(sure.key, of: entity) }
    // The row that was met may have another key.
    if setting != nil { return nil }
    // Of a row that is only now to get its key, no other can be in the way, nor of one to which none point.
    let isNew = entity.hasGeneratedKey && entity.values(values, of: entity.keyAttributes.map(\.column)) == [.null]
    if !isNew, !keys(to: table).isEmpty { return try pointing(to: values, of: entity, table, fired) }
    return missing.count == 1 && fired.isEmpty ? pointsNowhere(missing[0].key, of: entity) : nil
  }

  /// Whether a trigger may have made a row point to one that exists after all, or may have removed it.
  private func mayRepair(_ key: StoreSchema.ForeignKey, of table: StoreSchema.Table, _ fired: FiredTriggers) -> Bool {
    fired.mayAddRows(to: key.table) || fired.maySet(schema.columns(of: key), of: key.table) || fired.maySet(key.columns, of: table.name)
      || fired.mayRemoveRows(of: table)
  }

  /// Whether keys of a table may be checked when the transaction ends only, and have not failed in a statement.
  private func mayDefer(_ table: StoreSchema.Table) -> Bool { deferring.contains(SchemaName(table.name)) }

  /// Rows that point to values which the row is to lose.
  private func pointing(
    to values: [StoredValue], of entity: EntityDescription, _ table: StoreSchema.Table, _ fired: FiredTriggers
  ) throws -> DAOError? {
    let keyColumns = entity.keyAttributes.map(\.column)
    let key = entity.values(values, of: keyColumns)
    guard !key.contains(.null) else { return nil }
    for (other, foreign) in keys(to: table) where foreign.denies(\.onUpdate) && stays(other, beside: [table], \.onUpdate, fired) {
      let there = schema.columns(of: foreign)
      if mayDefer(other) || mayBeBack(there, of: table, fired) { continue }
      guard there.count == foreign.columns.count, try !questions.lookup(there, table.name, keyColumns, key).isEmpty else { continue }
      // The columns' own collations say whether a value is another.
      let new = entity.values(values, of: there)
      guard try questions.lookup(there, table.name, keyColumns + there, key + new).isEmpty else { continue }
      let pointer = KeyedWrite.Pointer(table: other.name, columns: foreign.columns, target: there)
      if try questions.arePointing(pointer, table.name, keyColumns, key) { return isPointedTo(table, of: entity, by: foreign, of: other) }
    }
    return nil
  }

  /// Whether a trigger may have given a table again what its rows were pointed to by, or may have kept it.
  private func mayBeBack(_ columns: [String], of table: StoreSchema.Table, _ fired: FiredTriggers) -> Bool {
    fired.mayAddRows(to: table.name) || fired.maySet(columns, of: table.name) || fired.mayIgnoreRows(of: table)
  }

  /// The key that keeps rows from being deleted, or rows that would be deleted along with them, where it can be no other.
  /// - Parameter arePointedTo: whether rows that stay point to those that were to be deleted.
  private func keeping(
    _ table: StoreSchema.Table, of entity: EntityDescription, _ fired: FiredTriggers,
    _ arePointedTo: (KeyedWrite.Pointer) throws -> Bool
  ) throws -> DAOError? {
    func isPointing(_ other: StoreSchema.Table, _ key: StoreSchema.ForeignKey) throws -> Bool {
      let there = schema.columns(of: key)
      return try there.count == key.columns.count
        && arePointedTo(KeyedWrite.Pointer(table: other.name, columns: key.columns, target: there))
    }
    let direct = keys(to: table)
    let along = try deletedAlong(with: direct.filter { try $0.key.cascades && isPointing($0.table, $0.key) }.map(\.table))
    let denying = try direct.filter { try $0.key.denies(\.onDelete) && isPointing($0.table, $0.key) }
    if !denying.isEmpty {
      // A key that is checked later is not what failed now, where another may be.
      let areAll = try direct.allSatisfy { try $0.key.denies(\.onDelete) || !isPointing($0.table, $0.key) }
      if denying.contains(where: { mayDefer($0.table) }), denying.count > 1 || !areAll || !fired.isEmpty { return nil }
      // Rows that are deleted along by another of their keys are in nobody's way.
      let sure = denying.first {
        stays($0.table, beside: [table] + along, \.onDelete, fired) && !mayBeBack(schema.columns(of: $0.key), of: table, fired)
      }
      return sure.map { isPointedTo(table, of: entity, by: $0.key, of: $0.table) }
    }
    guard fired.isEmpty else { return nil }
    let below = along.flatMap { lost in keys(to: lost).filter { !$0.key.cascades }.map { (lost: lost, other: $0.table, key: $0.key) } }
    let defaults = try direct.filter { try SchemaName.capitals($0.key.onDelete) == "SET DEFAULT" && isPointing($0.table, $0.key) }
    guard below.count + defaults.count == 1 else { return nil }
    if let (other, key) = defaults.first {
      // A row that pointed to the value before, or another key with the column, may be what is against it.
      func hasOne(_ columns: [String]) -> Bool { columns.contains { name in key.columns.contains { SchemaName.same($0, name) } } }
      guard !keys(to: other).contains(where: { hasOne(schema.columns(of: $0.key)) }),
        other.foreignKeys.filter({ hasOne($0.columns) }).count == 1
      else { return nil }
      return .defaultPointsNowhere(entity: other.name, attributes: key.columns, table: table.name)
    }
    guard let (lost, other, key) = below.first, key.denies(\.onDelete) else { return nil }
    return .isPointedTo(entity: lost.name, attributes: schema.columns(of: key), table: other.name, columns: key.columns)
  }

  /// Tables, and those whose rows are deleted with theirs.
  private func deletedAlong(with tables: [StoreSchema.Table]) -> [StoreSchema.Table] {
    var along: [StoreSchema.Table] = []
    var next = tables
    while let table = next.popLast() {
      if along.contains(where: { $0.name == table.name }) { continue }
      along.append(table)
      next += keys(to: table).filter(\.key.cascades).map(\.table)
    }
    return along
  }

  /// Whether the rows of a table that point to others still do when those have been deleted, or changed.
  private func stays(
    _ table: StoreSchema.Table, beside others: [StoreSchema.Table], _ action: KeyPath<StoreSchema.ForeignKey, String>,
    _ fired: FiredTriggers
  ) -> Bool {
    let isLeftAlone = table.foreignKeys.allSatisfy { key in
      key.denies(action) || !others.contains { SchemaName.same($0.name, key.table) }
    }
    return isLeftAlone && !fired.mayChangeRows(of: table.name)
  }

  private func pointsNowhere(_ key: StoreSchema.ForeignKey, of entity: EntityDescription) -> DAOError {
    .pointsNowhere(entity: entity.name, attributes: entity.names(of: key.columns), table: key.table)
  }

  private func isPointedTo(
    _ table: StoreSchema.Table, of entity: EntityDescription, by key: StoreSchema.ForeignKey, of other: StoreSchema.Table
  ) -> DAOError {
    .isPointedTo(entity: entity.name, attributes: entity.names(of: schema.columns(of: key)), table: other.name, columns: key.columns)
  }

  /// The foreign keys that lead to a table, each with the table that has it.
  private func keys(to table: StoreSchema.Table) -> [(table: StoreSchema.Table, key: StoreSchema.ForeignKey)] {
    schema.tables.flatMap { other in other.foreignKeys.reversed().filter { SchemaName.same($0.table, table.name) }.map { (other, $0) } }
  }
}

extension StoreSchema.Table {
  /// Whether values may be equal in columns: texts whose collation is not that of their bytes may be spelled differently, and a column may
  /// make a number of a text, or another number of one.
  fileprivate func mayEqual(_ a: [StoredValue], _ b: [StoredValue], in columns: [String], of entity: EntityDescription) -> Bool {
    zip(columns, zip(a, b)).allSatisfy { column, values in
      if values.0 == values.1 { return true }
      switch values {
      // A key or a column may be generated, and what no attribute has may be a default.
      case (.null, _):
        let attribute = entity.attributes.first { SchemaName.same($0.column, column) }
        return attribute.map { $0.isGenerated || entity.hasGeneratedKey && entity.key.attributes == [$0.name] } ?? true
      case (.integer, .integer), (.real, .real), (.blob, .blob): return false
      case (.text, .text): return (self[column]?.collation).map { SchemaName.capitals($0) != "BINARY" } ?? false
      default: return true
      }
    }
  }
}

extension EntityDescription {
  /// The attributes of columns; a column's own name where no attribute has it.
  package func names(of columns: [String]) -> [String] {
    columns.map { column in attributes.first { SchemaName.same($0.column, column) }?.name ?? column }
  }

  /// The values that a row has in columns; null where no attribute has one, or the store computes it.
  fileprivate func values(_ row: [StoredValue], of columns: [String]) -> [StoredValue] {
    columns.map { column in attributes.firstIndex { SchemaName.same($0.column, column) && !$0.isGenerated }.map { row[$0] } ?? .null }
  }
}
