import GRDB

extension Database {
  /// Runs a statement that changes rows.
  /// - Returns: whether it did.
  func change(_ sql: String) throws -> Bool {
    try run(sql)
    return changesCount > 0
  }

  /// Whether a table has changes `change` of which a condition holds.
  func hasChanges(of table: MergeTable, where condition: String) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM \(table.changes) AS change WHERE \(condition))"
    return try bareRows(sql) { $0.bool(0) } == [true]
  }
}
