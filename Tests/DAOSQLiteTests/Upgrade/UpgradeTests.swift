import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// A store and the seeds that are shipped for it, one after the other.
@Suite struct UpgradeTests {
  let scratch: Scratch
  let store: URL

  init() throws {
    scratch = try Scratch()
    store = scratch.url("a/store.sqlite")
  }

  /// Zones with a unique name, a search table's triggers, and a table that references them.
  static let schema = """
    CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, offset INTEGER, comment TEXT);
    CREATE TABLE change (zone INTEGER NOT NULL REFERENCES zone (id) ON DELETE CASCADE, at INTEGER NOT NULL, \
    PRIMARY KEY (zone, at)) WITHOUT ROWID;
    """

  static let zones = """
    INSERT INTO zone VALUES (1, 'Europe/Prague', 60, NULL), (2, 'Europe/Kiev', 120, NULL), (3, 'Asia/Calcutta', 330, NULL);
    INSERT INTO change VALUES (1, 100), (1, 200), (2, 100), (3, 50);
    """

  /// A seed: the zones, and what the version brings.
  func seed(_ version: Int32, _ sql: String = "", schema: String = schema) throws -> URL {
    let url = scratch.url("seed \(version).sqlite")
    try? FileManager.default.removeItem(at: url)
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: """
          \(schema); \(Self.zones); \(sql);
          PRAGMA user_version = \(version)
          """)
    }
    try queue.close()
    return url
  }

  func upgrade(_ seed: URL, _ conflicts: SeedConflict.Policy = .keepMine, adopting: Bool = false) throws -> BootstrapReport.Outcome {
    try bootstrapper(seed, entities: [], applicationID: nil).bootstrap(store, policy: .upgrade(conflicts: conflicts, adopting: adopting))
      .outcome
  }

  func report(_ seed: URL, _ conflicts: SeedConflict.Policy = .keepMine) throws -> SeedUpgradeReport {
    guard case .upgraded(let report) = try upgrade(seed, conflicts) else { throw DAOError.unsupported("no upgrade") }
    return report
  }

  func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA foreign_keys = ON; " + sql) }
    try queue.close()
  }

  func rows(_ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: store.path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map { $0.stored.description }.joined(separator: " ") }
    }
  }

  var files: [String] { snapshot(scratch.path + "/a").keys.sorted() }

  /// One base is beside the store: of a seed, and with the digest in its name.
  func expectBase(_ fingerprint: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let base = scratch.path + "/a/" + (files.last ?? "")
    let digest = try FileDigest.of(file: base)
    #expect(files == ["store.sqlite", "store.sqlite.base-\(fingerprint)-\(digest)"], sourceLocation: sourceLocation)
  }

  // MARK: The base

  // MARK: Preview

  @Test func `a preview says what the upgrade does and leaves every byte`() throws {
    _ = try upgrade(try seed(1))
    try edit("UPDATE zone SET comment = 'home' WHERE id = 1; DELETE FROM zone WHERE id = 3")
    let two = try seed(
      2,
      """
      UPDATE zone SET offset = offset + 1;
      INSERT INTO zone VALUES (4, 'Asia/Tokyo', 540, NULL)
      """)
    for isInWAL in [false, true] {
      if isInWAL { try Self.leaveInWAL(store, "UPDATE zone SET comment = 'late' WHERE id = 2") }
      let before = snapshot(scratch.path)
      let bootstrapper = bootstrapper(two, entities: [], applicationID: nil)
      let preview = try #require(try bootstrapper.previewUpgrade(of: store, conflicts: .byColumn))
      #expect(snapshot(scratch.path) == before)
      #expect(preview.description.contains("zone: 1 added, 2 changed"))
      if isInWAL {
        #expect(try report(two, .byColumn) == preview)
        #expect(try bootstrapper.previewUpgrade(of: store, conflicts: .byColumn) == nil)
      }
    }
    #expect(try rows("SELECT id, offset, comment FROM zone ORDER BY id") == ["1 61 'home'", "2 121 'late'", "4 540 NULL"])
  }

  /// Commits that are in the WAL alone, as when the writer was killed.
  static func leaveInWAL(_ url: URL, _ sql: String) throws {
    let work = try Scratch()
    try FileManager.default.copyItem(at: url, to: work.url("work"))
    let wal = URL(fileURLWithPath: url.path + "-wal")
    if FileManager.default.fileExists(atPath: wal.path) { try FileManager.default.moveItem(at: wal, to: work.url("work-wal")) }
    let queue = try DatabaseQueue(path: work.url("work").path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; " + sql) }
    try FileManager.default.removeItem(at: url)
    try FileManager.default.copyItem(at: work.url("work"), to: url)
    try FileManager.default.copyItem(at: work.url("work-wal"), to: wal)
    try queue.close()
  }

  // MARK: Errors

  @Test func `a closure that throws leaves the store and its base`() throws {
    _ = try upgrade(try seed(1))
    try edit("UPDATE zone SET offset = 1 WHERE id = 1")
    let two = try seed(2, "UPDATE zone SET offset = 2")
    let before = snapshot(scratch.path + "/a")
    #expect(throws: CancellationError.self) { try upgrade(two, .decide { _ in throw CancellationError() }) }
    #expect(snapshot(scratch.path + "/a") == before)
    for row: [String: StoredValue] in [["nothing": .null], ["id": .integer(7)]] {
      #expect(throws: DAOError.self) { try upgrade(two, .decide { _ in .row(row) }) }
      #expect(snapshot(scratch.path + "/a") == before)
    }
    do {
      _ = try upgrade(two, .decide { _ in .row(["name": .null]) })
      Issue.record("a null was put where none may be")
    } catch DAOError.constraint(let constraint, let entity, _, _) { #expect(constraint == .notNull && entity == "zone") }
    #expect(snapshot(scratch.path + "/a") == before)
  }

  /// A store without entities asks for nothing: what its seed has is what it has.
  @Test func `a new column, index, view and trigger come with their rows and are reported`() throws {
    _ = try upgrade(try seed(1))
    try edit(
      """
      UPDATE zone SET comment = 'home' WHERE id = 1;
      INSERT INTO zone VALUES (1099511627776, 'Mine', 5, NULL)
      """)
    let two = try seed(
      2,
      """
      ALTER TABLE zone ADD COLUMN more TEXT DEFAULT 'x'; UPDATE zone SET more = name; CREATE INDEX by_offset ON zone (offset);
      CREATE VIEW early AS SELECT name FROM zone WHERE offset < 100;
      CREATE TRIGGER trimmed AFTER INSERT ON zone BEGIN UPDATE zone SET name = trim(name) WHERE id = NEW.id; END
      """)
    let preview = try bootstrapper(two, entities: [], applicationID: nil).previewUpgrade(of: store, conflicts: .byColumn)
    let report = try report(two, .byColumn)
    #expect(report == preview)
    #expect(
      report.schema.map(\.description) == [
        "column more of zone added", "index by_offset of zone added", "view early added", "trigger trimmed of zone added",
      ])
    #expect(report.description.hasSuffix("trigger trimmed of zone added"))
    #expect(
      try rows("SELECT id, comment, more FROM zone ORDER BY id") == [
        "1 'home' 'Europe/Prague'", "2 NULL 'Europe/Kiev'", "3 NULL 'Asia/Calcutta'", "1099511627776 NULL 'x'",
      ])
    try edit("INSERT INTO zone (name, offset) VALUES (' New ', 7)")
    #expect(try rows("SELECT name FROM early ORDER BY name") == ["'Europe/Prague'", "'Mine'", "'New'"])
  }

  @Test func `a store that does not fit is refused whole`() throws {
    _ = try upgrade(try seed(1))
    let before = snapshot(scratch.path + "/a")
    // Another key.
    let other = try seed(
      2,
      schema: Self.schema.replacing("id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE", with: "id INTEGER UNIQUE, name TEXT PRIMARY KEY"))
    #expect(throws: DAOError.self) { try upgrade(other) }
    #expect(snapshot(scratch.path + "/a") == before)
    // Entities that the store does not fit.
    let entity = EntityDescription("zone", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text)])
    let two = try seed(2)
    #expect(throws: DAOError.self) {
      try bootstrapper(two, entities: [entity], applicationID: nil).bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    }
    #expect(snapshot(scratch.path + "/a") == before)
  }
}
