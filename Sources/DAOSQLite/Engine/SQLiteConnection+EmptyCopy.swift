import DAOCriteria
import DAOSQL
import GRDB

extension SQLiteConnection {
  func withEmptyCopy<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    // Virtual tables, which have no page, stand first: they make the tables that hold what is theirs. VACUUM writes them last.
    let tables = try rows(
      SQLStatement("SELECT sql FROM sqlite_schema WHERE type <> 'trigger' ORDER BY type = 'table' DESC, type = 'view', rootpage > 0, rowid")
    )
    // What ANALYZE has found out, by which the engine weighs ways. Not every store has it.
    let statistics = ["sqlite_stat1", "sqlite_stat4"].map { ($0, (try? rows(SQLStatement("SELECT * FROM \($0)"))) ?? []) }
    do {
      let queue = try DatabaseQueue(path: ":memory:", configuration: SQLiteConfiguration(trace: nil).make(isReadOnly: false))
      return try queue.unsafeRead { database in
        let copy = try SQLiteConnection(database, outside: nil)
        // What makes a virtual table makes others too, and its module may not be there.
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
