import DAOCriteria
import DAOSQL
import DAOSchema
import GRDBSQLite

/// Writes the edits of a unit of work into the store, on the connection that writes.
final class SQLiteEditWriter: EditWriter {
  private let connection: SQLiteConnection
  private let entity: (EditedTable) -> EntityDescription
  private var statements: [Statement: PreparedStatement] = [:]
  /// Whether the statements are noted.
  private let notes: Bool
  /// The statements that have written a row, in their order, where they are noted.
  private(set) var noted: [SQLStatement] = []

  private enum Statement: Hashable {
    case find(Int)
    case insert(Int)
    case update(Int, columns: [Int])
    case delete(Int)
  }

  // The statement that was run last: neighbouring rows are mostly written by the same.
  private var last: (kind: Statement, statement: PreparedStatement)?

  private let tables: [EditedTable]

  init(_ connection: SQLiteConnection, tables: [EditedTable], notes: Bool, entity: @escaping (EditedTable) -> EntityDescription) {
    self.connection = connection
    self.tables = tables
    self.notes = notes
    self.entity = entity
  }

  func row(_ key: [StoredValue], of table: EditedTable) throws -> [StoredValue]? {
    let kind = Statement.find(number(of: table))
    let statement = try prepared(kind) { try sql(kind, [], of: table) }
    defer { statement.finish() }
    try connection.beginStatement()
    try statement.bind(key)
    let code = statement.functions.step(statement.handle)
    guard code == SQLITE_ROW || code == SQLITE_DONE else {
      throw connection.error(code, sql: statement.sql, argumentCount: key.count, entity: entity(table))
    }
    return code == SQLITE_ROW ? BareRow(statement: statement.handle).values(from: 0, count: table.columns.count) : nil
  }

  func reserveKeys(_ count: Int, of table: EditedTable) throws -> Int64 {
    guard let column = table.generatedKey.map({ table.columns[$0] }) else { return 1 }
    if let lowest = try connection.lowestKey(of: table.name, column: column) { return lowest }
    let last = try connection.highestKey(of: table.name, column: column)
    guard last <= .max - Int64(count) else {
      throw DAOError.constraint(.primaryKey, entity: entity(table).name, attributes: [], message: "no key is left after \(last)")
    }
    return last + 1
  }

  func deferForeignKeys() throws { try connection.onQueue { try $0.run("PRAGMA defer_foreign_keys = ON") } }

  func write(_ write: EditWrite) throws -> DAOError? {
    let table = write.table
    let (kind, columns): (Statement, [Int])
    switch (write.before, write.after) {
    case (nil, _?):
      columns = table.columns.indices.filter { !table.computed.contains($0) }
      kind = .insert(write.id.table)
    case (_?, _?):
      // Neighbouring rows mostly set the same columns; a list of them for each would be made for nothing.
      if case .update(write.id.table, let known)? = last?.kind, write.sets(known) { columns = known } else { columns = write.columns }
      if columns.isEmpty { return nil }
      kind = .update(write.id.table, columns: columns)
    case (_?, nil):
      columns = []
      kind = .delete(write.id.table)
    case (nil, nil): return nil
    }
    let statement = try prepared(kind) { try sql(kind, columns, of: table) }
    defer { statement.finish() }
    do {
      // Asked first: a generic call takes its time.
      if connection.capturesChanges {
        try connection.statement { try run(statement, write, columns) }
      } else {
        try run(statement, write, columns)
      }
    } catch let error as DAOError where error.isOfConstraint {
      // Some constraints end the transaction (ON CONFLICT ROLLBACK): what came after would be stored by itself.
      guard connection.isInTransaction else { throw connection.reported(error) }
      return error
    }
    if connection.changedRowCount > 1 {
      throw DAOError.constraint(
        .other, entity: entity(table).name, attributes: [], message: "several rows of the store have the key of one")
    }
    // A row that is to be deleted may have gone with another.
    if connection.changedRowCount == 0, write.after != nil {
      throw DAOError.constraint(
        .other, entity: entity(table).name, attributes: [],
        message: write.before == nil
          ? "a trigger of the store ignored the row" : "a trigger of the store ignored the row, or a cascade has deleted it")
    }
    if notes {
      let values = columns.compactMap { write.after?[$0] } + (write.before.map { table.key(of: $0) } ?? [])
      noted.append(SQLStatement(statement.sql, values))
    }
    return nil
  }

  private func sql(_ kind: Statement, _ columns: [Int], of table: EditedTable) throws -> String {
    let name = table.name.quotedIdentifier
    switch kind {
    case .find: return "SELECT \(list(table.columns.indices, of: table)) FROM \(name) WHERE \(isRow(table))"
    case .insert:
      let values = columns.map { _ in "?" }.joined(separator: ", ")
      return "INSERT \(try orAbort(table))INTO \(name) (\(list(columns, of: table))) VALUES (\(values))"
    case .update:
      let set = columns.map { "\(table.columns[$0].quotedIdentifier) = ?" }.joined(separator: ", ")
      return "UPDATE \(try orAbort(table))\(name) SET \(set) WHERE \(isRow(table))"
    case .delete: return "DELETE FROM \(name) WHERE \(isRow(table))"
    }
  }

  /// A constraint that says ON CONFLICT REPLACE would take another row away, and one that says IGNORE would pass over this one. Elsewhere
  /// nothing is said: it would count for the statements of triggers too.
  private func orAbort(_ table: EditedTable) throws -> String {
    let saying = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE AND sql LIKE '%CONFLICT%'"
    return try connection.keptRows(saying, [.text(table.name)]) { _ in true }.isEmpty ? "" : "OR ABORT "
  }

  /// Binds the values of columns after, and the key before, and runs.
  private func run(_ statement: PreparedStatement, _ write: EditWrite, _ columns: [Int]) throws {
    try connection.beginStatement()
    var writer = ColumnWriter(statement: statement.handle, functions: statement.writeFunctions, texts: statement.texts, types: [])
    if let after = write.after { for column in columns { try writer.putStored(after[column]) } }
    if let before = write.before { for column in write.table.key { try writer.putStored(before[column]) } }
    let code = writer.bindingFailure != 0 ? writer.bindingFailure : statement.functions.step(statement.handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      // The row may be stored behind others.
      throw connection.asking(\.isOfConstraint) {
        connection.error(code, sql: statement.sql, argumentCount: statement.parameterCount, entity: entity(write.table))
      }
    }
  }

  func named(_ error: DAOError, of write: EditWrite) -> DAOError {
    let entity = entity(write.table)
    func values(_ row: [StoredValue], _ attributes: [Attribute]) -> [StoredValue] {
      attributes.map { write.table.position(of: $0.column).map { row[$0] } ?? .null }
    }
    let keyed: KeyedWrite? =
      if let after = write.after {
        .row(
          values(after, entity.attributes),
          setting: write.before == nil
            ? nil
            : write.columns.compactMap { column in entity.attributes.first { SchemaName.same($0.column, write.table.columns[column]) }?.name
            })
      } else { write.before.map { .deletion(key: values($0, entity.keyAttributes)) } }
    // A preview only asks.
    if !notes { connection.reported(error) }
    return connection.naming(error, keyed, of: entity) as? DAOError ?? error
  }

  // MARK: Statements

  private func number(of table: EditedTable) -> Int { tables.firstIndex { $0.name == table.name } ?? -1 }

  private func list(_ columns: some Sequence<Int>, of table: EditedTable) -> String {
    columns.map { table.columns[$0].quotedIdentifier }.joined(separator: ", ")
  }

  private func isRow(_ table: EditedTable) -> String {
    table.key.map { "\(table.columns[$0].quotedIdentifier) = ?" }.joined(separator: " AND ")
  }

  private func prepared(_ kind: Statement, _ sql: () throws -> String) throws -> PreparedStatement {
    if let last, last.kind == kind { return last.statement }
    let statement = try statements[kind] ?? connection.prepare(sql())
    statements[kind] = statement
    last = (kind, statement)
    return statement
  }
}

extension DAOError {
  fileprivate var isOfConstraint: Bool { if case .constraint = self { true } else { false } }
}
