import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB

extension MigrationRun {
  /// Whether a step can only be taken by rebuilding the table: `ADD COLUMN` wants a value for the rows there are, and has it from the
  /// default.
  func needsRebuild(_ step: Migration.Step) throws -> Bool {
    guard case .addColumn(let name) = step.change else { return step.needsRebuild }
    let entity = try entity(of: step)
    guard let attribute = entity.attribute(in: name) else { return false }
    let hasDefault = try attribute.defaultValue.map { try !attribute.type.stored($0).isNull } ?? false
    return !attribute.isOptional && !hasDefault || migration.filling(entity.name, attribute.name) != nil
  }

  /// Rebuilds a table with some changes, by SQLite's own procedure (sqlite.org/lang_altertable.html, section 7): a second table, its rows,
  /// the old one is dropped, the new one gets its name. Row ids, counters of generated keys, indexes and triggers stay, and so do all rules
  /// that no step is about.
  mutating func rebuild(_ table: String, _ steps: [Migration.Step]) throws {
    guard let first = steps.first else { return }
    let schema = try StoreSchema(reading: db) { _ in false }
    guard let old = schema[table] else { throw problem(first, "there is no such table") }
    var definition = try definition(of: table, first)
    for step in steps { try definition.apply(step.change, for: self.entity(of: step)) }

    // An index over a column that goes, goes with it.
    let dropped = steps.compactMap { if case .dropColumn(let name) = $0.change { name } else { nil } }
    let goingIndexes = old.indexes.filter { index in
      index.columns.contains { column in dropped.contains { SchemaName.same($0, column) } }
    }.map(\.name)
    let others = try Row.fetchAll(
      db,
      sql: """
        SELECT name, sql FROM main.sqlite_schema
        WHERE type IN ('index', 'trigger') AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY rowid
        """, arguments: [table]
    ).map { (name: $0["name"] as String, sql: $0["sql"] as String) }.filter { other in
      !goingIndexes.contains { SchemaName.same($0, other.name) }
    }
    let counter = try counter(of: table)
    let hasStatistics = try hasStatistics(table)

    let new = try db.freeName("dao_new_" + table)
    try execute(first, definition.sql(named: new, formerly: old.name))
    let count = try copy(old, to: new, steps)
    try execute(first, "DROP TABLE \(table.quotedIdentifier)")
    // Or SQLite would look through all views and triggers, which name a table that is not there for the moment.
    try db.run("PRAGMA legacy_alter_table = ON")
    defer { try? db.run("PRAGMA legacy_alter_table = OFF") }
    try execute(first, "ALTER TABLE \(new.quotedIdentifier) RENAME TO \(old.name.quotedIdentifier)")
    for other in others { try execute(first, other.sql) }
    if let counter { try set(counter, of: old.name) }
    if hasStatistics { try db.run("ANALYZE \(old.name.quotedIdentifier)") }
    rows[old.name] = count
  }

  /// Copies all rows, with their row ids.
  /// - Returns: how many there are.
  private func copy(_ old: StoreSchema.Table, to new: String, _ steps: [Migration.Step]) throws -> Int {
    guard let first = steps.first, let table = try StoreSchema(reading: db, view: { _ in false })[new] else { return 0 }
    var (targets, sources, values): ([String], [String], [StoredValue]) = ([], [], [])
    var functions: [ConversionFunction] = []
    defer { functions.forEach { $0.remove(from: db) } }
    if let source = old.hiddenRowID, let target = table.hiddenRowID {
      targets.append(target)
      sources.append(source)
    }
    for column in table.columns where !column.isGenerated {
      // Several entities may have the column; the hints may be another's than the first's.
      let owners = entities.filter { SchemaName.same($0.table, old.name) }.compactMap { entity in
        entity.attribute(in: column.name).map { (entity: entity, attribute: $0) }
      }
      let owner = owners.first { migration.conversion($0.entity.name, $0.attribute.name) != nil } ?? owners.first
      let filling = owners.lazy.compactMap { migration.filling($0.entity.name, $0.attribute.name) }.first
      guard let source = old[column.name] else {
        guard let attribute = owner?.attribute, let filling else { continue }
        targets.append(column.name.quotedIdentifier)
        sources.append("?")
        values.append(try attribute.type.stored(filling))
        continue
      }
      targets.append(column.name.quotedIdentifier)
      let quoted = column.name.quotedIdentifier
      if let owner, steps.contains(where: { $0.changesType(of: column.name) }) {
        let conversion = ValueConversion(owner.attribute, of: owner.entity, from: source, of: old, migration)
        let function = ConversionFunction("dao_migrated_\(functions.count)", conversion, in: db)
        functions.append(function)
        sources.append("\(function.name)(\(quoted))")
      } else if let attribute = owner?.attribute, !attribute.isOptional, let filling {
        sources.append("coalesce(\(quoted), ?)")
        values.append(try attribute.type.stored(filling))
      } else {
        sources.append(quoted)
      }
    }
    let expected = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(old.name.quotedIdentifier)") ?? 0
    try execute(
      first,
      "INSERT INTO \(new.quotedIdentifier) (\(targets.joined(separator: ", "))) SELECT \(sources.joined(separator: ", ")) "
        + "FROM \(old.name.quotedIdentifier)", values)
    let found = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(new.quotedIdentifier)") ?? 0
    // A rule with ON CONFLICT IGNORE or REPLACE passes over rows without a word.
    guard found == expected else { throw problem(first, "\(expected - found) of \(expected) rows would be lost to the table's own rules") }
    return found
  }

  /// The last key that an AUTOINCREMENT table has given.
  private func counter(of table: String) throws -> Int64? {
    guard try db.has("sqlite_sequence") else { return nil }
    return try Int64.fetchOne(db, sql: "SELECT seq FROM main.sqlite_sequence WHERE name = ? COLLATE NOCASE", arguments: [table])
  }

  private func set(_ counter: Int64, of table: String) throws {
    try db.execute(sql: "UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?", arguments: [counter, table])
    if db.changesCount == 0 {
      try db.execute(sql: "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, counter])
    }
  }

  private func hasStatistics(_ table: String) throws -> Bool {
    guard try db.has("sqlite_stat1") else { return false }
    return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM main.sqlite_stat1 WHERE tbl = ? COLLATE NOCASE)", arguments: [table])
      ?? false
  }
}

extension Migration.Step {
  /// Whether a column's values get another type.
  func changesType(of column: String) -> Bool {
    switch change {
    case .changeType(let name, _, _): SchemaName.same(name, column)
    default: false
    }
  }
}

extension StoreSchema.Table {
  /// The name of a row id that is no column: a search table and the like count by it.
  fileprivate var hiddenRowID: String? {
    guard !isWithoutRowID, integerPrimaryKey == nil else { return nil }
    return ["rowid", "_rowid_", "oid"].first { self[$0] == nil }
  }
}
