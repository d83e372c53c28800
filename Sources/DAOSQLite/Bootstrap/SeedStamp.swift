import DAOCriteria
import Foundation
import GRDB

/// The store's own record of its seed: one row of a table that is written before the store gets its name.
struct SeedStamp: Hashable {
  /// The table; it is no part of a store's schema as entities see it.
  static let table = "dao_seed"

  /// The seed's file name.
  let name: String
  /// Its size in bytes.
  let size: Int64
  /// Its `user_version`.
  let version: Int32
  /// See ``Seed/fingerprint``.
  let fingerprint: String
  /// When it was copied, in milliseconds since 1970.
  let copiedAt: Int64

  /// A stamp for a copy that is made now.
  init(_ seed: Seed, version: Int32) {
    name = URL(fileURLWithPath: seed.path).lastPathComponent
    size = seed.totalSize
    self.version = version
    fingerprint = seed.fingerprint
    copiedAt = Int64(Date().timeIntervalSince1970 * 1000)
  }

  private static let columns = ["name", "size", "version", "fingerprint", "copied_at"]

  private static func foundColumns(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
  }

  /// The stamp of a store; nil where it has none.
  init?(reading db: Database) throws {
    guard try Self.foundColumns(db) == Self.columns, let row = try Row.fetchOne(db, sql: "SELECT * FROM \(Self.table)") else { return nil }
    name = row["name"]
    size = row["size"]
    version = row["version"]
    fingerprint = row["fingerprint"]
    copiedAt = row["copied_at"]
  }

  /// Writes the stamp, in place of the one that the seed may have brought along.
  /// - Throws: ``DAOError/unsupported(_:)`` where a table of this name is somebody else's.
  func write(to db: Database) throws {
    guard [[], Self.columns].contains(try Self.foundColumns(db)) else {
      throw DAOError.unsupported("the seed \(name) has a table \(Self.table), where the store would note its seed; give it another name")
    }
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS \(Self.table);
        CREATE TABLE \(Self.table) (name TEXT NOT NULL, size INTEGER NOT NULL, version INTEGER NOT NULL, fingerprint TEXT NOT NULL, \
        copied_at INTEGER NOT NULL);
        """)
    try db.execute(
      sql: "INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?)", arguments: [name, size, version, fingerprint, copiedAt])
  }
}
