import DAOCriteria

extension Connection {
  /// Refuses a temporary table or view that hides what statements mean: SQLite looks a name up among the temporary ones first.
  /// - Throws: ``DAOError/unsupported(_:)`` with its name, where the store has a table or view of that name too, or where it is one of
  ///   SQLite's functions that are called like tables: `json_each`, with which statements read lists of values, and the table-valued
  ///   functions of pragmas.
  func refuseShadows() throws {
    let statement = try prepare(
      """
      SELECT name FROM temp.sqlite_schema AS made WHERE type IN ('table', 'view') AND \
      (name = 'json_each' COLLATE NOCASE OR name LIKE 'pragma!_%' ESCAPE '!' OR EXISTS \
      (SELECT 1 FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name = made.name COLLATE NOCASE))
      """)
    defer { statement.finish() }
    var rows = RowCursor(
      statement: statement.handle, functions: statement.functions, run: statement.run, columns: RowColumns([.text]))
    guard try rows.advance() else { return }
    throw DAOError.unsupported("a temporary table with the name of one of the store's: \(try rows.row.next(String.self))")
  }
}
