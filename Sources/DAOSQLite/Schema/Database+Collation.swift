import DAOCriteria
import GRDB
import GRDBSQLite

extension Database {
  /// The collation that a table's column was declared with, in capitals, which no pragma reports; nil of a view's column, which has none.
  func collation(of column: String, in table: String) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(sqliteConnection, "main", table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    return SchemaName.capitals(String(cString: name))
  }
}
