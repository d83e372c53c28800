import DAOCriteria
import DAOSQL
import GRDB
import GRDBSQLite

extension StoreSchema {
  /// Reads the schema of the database's main file: tables and views, without SQLite's own (`sqlite_…`), virtual ones and their shadows, and
  /// the bootstrapper's stamp. A search table is told with its table.
  ///
  /// A view over something that is no longer there has no columns; it does not stand in the way of the others.
  /// - Throws: the engine's error.
  init(reading db: Database) throws {
    let all = try Listed.all(in: db)
    self.init(tables: try all.tables.map { try Table($0, all.searches, in: db) })
  }

  /// Reads what ``differences(from:)`` asks of the schema for these entities, and no other table: their own tables and views, and those
  /// whose key a foreign key of theirs leaves unnamed.
  /// - Throws: the engine's error.
  init(reading db: Database, for entities: [EntityDescription]) throws {
    let listed = try Listed.all(in: db)
    var unread = listed.tables
    func read(_ names: some Sequence<String>) throws -> [Table] {
      // Folds more than SQLite does, and so finds a table too many at worst.
      let names = Set(names.map { $0.lowercased() })
      let end = unread.partition { names.contains($0.name.lowercased()) }
      defer { unread.removeSubrange(end...) }
      return try unread[end...].map { try Table($0, listed.searches, in: db) }
    }
    let own = try read(entities.lazy.map(\.table))
    let targets = try read(own.lazy.flatMap(\.foreignKeys).filter { $0.targetColumns.isEmpty }.map(\.table))
    self.init(tables: own + targets)
  }
}

/// A table or view as `table_list` has it.
private struct Listed {
  let name: String
  let isView: Bool
  let isWithoutRowID: Bool
  let isStrict: Bool

  /// The tables and views, and the names of virtual tables that may be search tables.
  static func all(in db: Database) throws -> (tables: [Listed], searches: [String]) {
    var (tables, searches): ([Listed], [String]) = ([], [])
    // schema, name, type, ncol, wr, strict
    let all = try db.bareRows("PRAGMA main.table_list") { row in
      let type = row.text(2)
      return (type, listed: Listed(name: row.text(1), isView: type == "view", isWithoutRowID: row.bool(4), isStrict: row.bool(5)))
    }
    for (type, listed) in all {
      if type == "virtual" { searches.append(listed.name) }
      guard type == "table" || type == "view", !listed.name.lowercased().hasPrefix("sqlite_"), listed.name != SeedStamp.table else {
        continue
      }
      tables.append(listed)
    }
    return (tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }, searches)
  }
}

extension StoreSchema.Table {
  fileprivate init(_ listed: Listed, _ searches: [String], in db: Database) throws {
    let name = listed.name
    if listed.isView {
      self.init(name: name, isView: true, columns: (try? Self.columns(of: name, in: db)) ?? [])
      return
    }
    self.init(
      name: name, columns: try Self.columns(of: name, in: db), indexes: try Self.indexes(of: name, in: db),
      foreignKeys: try Self.foreignKeys(of: name, in: db), isWithoutRowID: listed.isWithoutRowID, isStrict: listed.isStrict,
      search: try Self.search(of: name, among: searches, in: db))
  }

  private static func columns(of table: String, in db: Database) throws -> [StoreSchema.Column] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    try db.bareRows("PRAGMA main.table_xinfo(\(table.quotedIdentifier))") { row in
      let name = row.text(1)
      return StoreSchema.Column(
        name: name, declaredType: row.text(2), isNotNull: row.bool(3), defaultSQL: row.optionalText(4),
        primaryKeyPosition: Int(row.integer(5)),
        // 1 is a virtual table's hidden column, 2 and 3 are generated ones (sqlite.org/pragma.html#pragma_table_xinfo).
        isGenerated: row.integer(6) > 1, collation: collation(of: name, in: table, db))
    }
  }

  /// The collation that a column was declared with, which no pragma tells. A view's columns have none.
  private static func collation(of column: String, in table: String, _ db: Database) -> String {
    var name: UnsafePointer<CChar>?
    guard sqlite3_table_column_metadata(db.sqliteConnection, "main", table, column, nil, &name, nil, nil, nil) == SQLITE_OK, let name else {
      return "BINARY"
    }
    return String(cString: name).uppercased()
  }

  private static func indexes(of table: String, in db: Database) throws -> [StoreSchema.Index] {
    // seq, name, unique, origin, partial
    try db.bareRows("PRAGMA main.index_list(\(table.quotedIdentifier))") { row in
      let name = row.text(1)
      let isPartial = row.bool(4)
      let origin: StoreSchema.Index.Origin =
        switch row.text(3) {
        case "pk": .primaryKey
        case "u": .unique
        default: .statement
        }
      // seqno, cid, name, desc, coll, key; an expression has no name, and what is no part of the key is there to find the row.
      let parts = try db.bareRows("PRAGMA main.index_xinfo(\(name.quotedIdentifier))") { part in
        (column: part.optionalText(2), isDescending: part.bool(3), isBinary: part.text(4) == "BINARY", isKey: part.bool(5))
      }.filter(\.isKey)
      let columns = parts.compactMap(\.column)
      return StoreSchema.Index(
        name: name, columns: columns, descending: parts.filter(\.isDescending).compactMap(\.column), isUnique: row.bool(2), origin: origin,
        isPlain: !isPartial && columns.count == parts.count && parts.allSatisfy(\.isBinary))
    }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func search(of table: String, among searches: [String], in db: Database) throws -> StoreSchema.SearchTable? {
    let name = EntityDescription.searchTable(of: table)
    guard searches.contains(name) else { return nil }
    // Hidden ones are FTS5's own.
    let columns = try db.bareRows("PRAGMA main.table_xinfo(\(name.quotedIdentifier))") { row -> String? in row.bool(6) ? nil : row.text(1) }
    let statements = try db.bareRows("SELECT type, tbl_name, sql FROM main.sqlite_schema WHERE rootpage = 0") { row -> String? in
      row.text(1) == (row.text(0) == "trigger" ? table : name) ? row.text(2) : nil
    }
    // FTS5 keeps the lengths of each row; what is no FTS5 has no such table.
    let isBehind = try? db.bareRows(
      "SELECT EXISTS (SELECT 1 FROM main.\(table.quotedIdentifier)) AND NOT EXISTS (SELECT 1 FROM main.\((name + "_docsize").quotedIdentifier))"
    ) { $0.bool(0) }
    return StoreSchema.SearchTable(
      columns: columns.compactMap { $0 }, statements: statements.compactMap { $0 }, isBehind: isBehind == [true])
  }

  private static func foreignKeys(of table: String, in db: Database) throws -> [StoreSchema.ForeignKey] {
    // id, seq, table, from, to, on_update, on_delete, match; the columns of one key have one id, and follow each other.
    let rows = try db.bareRows("PRAGMA main.foreign_key_list(\(table.quotedIdentifier))") { row in
      (id: row.integer(0), table: row.text(2), from: row.text(3), to: row.optionalText(4), onDelete: row.text(6))
    }
    return Dictionary(grouping: rows, by: \.id).sorted { $0.key < $1.key }.compactMap { _, parts in
      guard let first = parts.first else { return nil }
      return StoreSchema.ForeignKey(
        columns: parts.map(\.from), table: first.table, targetColumns: parts.compactMap(\.to), onDelete: first.onDelete)
    }
  }
}
