import DAOSQL
import GRDB
import GRDBSQLite

extension StoreSchema {
  /// Reads the schema of the database's main file: tables and views, without SQLite's own (`sqlite_…`), virtual ones and their shadows, and
  /// the bootstrapper's stamp.
  ///
  /// A view over something that is no longer there has no columns; it does not stand in the way of the others.
  /// - Throws: the engine's error.
  init(reading db: Database) throws {
    let list = try Row.fetchAll(
      db, sql: "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view') ORDER BY name")
    let tables = try list.compactMap { row -> Table? in
      let name: String = row["name"]
      guard !name.lowercased().hasPrefix("sqlite_"), name != SeedStamp.table else { return nil }
      guard row["type"] == "table" else {
        return Table(name: name, isView: true, columns: (try? Self.columns(of: name, in: db)) ?? [])
      }
      return Table(
        name: name, columns: try Self.columns(of: name, in: db), indexes: try Self.indexes(of: name, in: db),
        foreignKeys: try Self.foreignKeys(of: name, in: db), isWithoutRowID: row["wr"])
    }
    self.init(tables: tables)
  }

  private static func columns(of table: String, in db: Database) throws -> [Column] {
    // Hidden: 1 is a virtual table's hidden column, 2 and 3 are generated ones (sqlite.org/pragma.html#pragma_table_xinfo).
    try Row.fetchAll(
      db, sql: #"SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid"#, arguments: [table]
    ).map { row in
      let hidden: Int = row["hidden"]
      return Column(
        name: row["name"], declaredType: row["type"], isNotNull: row["notnull"], defaultSQL: row["dflt_value"],
        primaryKeyPosition: row["pk"],
        isGenerated: hidden > 1, collation: collation(of: row["name"], in: table, db))
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

  private static func indexes(of table: String, in db: Database) throws -> [Index] {
    try Row.fetchAll(
      db, sql: #"SELECT name, "unique", origin, partial FROM pragma_index_list(?) ORDER BY name"#, arguments: [table]
    ).map { row in
      let name: String = row["name"]
      let columns = try Row.fetchAll(db, sql: "SELECT name, coll FROM pragma_index_xinfo(?) WHERE key ORDER BY seqno", arguments: [name])
      let names = columns.compactMap { $0["name"] as String? }
      let isPartial: Bool = row["partial"]
      let origin: Index.Origin =
        switch row["origin"] as String {
        case "pk": .primaryKey
        case "u": .unique
        default: .statement
        }
      return Index(
        name: name, columns: names, isUnique: row["unique"], origin: origin,
        isPlain: !isPartial && names.count == columns.count && columns.allSatisfy { $0["coll"] == "BINARY" })
    }
  }

  private static func foreignKeys(of table: String, in db: Database) throws -> [ForeignKey] {
    let rows = try Row.fetchAll(
      db, sql: #"SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq"#, arguments: [table])
    return Dictionary(grouping: rows) { $0["id"] as Int }.sorted { $0.key < $1.key }.compactMap { _, parts in
      guard let first = parts.first else { return nil }
      return ForeignKey(
        columns: parts.map { $0["from"] }, table: first["table"], targetColumns: parts.compactMap { $0["to"] }, onDelete: first["on_delete"]
      )
    }
  }
}
