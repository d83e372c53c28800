import DAOCriteria
import DAOSQL
import GRDB
import GRDBSQLite

extension SQLiteConnection {
  /// The start of the keys of the user's rows.
  enum FirstKeys {
    /// After the existing keys.
    case following
    case at(Int64)
    /// After those that the seed had.
    case after([SchemaName: Int64])
  }

  private func keysBegin() throws -> FirstKeys {
    switch keys {
    case .following: return .following
    case .from(let key): return .at(key)
    case .ofStore:
      if let firstKeys { return firstKeys }
      // Looked for without a statement, so that other stores run none.
      let code = sqlite3_table_column_metadata(handle, "main", SeedStamp.table, "fingerprint", nil, nil, nil, nil, nil)
      let stamp = try code == SQLITE_OK ? onQueue { try SeedStamp(reading: $0) } : nil
      let found = stamp.map { stamp -> FirstKeys in
        let merges = sqlite3_db_filename(handle, "main").map { StorePaths(store: String(cString: $0)).keepsBase(of: stamp) } == true
        if merges { return .at(SeedStamp.firstUserKey) }
        return stamp.highestKeys.map { .after($0) } ?? .following
      }
      firstKeys = found ?? .following
      return found ?? .following
    }
  }

  /// Above the keys of later seeds' rows, in a store into which newer seeds are merged; in another that was made from a seed after the
  /// seed's keys, be the last of them deleted.
  func lowestKey(of table: String, column: String) throws -> Int64? {
    let firstKey: Int64
    switch try keysBegin() {
    case .following: return nil
    case .at(let key): firstKey = key
    case .after(let highest):
      // Of a key near the end SQLite makes what it can.
      guard let last = highest[table.foldedName], last > 0, last < .max else { return nil }
      firstKey = last + 1
    }
    return try highestKey(of: table, column: column) < firstKey ? firstKey : nil
  }

  /// The highest key that a row of a table has; 0 where all are lower. In a table that never gives a key twice, the last key that it gave
  /// (sqlite.org/autoinc.html).
  func highestKey(of table: String, column: String) throws -> Int64 {
    let highest = "SELECT max(\(column.quotedIdentifier)) FROM main.\(table.quotedIdentifier)"
    let last = try onQueue { database in
      // GRDB's cache finds texts equal that differ in the spelling of a letter.
      func statement(_ sql: String) throws -> Statement {
        sql.utf8.allSatisfy { $0 < 0x80 } ? try database.cachedStatement(sql: sql) : try database.makeStatement(sql: sql)
      }
      guard remembersKeys(table, column) else { return try Int64.fetchOne(statement(highest)) }
      return try Int64.fetchOne(
        statement("SELECT max(ifnull((\(highest)), 0), ifnull((SELECT seq FROM main.sqlite_sequence WHERE name = ? COLLATE NOCASE), 0))"),
        arguments: [table])
    }
    return max(last ?? 0, 0)
  }

  private func remembersKeys(_ table: String, _ column: String) -> Bool {
    var isRemembered: Int32 = 0
    let code = sqlite3_table_column_metadata(handle, "main", table, column, nil, nil, nil, nil, &isRemembered)
    return code == SQLITE_OK && isRemembered != 0
  }
}
