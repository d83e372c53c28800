import DAOKit

extension Connection {
  /// Runs a body for each row of a query, of which one is in memory at a time.
  func each(_ sql: String, _ values: [StoredValue] = [], _ body: (inout RowReader) throws -> Void) throws {
    try run(SQLStatement(sql, values)) { statement in
      var cursor = RowCursor(
        statement: statement.handle, functions: statement.functions, run: statement.run,
        columns: RowColumns(statement.columns.map { _ in .any }))
      while try cursor.advance() { try body(&cursor.row) }
    }
  }

  /// Whether a query returns a row.
  func hasRows(_ sql: String) throws -> Bool {
    var isThere = false
    try each("SELECT EXISTS (\(sql))") { isThere = try $0.takeStored() == .integer(1) }
    return isThere
  }
}

extension String {
  /// The name as SQL has it.
  var asSQLName: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
