import Foundation
import GRDB

/// Writes the database. The same world and SQLite give the same bytes: rows are inserted in a fixed order, in one transaction, and the file
/// is rebuilt by VACUUM at the end.
struct WorldclockDatabase {
  let world: World
  /// Its `user_version`.
  var release: Int32 = 1

  /// Writes the file beside its target and renames it; an earlier file stays if anything fails. Returns SQLite's version.
  func write(to url: URL) throws -> String {
    let folder = url.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
      throw InputError(folder, "is not a folder to write to")
    }
    let draft = folder.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    defer {
      // After the rename there is nothing left to remove.
      for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: draft.path + suffix) }
    }
    let queue = try DatabaseQueue(path: draft.path)
    let version = try queue.writeWithoutTransaction { db in
      try fill(db)
      return try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "unknown"
    }
    try queue.close()

    let file = try FileHandle(forWritingTo: draft)
    try file.synchronize()
    try file.close()
    guard rename(draft.path, url.path) == 0 else { throw InputError(url, "cannot be written: \(String(cString: strerror(errno)))") }
    return version
  }

  private func fill(_ db: Database) throws {
    // Defaults that may differ between builds of SQLite are set explicitly.
    for pragma in ["page_size = 4096", "auto_vacuum = NONE", "encoding = 'UTF-8'", "journal_mode = DELETE"] {
      try db.execute(sql: "PRAGMA \(pragma)")
    }
    try db.inTransaction {
      try db.execute(sql: "PRAGMA application_id = \(WorldclockSchema.applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(release)")
      for statement in WorldclockSchema.statements { try db.execute(sql: statement) }
      try insertRows(db)
      try db.execute(sql: "ANALYZE")
      return .commit
    }
    try db.execute(sql: "VACUUM")
  }

  private func insertRows(_ db: Database) throws {
    let country = try db.makeStatement(sql: #"INSERT INTO "country" ("code", "name") VALUES (?, ?)"#)
    for row in world.countries { try country.execute(arguments: [row.code, row.name]) }

    let zone = try db.makeStatement(
      sql: #"INSERT INTO "zone" ("id", "name", "latitude", "longitude", "comment", "standardOffset") VALUES (?, ?, ?, ?, ?, ?)"#)
    let zoneCountry = try db.makeStatement(sql: #"INSERT INTO "zone_country" ("zoneID", "countryCode") VALUES (?, ?)"#)
    let transition = try db.makeStatement(
      sql: """
        INSERT INTO "transition" ("zoneID", "instant", "offsetBefore", "offsetAfter", "abbreviation", "isDaylight")
        VALUES (?, ?, ?, ?, ?, ?)
        """)
    for (id, entry) in zip(1..., world.zones) {
      let row = entry.row
      try zone.execute(
        arguments: [id, row.name, row.coordinates.latitude, row.coordinates.longitude, row.comment, entry.standardOffset])
      for code in row.countryCodes { try zoneCountry.execute(arguments: [id, code]) }
      for change in entry.changes {
        try transition.execute(
          arguments: [
            id, change.instant, change.before.offset, change.after.offset, change.after.abbreviation, change.after.isDaylight,
          ])
      }
    }
  }
}
