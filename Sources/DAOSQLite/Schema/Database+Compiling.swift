import DAOSQL
import GRDB

extension Database {
  /// Why a statement that fires triggers of a table or view can't be compiled; nil where all can. A trigger is compiled with what fires it.
  func failure(ofTriggersOf table: String) throws -> String? {
    let causes = try statements(firingTriggersOf: table)
    guard try isView(table) else { return try failure(of: causes) }
    // A view takes only what a trigger does in its stead. That it takes nothing else makes none of them wrong.
    try run("SAVEPOINT dao_view")
    defer {
      try? run("ROLLBACK TO dao_view")
      try? run("RELEASE dao_view")
    }
    for verb in ["INSERT", "UPDATE", "DELETE"] {
      try run("CREATE TEMP TRIGGER dao_any_\(verb) INSTEAD OF \(verb) ON main.\(table.quotedIdentifier) BEGIN SELECT 1; END")
    }
    return try failure(of: causes)
  }

  private func isView(_ name: String) throws -> Bool {
    let sql = "SELECT 1 FROM main.sqlite_schema WHERE type = 'view' AND name = ? COLLATE NOCASE"
    return try !bareRows(sql, binding: [.text(name)], { $0.integer(0) }).isEmpty
  }

  private func statements(firingTriggersOf table: String) throws -> [String] {
    let columns = try bareRows("PRAGMA main.table_info(\(table.quotedIdentifier))") { $0.text(1).quotedIdentifier }
    let target = "main.\(table.quotedIdentifier)"
    return [
      "INSERT INTO \(target) (\(columns.joined(separator: ", "))) SELECT \(columns.map { _ in "NULL" }.joined(separator: ", "))",
      "UPDATE \(target) SET " + columns.map { "\($0) = \($0)" }.joined(separator: ", "), "DELETE FROM \(target)",
    ]
  }

  /// Why the first of some statements that can't be compiled can't; nil where all can. None is run.
  func failure(of statements: [String]) throws -> String? {
    for sql in statements {
      do { try run("EXPLAIN " + sql) } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        return error.message ?? "\(error.resultCode)"
      }
    }
    return nil
  }
}
