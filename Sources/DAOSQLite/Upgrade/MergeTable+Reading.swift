import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB
import GRDBSQLite

extension MergeTable {
  /// The store's tables, and what the attached seeds have of them.
  ///
  /// Columns that the seed alone has are not merged; see ``SchemaUpgrade``.
  /// - Throws: ``DAOError/schemaMismatch(store:differences:)`` where the seed has another key than the store.
  static func all(
    in db: Database, store: String, naturalKeys: Set<SchemaName>, versions: [SchemaName: SchemaName]
  ) throws -> [MergeTable] {
    let schema = try StoreSchema(reading: db) { _ in false }
    let tables = schema.tables.filter { !$0.isView }
    let base = try SeedTable.all(in: .base, db)
    let seed = try SeedTable.all(in: .seed, db)
    var differences: [SchemaDifference] = []
    var merged: [MergeTable] = []
    for (number, table) in tables.enumerated() {
      let (inBase, inSeed) = (base[table.name.foldedName], seed[table.name.foldedName])
      merged.append(try MergeTable(table, number, inBase, inSeed, naturalKeys, versions[table.name.foldedName], db))
      if let inSeed { differences += self.differences(table, inSeed, inBase) }
    }
    guard differences.isEmpty else { throw DAOError.schemaMismatch(store: store, differences: differences) }
    for table in tables.indices {
      merged[table].references = tables[table].foreignKeys.compactMap { key in
        reference(key, from: merged[table], tables[table], schema, merged)
      }
      merged[table].columnsToNoTable = tables[table].foreignKeys.compactMap { key in
        if merged.contains(where: { $0.name.foldedName == key.table.foldedName }) { return nil }
        let columns = merged[table].positions(of: key.columns)
        // One that is computed is left to the check at the end.
        return columns.count == key.columns.count ? columns : nil
      }
      let referring = merged[table].references.flatMap(\.columns)
      if !Set(merged[table].key.positions).isDisjoint(with: referring) { merged[table].generatesKeys = false }
    }
    return merged
  }

  private init(
    _ table: StoreSchema.Table, _ number: Int, _ inBase: SeedTable?, _ inSeed: SeedTable?, _ naturalKeys: Set<SchemaName>,
    _ version: SchemaName?, _ db: Database
  ) throws {
    self.number = number
    name = table.name
    nameInBase = inBase?.name
    nameInSeed = inSeed?.name
    columns = table.columns.filter { !$0.isGenerated }.map { column in
      let folded = column.name.foldedName
      return Column(
        name: column.name, collation: column.collation, defaultSQL: column.defaultSQL.map(SQLLiteral.expression) ?? "NULL",
        isInBase: inBase?.columns.contains(folded) ?? false, isInSeed: inSeed?.columns.contains(folded) ?? false)
    }
    let indexes = try UniqueIndex.all(of: table.name, in: db)
    let position = { [columns] (name: String) in columns.firstIndex { $0.name.foldedName == name.foldedName } }
    self.version = version.flatMap { [columns] version in columns.firstIndex { $0.name.foldedName == version } }
    let keyPositions = table.primaryKey.compactMap(position)
    // A row id, and the rows of a table without row ids, have no index of the key's own that says more than the columns do.
    let keyIndex = indexes.first { $0.isKey }?.columns(position)
    let keyColumns = keyIndex ?? Columns(positions: keyPositions, collations: keyPositions.map { [columns] in columns[$0].collation })
    key = keyColumns
    mayHaveNullKeys =
      table.integerPrimaryKey == nil && !table.isWithoutRowID
      && table.primaryKey.contains { name in table[name]?.isNotNull == false }
    let taken = Set(table.columns.map(\.name.foldedName))
    let rowID = table.isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { !taken.contains($0.foldedName) }
    hasIntegerKey = table.integerPrimaryKey != nil
    generatesKeys = hasIntegerKey && !naturalKeys.contains(table.name.foldedName)
    let sql = try db.bareRows("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", binding: [.text(table.name)]) {
      $0.text(0)
    }
    hasConflictRules = sql.contains { $0.uppercased().contains("CONFLICT") }
    hasHiddenRowID = table.integerPrimaryKey == nil && rowID != nil
    if let name = table.integerPrimaryKey?.quotedIdentifier ?? rowID {
      identity = [(name, "")]
    } else {
      identity = zip(keyColumns.positions, keyColumns.collations).map { [columns] position, collation in
        (columns[position].quoted, Self.collate(collation))
      }
    }
    canTellRowsApart = table.integerPrimaryKey != nil || rowID != nil || table.isWithoutRowID
    hasForeignKeys = !table.foreignKeys.isEmpty
    // SQLite lists the newest first.
    uniques = indexes.filter { !$0.isKey }.compactMap { $0.columns(position) }.sorted {
      $0.positions.lexicographicallyPrecedes($1.positions)
    }
  }

  private static func differences(_ table: StoreSchema.Table, _ inSeed: SeedTable, _ inBase: SeedTable?) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    let key = table.primaryKey.map(\.foldedName)
    for side in [inSeed, inBase].compactMap({ $0 }) where Set(side.key) != Set(key) {
      let text = side.key.isEmpty ? "no key" : "the key (\(side.key.map(\.text).joined(separator: ", ")))"
      differences.append(
        SchemaDifference(
          entity: table.name, element: table.primaryKey.joined(separator: ", "), expected: "the seed's: \(text)", found: "another key"))
    }
    return differences
  }

  /// Nil where the table that it leads to is not there, or a column of it is computed: the check at the end still sees it.
  private static func reference(
    _ key: StoreSchema.ForeignKey, from table: MergeTable, _ described: StoreSchema.Table, _ schema: StoreSchema, _ all: [MergeTable]
  ) -> Reference? {
    guard let target = all.first(where: { $0.name.foldedName == key.table.foldedName }) else { return nil }
    let (columns, targets) = (table.positions(of: key.columns), target.positions(of: schema.columns(of: key)))
    guard !columns.isEmpty, columns.count == key.columns.count, targets.count == columns.count else { return nil }
    let folded = key.columns.map(\.foldedName)
    let lists = described.indexes.filter(\.isPlain).map(\.columns) + [described.primaryKey]
    return Reference(
      columns: columns, target: target.number,
      targetColumns: Columns(positions: targets, collations: targets.map { target.columns[$0].collation }),
      isIndexed: lists.contains { Set($0.prefix(folded.count).map(\.foldedName)) == Set(folded) },
      isToKey: Set(targets) == Set(target.key.positions)
        && zip(target.key.positions, target.key.collations).allSatisfy {
          target.columns[$0].collation == $1
        })
  }
}

extension MergeTable {
  /// The positions of those columns that can be written.
  fileprivate func positions(of names: [String]) -> [Int] {
    names.compactMap { name in columns.firstIndex { $0.name.foldedName == name.foldedName } }
  }
}

/// A table of an attached seed: its name, its writable columns and its key, folded.
private struct SeedTable {
  let name: String
  let columns: Set<SchemaName>
  let key: [SchemaName]

  static func all(in side: MergeSide, _ db: Database) throws -> [SchemaName: SeedTable] {
    let tables = try SchemaCatalog(of: db, side: side.rawValue).entries.filter {
      $0.kind == .table && $0.name.foldedName != SeedStamp.table.foldedName
    }
    return try Dictionary(
      tables.map(\.name).map { name in
        let columns = try db.bareRows("PRAGMA \(side.rawValue).table_xinfo(\(name.quotedIdentifier))") { row in
          (name: row.text(1).foldedName, place: row.integer(5), isGenerated: row.integer(6) > 1)
        }
        let key = columns.filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name)
        return (
          name.foldedName,
          SeedTable(name: name, columns: Set(columns.filter { !$0.isGenerated }.map(\.name)), key: key)
        )
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// An index that allows no two rows with the same values. One over a part of the rows or over expressions is left to SQLite: a row that
/// collides there stays out.
private struct UniqueIndex {
  let isKey: Bool
  private let names: [(column: String, collation: String)]

  static func all(of table: String, in db: Database) throws -> [UniqueIndex] {
    // seq, name, unique, origin, partial
    let listed = try db.bareRows("PRAGMA main.index_list(\(table.quotedIdentifier))") { row in
      (name: row.text(1), isUnique: row.bool(2), origin: row.text(3), isPartial: row.bool(4))
    }
    return try listed.filter { $0.isUnique && !$0.isPartial }.compactMap { index in
      // seqno, cid, name, desc, coll, key
      let parts = try db.bareRows("PRAGMA main.index_xinfo(\(index.name.quotedIdentifier))") { row in
        (column: row.optionalText(2), collation: row.text(4), isKey: row.bool(5))
      }.filter(\.isKey)
      let names = parts.compactMap { part in part.column.map { (column: $0, collation: part.collation.uppercased()) } }
      return names.count == parts.count ? UniqueIndex(isKey: index.origin == "pk", names: names) : nil
    }
  }

  private init(isKey: Bool, names: [(column: String, collation: String)]) {
    self.isKey = isKey
    self.names = names
  }

  func columns(_ position: (String) -> Int?) -> MergeTable.Columns? {
    let positions = names.compactMap { position($0.column) }
    return positions.count == names.count ? MergeTable.Columns(positions: positions, collations: names.map(\.collation)) : nil
  }
}

extension String {
  /// The name as SQLite compares it: without regard to the case of ASCII letters.
  var foldedName: SchemaName { SchemaName(self) }
}
