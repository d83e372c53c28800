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
  private func expectBase(_ fingerprint: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let base = scratch.path + "/a/" + (files.last ?? "")
    let digest = try FileDigest.of(file: base)
    #expect(files == ["store.sqlite", "store.sqlite.base-\(fingerprint)-\(digest)"], sourceLocation: sourceLocation)
  }

  // MARK: The base

  @Test func `the seed is kept beside the store and an unchanged one changes nothing`() throws {
    let one = try seed(1)
    #expect(try upgrade(one) == .copied)
    let fingerprint = try Seed(one.path).fingerprint
    try expectBase(fingerprint)
    let before = snapshot(scratch.path)
    guard case .reused(let reason) = try upgrade(one) else { return #expect(Bool(false)) }
    #expect(reason.hasSuffix("which is the shipped seed"))
    #expect(snapshot(scratch.path) == before)
  }

  @Test func `the base is the new seed afterwards`() throws {
    _ = try upgrade(try seed(1))
    try edit("UPDATE zone SET comment = 'home' WHERE id = 1")
    let two = try seed(2, "UPDATE zone SET name = 'Europe/Kyiv' WHERE id = 2")
    let report = try report(two)
    #expect(report.from.version == 1 && report.to.version == 2 && report.tables.map(\.name) == ["zone"])
    try expectBase(try Seed(two.path).fingerprint)
    #expect(
      try rows("SELECT name, comment FROM zone ORDER BY id") == ["'Europe/Prague' 'home'", "'Europe/Kyiv' NULL", "'Asia/Calcutta' NULL"])
    #expect(try rows("PRAGMA user_version") == ["2"])
    guard case .reused = try upgrade(two) else { return #expect(Bool(false)) }
  }

  /// An older release of the app was started on the store of a newer one.
  @Test func `a seed of an earlier version is not merged`() throws {
    let (one, two) = (try seed(1), try seed(2, "UPDATE zone SET offset = 0; DELETE FROM change"))
    _ = try upgrade(one)
    _ = try upgrade(two)
    let before = snapshot(scratch.path)
    guard case .reused(let reason) = try upgrade(one) else { return #expect(Bool(false)) }
    #expect(reason.hasSuffix("and the shipped seed is of version 1, which is earlier"), "\(reason)")
    #expect(try bootstrapper(one, entities: [], applicationID: nil).previewUpgrade(of: store, conflicts: .keepMine) == nil)
    #expect(snapshot(scratch.path) == before)
    #expect(
      try report(
        try seed(
          3,
          """
          UPDATE zone SET offset = 7;
          DELETE FROM change
          """)
      ).tables.map(\.changed) == [3])
  }

  /// The user's store is as sound as before; it is the base that is to go.
  @Test func `a base with a damaged page is told and can be done without`() throws {
    let many =
      "WITH i(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM i WHERE n < 3000) INSERT INTO zone SELECT n, 'zone ' || n, n, NULL FROM i"
    _ = try upgrade(try seed(1, many))
    try edit("UPDATE zone SET comment = 'mine' WHERE id = 20")
    let base = scratch.path + "/a/" + (try #require(files.first { $0.contains(".base-") }))
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: base))
    for page in 4..<12 {
      try handle.seek(toOffset: UInt64(page * 4096))
      try handle.write(contentsOf: Data(repeating: 0, count: 4096))
    }
    try handle.close()
    let two = try seed(2, many + "; UPDATE zone SET offset = offset + 1 WHERE id > 100")
    let before = try Data(contentsOf: store)
    let found = problem { try upgrade(two) }
    #expect(
      found?.kind == .missingBase && found?.path == base && found?.message.contains("adopting: true") == true,
      "\(String(describing: found))")
    #expect(try Data(contentsOf: store) == before)
    #expect(try upgrade(two, adopting: true) == .adopted(moved: [:]))
    #expect(try rows("SELECT comment FROM zone WHERE id = 20") == ["'mine'"])
    #expect(try report(try seed(3, many + "; UPDATE zone SET offset = 5 WHERE id > 2999")).tables.map(\.name) == ["zone"])
  }

  @Test func `a version may be skipped`() throws {
    _ = try upgrade(try seed(1))
    try edit(
      """
      UPDATE zone SET comment = 'mine' WHERE id = 3;
      DELETE FROM change WHERE zone = 1 AND at = 100
      """)
    // 2 would have brought the name that 3 takes away again.
    let report = try report(
      try seed(
        3,
        """
        UPDATE zone SET offset = 345 WHERE id = 3;
        INSERT INTO change VALUES (2, 300);
        DELETE FROM change WHERE at = 200
        """))
    let zone = try #require(report.tables.first { $0.name == "zone" })
    #expect(zone.editsKept == 1 && zone.conflicts.count == 1)
    #expect(try rows("SELECT zone, at FROM change ORDER BY 1, 2") == ["2 100", "2 300", "3 50"])
  }

  @Test func `a store without a base is refused until the word is said`() throws {
    _ = try bootstrapper(try seed(1), entities: [], applicationID: nil).bootstrap(store)
    try edit("UPDATE zone SET comment = 'home' WHERE id = 1")
    let two = try seed(2, "UPDATE zone SET offset = 0")
    let before = snapshot(scratch.path)
    let found = problem { try upgrade(two) }
    #expect(found?.kind == .missingBase && found?.message.contains("adopting: true") == true)
    #expect(
      problem { try bootstrapper(two, entities: [], applicationID: nil).previewUpgrade(of: store, conflicts: .keepMine) }?.kind
        == .missingBase)
    #expect(snapshot(scratch.path) == before)
    #expect(try upgrade(two, adopting: true) == .adopted(moved: [:]))
    #expect(try rows("SELECT offset FROM zone ORDER BY id") == ["60", "120", "330"])
    // From now on it is merged: what differs from the second seed is the user's.
    let report = try report(
      try seed(
        3,
        """
        UPDATE zone SET offset = 0;
        UPDATE zone SET comment = 'new' WHERE id = 2
        """), .takeSeed)
    #expect(report.tables.map(\.changed) == [1])
    #expect(try rows("SELECT offset, comment FROM zone ORDER BY id") == ["60 'home'", "0 'new'", "330 NULL"])
  }

  /// Nothing is lost then: the store says that it is of this very seed.
  @Test func `a store of the shipped seed gets its base without the word`() throws {
    let one = try seed(1)
    _ = try bootstrapper(one, entities: [], applicationID: nil).bootstrap(store)
    #expect(files == ["store.sqlite"])
    guard case .reused = try upgrade(one) else { return #expect(Bool(false)) }
    #expect(files.count == 2)
    #expect(try report(try seed(2, "UPDATE zone SET offset = 1 WHERE id = 1")).tables.map(\.changed) == [1])
  }

  @Test func `a damaged base is none`() throws {
    _ = try upgrade(try seed(1))
    let base = scratch.path + "/a/" + (try #require(files.last))
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: base))
    #expect(problem { try upgrade(try seed(2)) }?.kind == .missingBase)
  }

  /// Nothing is needed to open the store, and no base can have a name of this length.
  @Test func `a store of the shipped seed opens where its base cannot be kept`() throws {
    let one = try seed(1)
    let long = scratch.url("a/" + String(repeating: "s", count: 236))
    func start(_ policy: SeedPolicy) throws -> BootstrapReport.Outcome {
      try bootstrapper(one, entities: [], applicationID: nil).bootstrap(long, policy: policy).outcome
    }
    #expect(problem { try start(.upgrade(conflicts: .keepMine)) }?.kind == .unwritable)
    #expect(try start(.copyIfMissing) == .copied)
    guard case .reused = try start(.upgrade(conflicts: .keepMine)) else { return #expect(Bool(false)) }
    #expect(files == [long.lastPathComponent])
  }

  @Test func `a damaged base goes with its store and a person's file stays`() throws {
    _ = try upgrade(try seed(1))
    let base = URL(fileURLWithPath: scratch.path + "/a/" + (try #require(files.last)))
    let whole = try Data(contentsOf: base)
    // Damaged in its schema, and in its header.
    for (name, range) in [("store.sqlite.base-0123456789abcdef", 100..<4096), (base.lastPathComponent, 21..<22)] {
      var bytes = whole
      bytes.replaceSubrange(range, with: Data(repeating: 0xFF, count: range.count))
      try bytes.write(to: scratch.url("a/" + name))
    }
    let own = scratch.url("a/store.sqlite.base-fedcba9876543210")
    try Data("a person's".utf8).write(to: own)
    try StoreDescription.file(store).destroy()
    #expect(files == [own.lastPathComponent])
  }

  @Test func `a seed with a base's name is refused`() throws {
    let one = try seed(1)
    try FileManager.default.createDirectory(atPath: scratch.path + "/a", withIntermediateDirectories: true)
    let taken = scratch.url("a/store.sqlite.base-0123456789abcdef")
    try FileManager.default.copyItem(at: one, to: taken)
    #expect(problem { try upgrade(taken) }?.message.contains("keeps for its own files") == true)
    // A person's own file of such a name stays.
    #expect(try upgrade(one) == .copied)
    #expect(try Data(contentsOf: taken) == Data(contentsOf: one))
  }

  /// Each change of rows, of the schema and of the version makes another seed; reading or copying it does not.
  @Test func `seeds are told apart by their headers`() throws {
    let one = try seed(1)
    var seen: [String] = [try Seed(one.path).fingerprint]
    for sql in [
      "UPDATE zone SET offset = 61 WHERE id = 1", "CREATE INDEX i ON zone (offset)", "PRAGMA user_version = 2", "PRAGMA application_id = 5",
    ] {
      let queue = try DatabaseQueue(path: one.path)
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM zone") } == 3)
      try queue.close()
      seen.append(try Seed(one.path).fingerprint)
    }
    // Commits that only the WAL has.
    for name in ["first", "second"] {
      try Self.leaveInWAL(one, "CREATE TABLE \(name) (id INTEGER)")
      seen.append(try Seed(one.path).fingerprint)
    }
    #expect(Set(seen).count == 7, "\(seen)")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: one.path + suffix, toPath: scratch.path + "/copy" + suffix)
    }
    #expect(try Seed(scratch.path + "/copy").fingerprint == seen.last)
  }

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
