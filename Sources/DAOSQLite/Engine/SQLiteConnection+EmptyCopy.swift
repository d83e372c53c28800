import DAOCriteria
import DAOSQL
import GRDB

extension SQLiteConnection {
  func withEmptyCopy<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    do {
      let queue = try DatabaseQueue(path: ":memory:", configuration: SQLiteConfiguration(trace: nil).make(isReadOnly: false))
      return try withExtendedLifetime(queue) {
        let copy = try queue.unsafeRead { try SQLiteConnection($0, outside: queue) }
        // What makes virtual tables makes tables of its own, and a module may not be there.
        for made in try texts("SELECT sql FROM sqlite_schema WHERE type <> 'trigger' ORDER BY type = 'table' DESC, type = 'view'") {
          try? copy.run(made)
        }
        try copyStatistics(to: copy)
        return try body(copy)
      }
    } catch let error as DatabaseError { throw DAOError(error, entity: nil) }
  }

  /// What ANALYZE has found out, which the engine weighs ways by.
  private func copyStatistics(to copy: SQLiteConnection) throws {
    try copy.run("ANALYZE")
    for table in ["sqlite_stat1", "sqlite_stat4"] {
      // The engine may know more kinds of statistics than the one that wrote them, or fewer.
      guard let rows = try? rows(SQLStatement("SELECT * FROM \(table)")), let count = rows.first?.count else { continue }
      let places = Array(repeating: "?", count: count).joined(separator: ", ")
      for row in rows { _ = try? copy.rows(SQLStatement("INSERT INTO \(table) VALUES (\(places))", row)) }
    }
    try copy.run("ANALYZE sqlite_schema")
  }

  private func run(_ sql: String) throws { _ = try rows(SQLStatement(sql)) }

  private func texts(_ sql: String) throws -> [String] {
    try rows(SQLStatement(sql)).compactMap { if case .text(let text)? = $0.first { text } else { nil } }
  }
}
