import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB

extension StoreSchema {
  /// Reads the schema of the database's main file: tables and views, without SQLite's own (`sqlite_…`), virtual ones and their shadows, and
  /// the bootstrapper's stamp. A search table is part of its table.
  ///
  /// A view that can't be compiled, or takes too much to compile, has no columns, and a ``Table/problem``; it does not stand in the way of
  /// the others.
  /// - Parameter isWanted: whether the columns of a view are read, by its name; SQLite compiles it for them.
  /// - Throws: the engine's error.
  init(reading db: Database, view isWanted: (String) -> Bool = { _ in true }) throws {
    var reader = try SchemaReader(db)
    let entries = reader.unread
    self.init(tables: try entries.map { try reader.table($0, view: isWanted) })
  }

  /// Reads what ``differences(from:)`` asks of the schema for these entities, and no other table: their own tables and views, and those
  /// whose key a foreign key of theirs leaves unnamed.
  /// - Throws: the engine's error.
  init(reading db: Database, for entities: [EntityDescription]) throws {
    var reader = try SchemaReader(db)
    let own = try reader.take(entities.map(\.table))
    let targets = try reader.take(own.flatMap(\.foreignKeys).filter { $0.targetColumns.isEmpty }.map(\.table))
    self.init(tables: own + targets)
  }

  /// Whether a table is declared `WITHOUT ROWID`.
  static func isWithoutRowID(_ table: String, in db: Database) throws -> Bool {
    // The columns of the primary key, where the table is kept as its index (sqlite.org/pragma.html#pragma_index_info).
    try !db.bareRows("PRAGMA main.index_xinfo(\(table.quotedIdentifier))") { _ in }.isEmpty
  }

  /// Whether a constraint or a trigger of a table may pass over a row without an error: ON CONFLICT IGNORE, RAISE(IGNORE). A comment that
  /// says the word costs time only.
  static func mayIgnoreRows(_ table: String, in db: Database) throws -> Bool {
    try db.bareRows(
      "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql LIKE '%IGNORE%')", binding: [.text(table)]
    ) { $0.bool(0) } == [true]
  }
}

/// Reads tables of a schema that is listed.
private struct SchemaReader {
  let db: Database
  /// The tables and views that have not been read, by name.
  private(set) var unread: [SchemaCatalog.Entry]
  private let catalog: SchemaCatalog
  private let searches: [String]
  // Counted when the first view is read.
  private var expansion: ViewExpansion?

  init(_ db: Database) throws {
    self.db = db
    catalog = try SchemaCatalog(of: db)
    searches = catalog.entries.filter { $0.kind == .virtual }.map(\.name)
    unread = catalog.entries.filter { ($0.kind == .table || $0.kind == .view) && !SchemaName.same($0.name, SeedStamp.table) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Reads those of some names that have not been read.
  mutating func take(_ names: [String]) throws -> [StoreSchema.Table] {
    let names = Set(names.map(SchemaName.init))
    let end = unread.partition { names.contains(SchemaName($0.name)) }
    defer { unread.removeSubrange(end...) }
    let taken = Array(unread[end...])
    return try taken.map { try table($0) { _ in true } }
  }

  mutating func table(_ entry: SchemaCatalog.Entry, view isWanted: (String) -> Bool) throws -> StoreSchema.Table {
    guard entry.kind == .view else { return try StoreSchema.Table(entry, searches, in: db) }
    return isWanted(entry.name) ? try view(entry.name) : StoreSchema.Table(name: entry.name, isView: true, columns: [])
  }

  private mutating func view(_ name: String) throws -> StoreSchema.Table {
    var (columns, problem): ([StoreSchema.Column], String?) = ([], nil)
    if expansion == nil { expansion = catalog.viewExpansion() }
    problem = expansion?.problem(of: name)
    if problem == nil {
      do { columns = try StoreSchema.Table.columns(of: name, in: db) } catch let error as DatabaseError
        where error.resultCode != .SQLITE_INTERRUPT
      { problem = error.message ?? "\(error)" }
    }
    return StoreSchema.Table(name: name, isView: true, columns: columns, problem: problem)
  }
}

extension StoreSchema.Table {
  fileprivate init(_ entry: SchemaCatalog.Entry, _ searches: [String], in db: Database) throws {
    let name = entry.name
    let columns = try Self.columns(of: name, in: db)
    self.init(
      name: name, columns: columns, indexes: try Self.indexes(of: name, over: columns, in: db),
      foreignKeys: try Self.foreignKeys(of: name, in: db), isWithoutRowID: entry.isWithoutRowID, isStrict: entry.isStrict)
    search = try Self.search(of: self, among: searches, in: db)
  }

  fileprivate static func columns(of table: String, in db: Database) throws -> [StoreSchema.Column] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    try db.bareRows("PRAGMA main.table_xinfo(\(table.quotedIdentifier))") { row in
      let (name, defaultSQL, hidden) = (row.text(1), row.optionalText(4), row.integer(6))
      return StoreSchema.Column(
        name: name, declaredType: row.text(2), isNotNull: row.bool(3), defaultSQL: defaultSQL,
        defaultValue: defaultSQL.flatMap(SQLLiteral.value), primaryKeyPosition: Int(row.integer(5)),
        // 1 is a virtual table's hidden column, 2 and 3 are generated ones, the first of which are computed when they are read
        // (sqlite.org/pragma.html#pragma_table_xinfo).
        isGenerated: hidden > 1, collation: db.collation(of: name, in: table) ?? "BINARY",
        problem: hidden == 2 ? try problem(ofReading: name, of: table, in: db) : nil)
    }
  }

  /// The reason why a column can't be read: SQLite compiles its expression for that, and refuses functions that no schema may call.
  private static func problem(ofReading column: String, of table: String, in db: Database) throws -> String? {
    do {
      _ = try db.bareRows("SELECT \(column.quotedIdentifier) FROM main.\(table.quotedIdentifier) LIMIT 0") { _ in }
      return nil
    } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT { return error.message ?? "\(error)" }
  }

  /// - Parameter columns: those of the table.
  private static func indexes(of table: String, over columns: [StoreSchema.Column], in db: Database) throws -> [StoreSchema.Index] {
    let collations = Dictionary(columns.map { (SchemaName($0.name), $0.collation) }, uniquingKeysWith: { first, _ in first })
    // seq, name, unique, origin, partial
    return try db.bareRows("PRAGMA main.index_list(\(table.quotedIdentifier))") { row in
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
        let (column, collation) = (part.optionalText(2), SchemaName.capitals(part.text(4)))
        let isOwn = column.map { collations[SchemaName($0)] ?? "BINARY" == collation } ?? false
        let isKnown = StoreSchema.Column.collationsOfSQLite.contains(collation)
        return (column: column, isDescending: part.bool(3), hasOwnCollation: isOwn && isKnown, isKey: part.bool(5))
      }.filter(\.isKey)
      let columns = parts.compactMap(\.column)
      return StoreSchema.Index(
        name: name, columns: columns, descending: parts.filter(\.isDescending).compactMap(\.column), isUnique: row.bool(2), origin: origin,
        isPlain: !isPartial && columns.count == parts.count && parts.allSatisfy(\.hasOwnCollation))
    }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func search(of table: Self, among searches: [String], in db: Database) throws -> StoreSchema.SearchTable? {
    let wanted = EntityDescription.searchTable(of: table.name)
    guard let name = searches.first(where: { SchemaName.same($0, wanted) }) else { return nil }
    // Hidden ones are FTS5's own.
    let columns = try db.bareRows("PRAGMA main.table_xinfo(\(name.quotedIdentifier))") { row -> String? in row.bool(6) ? nil : row.text(1) }
    let statements = try db.bareRows("SELECT type, tbl_name, sql FROM main.sqlite_schema WHERE rootpage = 0") { row -> String? in
      SchemaName.same(row.text(1), row.text(0) == "trigger" ? table.name : name) ? row.text(2) : nil
    }
    // FTS5 keeps the lengths of each row; what is no FTS5 has no such table.
    var isBehind: [Bool] = []
    do {
      isBehind = try db.bareRows(
        """
        SELECT EXISTS (SELECT 1 FROM main.\(table.name.quotedIdentifier))
          AND NOT EXISTS (SELECT 1 FROM main.\((name + "_docsize").quotedIdentifier))
        """
      ) { $0.bool(0) }
    } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {}
    return StoreSchema.SearchTable(
      of: table, columns: columns.compactMap { $0 }, statements: statements.compactMap { $0 }, isBehind: isBehind == [true])
  }

  private static func foreignKeys(of table: String, in db: Database) throws -> [StoreSchema.ForeignKey] {
    // id, seq, table, from, to, on_update, on_delete, match; the columns of one key have one id, and follow each other.
    let rows = try db.bareRows("PRAGMA main.foreign_key_list(\(table.quotedIdentifier))") { row in
      (id: row.integer(0), table: row.text(2), from: row.text(3), to: row.optionalText(4), onUpdate: row.text(5), onDelete: row.text(6))
    }
    return Dictionary(grouping: rows, by: \.id).sorted { $0.key < $1.key }.compactMap { _, parts in
      guard let first = parts.first else { return nil }
      return StoreSchema.ForeignKey(
        columns: parts.map(\.from), table: first.table, targetColumns: parts.compactMap(\.to), onDelete: first.onDelete,
        onUpdate: first.onUpdate)
    }
  }
}
