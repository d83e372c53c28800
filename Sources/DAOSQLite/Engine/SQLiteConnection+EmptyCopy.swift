import DAOCriteria
import DAOSQL
import GRDB

extension SQLiteConnection {
  /// Runs a body with an empty database in memory that has the same tables, indexes and views, and no triggers; and with those, each by its
  /// statement. Whatever needs what this SQLite has not is missing.
  func withSchemaCopy<Result>(_ body: (Database, _ triggers: [(name: String, table: String, sql: String)]) throws -> Result) throws
    -> Result
  {
    let objects = try rows(
      SQLStatement(
        "SELECT type = 'trigger', name, tbl_name, sql, type = 'table' AND rootpage > 0 FROM main.sqlite_schema WHERE sql IS NOT NULL "
          + "ORDER BY type = 'table' DESC, type = 'view', rootpage > 0, rowid"))
    let queue = try DatabaseQueue(path: ":memory:", configuration: .untrusting())
    return try queue.unsafeRead { database in
      database.trustSchema()
      var triggers: [(name: String, table: String, sql: String)] = []
      for object in objects {
        guard object.count == 5, case .text(let name) = object[1], case .text(let table) = object[2], case .text(let sql) = object[3] else {
          continue
        }
        if object[0] == .integer(1) {
          triggers.append((name, table, sql))
        } else if name.hasPrefix("sqlite_stat") {
          // Only ANALYZE may make these.
          try? database.run("ANALYZE")
        } else if (try? database.run(sql)) == nil, object[4] == .integer(1) {
          // Its rules may call functions that are not here, which nobody who reads it needs.
          let columns = try rows(SQLStatement("SELECT name FROM pragma_table_info(?)", [.text(name)])).compactMap { row in
            if case .text(let column)? = row.first { column.quotedIdentifier } else { nil }
          }
          try? database.run("CREATE TABLE \(name.quotedIdentifier) (\(columns.joined(separator: ", ")))")
        }
      }
      return try body(database, triggers)
    }
  }

  func withEmptyCopy<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    // Virtual tables, which have no page, stand first: they make the tables that hold what is theirs. VACUUM writes them last.
    let tables = try rows(
      SQLStatement(
        "SELECT sql FROM sqlite_schema WHERE type <> 'trigger' ORDER BY type = 'table' DESC, type = 'view', rootpage > 0, rowid")
    )
    // The results of ANALYZE, by which the engine chooses between plans. Not every store has it.
    let statistics = try rows(SQLStatement("SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')")).compactMap {
      row in
      if case .text(let table) = row[0] { (table, try rows(SQLStatement("SELECT * FROM \(table)"))) } else { nil }
    }
    do {
      let queue = try DatabaseQueue(path: ":memory:", configuration: SQLiteConfiguration(statements: nil).make(isReadOnly: false))
      return try queue.unsafeRead { database in
        let copy = try SQLiteConnection(database, outside: nil)
        // A statement that creates a virtual table creates other tables too, and its module may be missing.
        for case .text(let made)? in tables.map(\.first) { _ = try? copy.rows(SQLStatement(made)) }
        _ = try copy.rows(SQLStatement("ANALYZE"))
        for (table, rows) in statistics {
          // SQLite may have been built without the kind that another has written.
          for row in rows {
            _ = try? copy.rows(SQLStatement("INSERT INTO \(table) VALUES (\(row.map { _ in "?" }.joined(separator: ", ")))", row))
          }
        }
        _ = try copy.rows(SQLStatement("ANALYZE sqlite_schema"))
        return try body(copy)
      }
    } catch let error as DatabaseError { throw DAOError(error, entity: nil) }
  }
}
