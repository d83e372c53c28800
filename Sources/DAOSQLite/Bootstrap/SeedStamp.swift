import DAOSQL
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

  /// The stamp of a store; nil where it has none.
  init?(reading db: Database) throws {
    // A table of this name with other columns is somebody else's.
    let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [Self.table])
    guard columns == ["name", "size", "version", "fingerprint", "copied_at"],
      let row = try Row.fetchOne(db, sql: "SELECT * FROM \(Self.table)")
    else { return nil }
    name = row["name"]
    size = row["size"]
    version = row["version"]
    fingerprint = row["fingerprint"]
    copiedAt = row["copied_at"]
  }

  /// Writes the stamp, in place of the one that the seed may have brought along.
  func write(to db: Database) throws {
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
