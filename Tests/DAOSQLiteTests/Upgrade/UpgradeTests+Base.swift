import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

// The base: the seed that the store was made from, or upgraded to last.
extension UpgradeTests {
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
}
