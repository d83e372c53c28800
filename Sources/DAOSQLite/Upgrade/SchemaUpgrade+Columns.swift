import DAOCriteria
import DAOSQL
import GRDB

extension SchemaObject {
  fileprivate init(column: String, of table: String) { self.init(type: "column", name: column, table: table, sql: "") }
}

extension SchemaUpgrade {
  /// Adds the columns that the seed's table has and neither the base's nor the store's. Those that can't be added stay away, and so do
  /// their values.
  mutating func addColumns(of table: SchemaObject) throws {
    let (mine, old) = (try columns(of: table.name, in: "main"), try columns(of: table.name, in: MergeSide.base.rawValue))
    guard let definition = CreateTable(table.sql) else { return }
    let added = try columns(of: table.name, in: MergeSide.seed.rawValue).subtracting(mine).subtracting(old)
    let before = try definitions(of: table)
    for column in definition.columns where added.contains(column.name.foldedName) {
      if mine.isEmpty {
        note(.column, SchemaObject(column: column.name, of: table.name), .left(reason: "the store does not have the table"))
      } else {
        try add(column, to: table)
      }
    }
    guard let before else { return }
    noteRules(of: definition, table.name, old: before.old, mine: before.mine)
  }

  /// A table as the base and as the store have it.
  private func definitions(of table: SchemaObject) throws -> (old: CreateTable, mine: CreateTable)? {
    guard let old = base.named("table", table.name).flatMap({ CreateTable($0.sql) }),
      let mine = try SchemaObject.all(in: "main", db).named("table", table.name).flatMap({ CreateTable($0.sql) })
    else { return nil }
    return (old, mine)
  }

  private func columns(of table: String, in schema: String) throws -> Set<SchemaName> {
    Set(try db.bareRows("PRAGMA \(schema).table_xinfo(\(table.quotedIdentifier))") { $0.text(1).foldedName })
  }

  private mutating func add(_ column: CreateTable.Column, to table: SchemaObject) throws {
    let object = SchemaObject(column: column.name, of: table.name)
    var column = column
    let isUnique = column.clauses.contains { $0.kind == .unique }
    column.clauses.removeAll { $0.kind == .unique }
    let isNeeded = column.clauses.contains { $0.kind == .notNull } && !column.clauses.contains { $0.kind == .defaultValue }
    let hasRows = try db.bareRows("SELECT EXISTS (SELECT 1 FROM main.\(table.name.quotedIdentifier))") { $0.bool(0) } == [true]
    // The seed's rows get their values in the merge; the user's have none.
    if isNeeded, hasRows { column.clauses.removeAll { $0.kind == .notNull } }
    let sql = "ALTER TABLE main.\(table.name.quotedIdentifier) ADD COLUMN \(column.sql)"
    let isAdded: Bool
    do { isAdded = try attempt(.column, object) { try $0.db.run(sql) } } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CONSTRAINT
    {
      return note(.column, object, .left(reason: error.message ?? "the rows do not fit"))
    }
    guard isAdded else { return }
    if isNeeded, hasRows {
      changes.append(
        Change(kind: .rule, name: "NOT NULL", table: "\(table.name).\(column.name)", outcome: .left(reason: "rows have no value")))
    }
    guard isUnique else { return }
    let name = try db.freeName("\(table.name)_on_\(column.name)")
    let index = SchemaObject(type: "index", name: name, table: table.name, sql: "")
    do {
      try attempt(.index, index) {
        try $0.db.run(
          "CREATE UNIQUE INDEX main.\(name.quotedIdentifier) ON \(table.name.quotedIdentifier) (\(column.name.quotedIdentifier))")
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      note(.index, index, .left(reason: error.message ?? "the rows do not fit"))
    }
  }
}
