import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import GRDBSQLite

/// Inspects a database that another program made. It only reads, in one snapshot, and each table twice: once to see what the values look
/// like, and once to count those of each form that this suggests.
package struct StoreInspector {
  /// What the rows of one view may cost, which is anything that its maker wrote.
  private static let budget = RunBudget()
  /// How many rows of a view are read.
  private static let viewRows = 10_000

  private let db: Database
  private let connection: SQLiteConnection

  /// Inspects a store's file.
  /// - Throws: ``DAOError/bootstrap(_:)`` where there is no such file, or it is no database.
  package static func inspect(_ store: URL) throws -> StoreInspection {
    let (paths, size) = try StorePaths.examined(store)
    guard size > 0 else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.notADatabase, path: paths.store, "the file has no bytes"))
    }
    return try StoreFiles.looking(at: paths) { files in
      try files.open { db in
        try db.run("BEGIN")
        let connection = try SQLiteConnection(db, outside: nil)
        // The call's own limits, and the budget of a view. They live as long as the connection.
        connection.limits.install(on: connection.handle)
        defer { ConnectionLimits.uninstall(from: connection.handle) }
        let inspector = StoreInspector(db: db, connection: connection)
        return try inspector.inspection(of: URL(fileURLWithPath: paths.store))
      }
    }
  }

  private func inspection(of store: URL) throws -> StoreInspection {
    let schema = try connection.schema()
    let tables = try schema.tables.map(inspect)
    let hidden = try SchemaCatalog(of: db).entries.filter { $0.kind == .virtual }.map(\.name)
    let searches = Set(schema.tables.filter { $0.search != nil }.map { SchemaName(EntityDescription.searchTable(of: $0.name)) })
    var problems = hidden.filter { !searches.contains(SchemaName($0)) }.map { "\($0) is a virtual table, which no entity can be" }
    let encoding = try db.bareRows("PRAGMA main.encoding") { $0.text(0) }.first ?? ""
    if encoding != "UTF-8" { problems.append("its texts are in \(encoding): only stores in UTF-8 are opened") }
    return StoreInspection(store: store, schema: schema, tables: tables, problems: problems)
  }

  private func inspect(_ table: StoreSchema.Table) throws -> StoreInspection.Table {
    if let problem = table.problem {
      return StoreInspection.Table(
        name: table.name, isView: table.isView, columns: [], distinctColumns: [], rowCount: 0,
        problems: ["the view can't be read: \(problem)"])
    }
    var (facts, problems, rowCount) = try facts(of: table)
    var forms = facts.map { ColumnForms($0, isView: table.isView) }
    var distinct = DistinctColumns(of: table)
    // Without rows there is nothing to count; that they can't be read is among the problems.
    if rowCount > 0 {
      do {
        try read(table) { row in
          for place in forms.indices { forms[place].note(row[place]) }
          distinct.note(row)
        }
      } catch let error as DAOError where error.isOfRows {
        problems.append(Self.unreadable(error))
        facts = facts.map(\.unread)
        (forms, distinct, rowCount) = (facts.map { ColumnForms($0, isView: table.isView) }, DistinctColumns(of: table), 0)
      }
    }
    return StoreInspection.Table(
      name: table.name, isView: table.isView, columns: forms.map { $0.column() }, distinctColumns: distinct.columns, rowCount: rowCount,
      problems: problems)
  }

  /// What is known of a table's columns after one pass over its rows, what is not understood, and how many rows there are.
  private func facts(of table: StoreSchema.Table) throws -> ([ColumnFacts], [String], Int) {
    var problems: [String] = []
    let sql = try db.bareRows("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", binding: [.text(table.name)]) {
      $0.text(0)
    }.first
    let checks = CheckReader(sql ?? "", of: table)
    problems += checks.others.map { "\($0): it is more than a list or a range of one column's values" }
    problems += table.columns.compactMap(problem)
    let most = Int(sqlite3_limit(connection.handle, SQLITE_LIMIT_COLUMN, -1))
    if table.integerPrimaryKey == nil, table.implicitRowID != nil, table.readableColumns.count >= most {
      problems.append("with its row id, which is its key, it has more columns than the \(most) that SQLite returns")
    }
    let columns = table.readableColumns
    var evidence: [ColumnEvidence?] = Array(repeating: ColumnEvidence(), count: columns.count)
    var rowCount = 0
    do {
      try read(table) { row in
        rowCount += 1
        for place in evidence.indices { evidence[place]?.note(row[place]) }
      }
    } catch let error as DAOError where error.isOfRows {
      (evidence, rowCount) = (Array(repeating: nil, count: columns.count), 0)
      problems.append(Self.unreadable(error))
    }
    if table.isView, rowCount == Self.viewRows { problems.append("of the view's rows the first \(rowCount) were read") }
    let facts = zip(columns, evidence).map { column, evidence in
      ColumnFacts(column: column, rule: checks.rules[column.name], table: table.name, seen: evidence)
    }
    return (facts, problems, rowCount)
  }

  private func problem(of column: StoreSchema.Column) -> String? {
    if let problem = column.problem { return "the generated column \(column.name) can't be read: \(problem)" }
    if column.name.isEmpty { return "a column without a name can't be an attribute" }
    if StoreSchema.Column.collationsOfSQLite.contains(column.collation) { return nil }
    return "\(column.name) has the app's own collation \(column.collation): it can be read, and not compared or ordered"
  }

  private static func unreadable(_ error: DAOError) -> String {
    let reason =
      switch error {
      case .engine(let failure) where failure.code & 0xFF == SQLITE_TOOBIG:
        "one is longer than \(StoreDescription.defaultMaximumLength) bytes"
      case .engine(let failure): failure.message
      case .budgetExceeded(_, let limit): "they take more than \(limit)"
      default: "\(error)"
      }
    return "its rows can't be read: \(reason)"
  }

  /// Reads the rows of a table, or the first of a view. A text that is not UTF-8 is read as its bytes.
  private func read(_ table: StoreSchema.Table, _ body: ([StoredValue]) -> Void) throws {
    let list = table.readableColumns.map(\.name.quotedIdentifier).joined(separator: ", ")
    // Without a column that can be read the rows are counted.
    let columns = list.isEmpty ? "NULL" : list
    let sql = "SELECT \(columns) FROM main.\(table.name.quotedIdentifier)" + (table.isView ? " LIMIT \(Self.viewRows)" : "")
    let count = Int32(table.readableColumns.count)
    try connection.beginStatement()
    try connection.within(table.isView ? Self.budget : nil) {
      do { _ = try db.bareRows(sql) { row in body((0..<count).map { row.valueOfBytes($0) }) } } catch let error as DatabaseError {
        throw connection.error(error.extendedResultCode.rawValue, sql: sql, argumentCount: 0, entity: nil)
      }
    }
  }
}

extension DAOError {
  /// Whether an error is of the rows that were read, and not of the call that reads them.
  fileprivate var isOfRows: Bool {
    switch self {
    case .engine, .budgetExceeded, .overflow: true
    default: false
    }
  }
}
