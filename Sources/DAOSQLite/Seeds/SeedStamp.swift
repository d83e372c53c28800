import DAOCriteria
import Foundation
import GRDB

/// The store's own record of its seed: one row of a table that is written before the store gets its name.
struct SeedStamp: Hashable {
  /// The table; it is no part of a store's schema as entities see it.
  static let table = "dao_seed"
  /// The first of the keys that are generated for the user in a store into which newer seeds are merged. Rows of seeds have lower ones.
  static let firstUserKey: Int64 = 1 << 40
  /// The start of the keys that a migration's custom steps generate in a base: a row that a step adds there belongs neither to the user nor
  /// to a later seed.
  static let firstKeyOfBase: Int64 = 1 << 62

  /// The seed's file name.
  let name: String
  /// Its size in bytes.
  let size: Int64
  /// Its `user_version`.
  let version: Int32
  /// See ``Seed/fingerprint``.
  let fingerprint: String
  /// When it was copied, in milliseconds since 1970, as far as the clock was right; see ``StorePaths/copyTime(_:besides:)``.
  let copiedAt: Int64
  /// The highest integer key of each table that has such a key: generated keys after it are of the user's rows. Nil in a packed seed's own,
  /// and in those of earlier releases.
  let highestKeys: [SchemaName: Int64]?

  /// A stamp for a copy.
  init(_ seed: Seed, version: Int32, copiedAt: Int64, highestKeys: [SchemaName: Int64]? = nil) {
    self.highestKeys = highestKeys
    name = URL(fileURLWithPath: seed.path).lastPathComponent
    size = seed.totalSize
    self.version = version
    fingerprint = seed.fingerprint
    self.copiedAt = copiedAt
  }

  /// A packed seed's own, which distinguishes it from others by its content; see ``SeedPacker``.
  init(ofContent digest: String, version: Int32) {
    (name, size, copiedAt, highestKeys) = ("packed", 0, 0, nil)
    self.version = version
    fingerprint = digest
  }

  /// In a list: two tables may have names that Swift finds equal.
  private struct HighestKey: Codable {
    let table: String
    let key: Int64
  }

  /// The same keys are the same text.
  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }

  /// Whether it is a packed seed's own, and not a store's.
  var isOfContent: Bool { copiedAt == 0 }

  /// Earlier releases wrote no highest keys.
  private static let columns = ["name", "size", "version", "fingerprint", "copied_at", "highest_keys"]

  /// The object that has the stamp's name.
  private enum Found {
    case nothing, stamp, another
  }

  private static func find(in db: Database) throws -> Found {
    let columns = try db.bareRows("PRAGMA main.table_info(\(table))") { $0.text(1) }
    if columns.isEmpty { return .nothing }
    let types = try db.bareRows("SELECT type FROM main.sqlite_master WHERE name = '\(table)' COLLATE NOCASE") { $0.text(0) }
    return types == ["table"] && [Self.columns, Self.columns.dropLast()].contains(columns) ? .stamp : .another
  }

  /// The stamp of a store; nil where it has none, or one with values that no bootstrap writes.
  init?(reading db: Database) throws {
    guard try Self.find(in: db) == .stamp, let row = try Row.fetchOne(db, sql: "SELECT * FROM \(Self.table)") else { return nil }
    let values: [DatabaseValue] = Array(row.databaseValues)
    guard case .string(let name) = values[0].storage, case .int64(let size) = values[1].storage,
      case .int64(let number) = values[2].storage, let version = Int32(exactly: number),
      case .string(let fingerprint) = values[3].storage,
      case .int64(let copiedAt) = values[4].storage, Self.times.contains(copiedAt)
    else { return nil }
    self.name = name
    self.size = size
    self.version = version
    self.fingerprint = fingerprint
    self.copiedAt = copiedAt
    let keys = values.dropFirst(5).first.flatMap { String.fromDatabaseValue($0) }.flatMap {
      try? JSONDecoder().decode([HighestKey].self, from: Data($0.utf8))
    }
    highestKeys = keys.map { Dictionary($0.map { ($0.table.foldedName, $0.key) }) { max($0, $1) } }
  }

  /// From 1970 to years of four digits. 0 is a packed seed's.
  static let times: ClosedRange<Int64> = 0...253_402_300_799_999

  /// A time of a copy: in that range, whatever the clock says.
  static func milliseconds(_ time: Date) -> Int64 {
    Int64(max(1, min(time.timeIntervalSince1970 * 1000, Double(times.upperBound))))
  }

  /// Writes the stamp, in place of the one that the seed may have brought along.
  /// - Throws: ``DAOError/unsupported(_:)`` where a table or view of this name is somebody else's.
  func write(to db: Database) throws {
    guard try Self.find(in: db) != .another else {
      throw DAOError.unsupported("the seed \(name) has a table \(Self.table), where the store would note its seed; give it another name")
    }
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS \(Self.table);
        CREATE TABLE \(Self.table) (name TEXT NOT NULL, size INTEGER NOT NULL, version INTEGER NOT NULL, fingerprint TEXT NOT NULL, \
        copied_at INTEGER NOT NULL, highest_keys TEXT);
        """)
    let list = highestKeys?.map { HighestKey(table: $0.key.text, key: $0.value) }.sorted {
      $0.table.utf8.lexicographicallyPrecedes($1.table.utf8)
    }
    let keys = try list.map { String(decoding: try Self.encoder.encode($0), as: UTF8.self) }
    try db.execute(
      sql: "INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?, ?)", arguments: [name, size, version, fingerprint, copiedAt, keys])
  }
}
