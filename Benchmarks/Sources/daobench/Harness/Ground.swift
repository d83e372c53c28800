import Foundation

/// A store of one rival's own, to be written to: every rival finds its file in the same state before each lap.
final class Ground {
  let url: URL
  private let rows: [Reading]
  // A connection that no rival has: each finds its cache stale after `restore`.
  private let database: CDatabase

  /// - Parameters:
  ///   - rows: what the table of readings holds before a lap.
  init(_ stage: Stage, _ workload: String, _ rival: Rival, rows: [Reading] = []) throws {
    url = try stage.store("\(workload)-\(rival.rawValue)") { _ in }
    self.rows = rows
    database = try CDatabase(url)
  }

  /// Puts the rows back and leaves the WAL empty.
  func restore() throws {
    try database.transaction {
      try database.execute("DELETE FROM reading")
      try database.insert(rows)
    }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    settle(byteCount: 64 << 20)
  }

  /// What the table holds, by key.
  func readings() throws -> [Reading] {
    try CStatement(database, "SELECT \(Reading.columns) FROM reading ORDER BY id").readings()
  }
}
