import DAOSQL
import Foundation
import GRDB

/// The names under which the two seeds are attached to the store.
enum MergeSide: String {
  case base = "dao_base"
  case seed = "dao_seed_new"

  /// Attaches a file that nobody writes to.
  func attach(_ path: String, to db: Database) throws {
    try db.execute(
      sql: "ATTACH DATABASE ? AS \(rawValue)", arguments: [SQLiteConfiguration.uri(URL(fileURLWithPath: path), "mode=ro&immutable=1")])
  }

  /// Attaches a side without tables.
  func attachEmpty(to db: Database) throws { try db.execute(sql: "ATTACH DATABASE ':memory:' AS \(rawValue)") }
}
