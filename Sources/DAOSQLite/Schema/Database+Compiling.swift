import DAOSQL
import GRDB

extension Database {
  /// Statements that fire every trigger of a table or view. A trigger is compiled with what fires it.
  func statements(firingTriggersOf table: String) throws -> [String] {
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
