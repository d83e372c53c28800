import DAOCriteria
import DAOSQL
import GRDBSQLite

// Statements of the library's own that are run for each of many rows: kept by their text until the connection closes.
extension SQLiteConnection {
  /// The rows of a statement.
  func keptRows<Value>(_ sql: String, _ values: [StoredValue], _ read: (BareRow) throws -> Value) throws -> [Value] {
    let statement = try kept(sql)
    defer { statement.finish() }
    try beginStatement()
    try statement.bind(values)
    var rows: [Value] = []
    while true {
      let code = statement.functions.step(statement.handle)
      if code == SQLITE_DONE { return rows }
      guard code == SQLITE_ROW else { throw error(code, sql: sql, argumentCount: values.count, entity: nil) }
      rows.append(try read(BareRow(statement: statement.handle)))
    }
  }

  /// Runs a statement; its rows go unread.
  func runKept(_ sql: String, _ values: [StoredValue]) throws { _ = try keptRows(sql, values) { _ in } }

  private func kept(_ sql: String) throws -> PreparedStatement {
    if let statement = keptStatements[sql] { return statement }
    let statement = try prepare(sql)
    keptStatements[sql] = statement
    return statement
  }
}
