import DAOCriteria
import DAOSQL
import GRDBSQLite

extension SQLiteConnection {
  /// Makes sure that a commit would not fail by a foreign key that is checked only then.
  func checkDeferredKeys() throws {
    var (count, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
    if count == 0 { return }
    let error = DAOError.constraint(.foreignKey, entity: "the store", attributes: [], message: "FOREIGN KEY constraint failed")
    throw namingDeferredKey(in: error)
  }

  /// The error of a commit with table and columns, where a foreign key is broken that is checked only then (`DEFERRABLE INITIALLY
  /// DEFERRED`). The transaction is still open. If rows break several keys, some possibly from earlier, none is named.
  func namingDeferredKey(in error: any Error) -> any Error {
    guard case DAOError.constraint(.foreignKey, _, _, _) = error,
      let broken = try? rows(SQLStatement("SELECT DISTINCT \"table\", parent, fkid FROM temp.pragma_foreign_key_check LIMIT 2")),
      broken.count == 1, let row = broken.first, row.count == 3, case .text(let name) = row[0], case .text(let parent) = row[1],
      case .integer(let number) = row[2],
      let keys = try? schema(view: { _ in false })[name]?.foreignKeys, keys.indices.contains(Int(number))
    else { return error }
    let columns = keys[Int(number)].columns
    guard let entity = statements.checked.entity(ofTable: name) else {
      return DAOError.pointsNowhere(entity: name, attributes: columns, table: parent)
    }
    return DAOError.pointsNowhere(entity: entity.name, attributes: entity.names(of: columns), table: parent)
  }
}
