import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("Migration: nothing lasts before the end")
struct MigrationSafetyTests {
  static let sql =
    """
    CREATE TABLE item (id INTEGER PRIMARY KEY NOT NULL, name TEXT, size TEXT);
    INSERT INTO item VALUES (1, 'a', '7');
    """
  static let wanted = EntityDescription(
    "item", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true), Attribute("size", .integer, optional: true)])

  struct Stop: Error {}

  @Test(arguments: [Migration.Script.Time.before, .after])
  func `a step that throws leaves the store as it was, whenever it comes`(_ time: Migration.Script.Time) throws {
    let store = try Migrated(Self.sql)
    let before = try Items.bytes(store.url)
    @Sendable func step(_ store: any RawSQLStore) throws {
      _ = try store.execute("UPDATE item SET name = 'changed'")
      throw Stop()
    }
    let steps: [Migration.Script] = [time == .before ? .before(2, "stop", step) : .after(2, "stop", step)]
    #expect(throws: Stop.self) { try store.migrate([Self.wanted], Migration(steps: steps)) }
    #expect(try Items.bytes(store.url) == before)
    #expect(try store.rows("SELECT * FROM item") == ["1 'a' '7'"] && store.rows("PRAGMA user_version") == ["1"])
  }

  @Test(arguments: [true, false])
  func `a step in which SQLite itself rolls everything back ends the migration, though the step goes on`(_ isBefore: Bool) throws {
    let store = try Migrated(
      Self.sql + "CREATE TABLE once (id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK NOT NULL); INSERT INTO once VALUES (1);")
    let before = try Items.bytes(store.url)
    @Sendable func step(_ store: any RawSQLStore) throws {
      _ = try store.execute("UPDATE item SET name = 'changed'")
      _ = try? store.execute("INSERT INTO once VALUES (1)")
    }
    let steps: [Migration.Script] = [isBefore ? .before(2, "careless", step) : .after(2, "careless", step)]
    #expect(
      try store.problems([Self.wanted], Migration(steps: steps)).map(\.message) == [
        "to version 2: careless: a statement of it has rolled everything back"
      ])
    #expect(try Items.bytes(store.url) == before)
  }

  @Test func `a filling is for what needs a value: nulls that may be stay, whatever becomes of the type`() throws {
    let store = try Migrated(Self.sql + "INSERT INTO item VALUES (2, 'b', NULL);")
    try store.migrate([Self.wanted], Migration(.fill("item", "size", with: 0)))
    #expect(try store.rows("SELECT size FROM item ORDER BY id") == ["7", "NULL"])
  }

  @Test(arguments: [false, true])
  func `asking whether it is due, and rehearsing it, leave every byte and every file as it was`(_ hasWAL: Bool) throws {
    let store = try Migrated(Self.sql)
    if hasWAL {
      try Items.addInWAL(store.url, "more", count: 3)
    }
    let before = snapshot(store.scratch.path)
    let made = bootstrapper(nil, entities: [Self.wanted], applicationID: nil, version: 2, migration: .automatic)
    #expect(try made.requiresMigration(store.url))
    #expect(snapshot(store.scratch.path) == before)
    let report = try #require(try made.rehearseMigration(store.url))
    #expect(report.steps.map(\.description) == ["item: turn size from TEXT into INTEGER"] && report.backup == nil)
    #expect(report.rows == ["item": hasWAL ? 4 : 1])
    #expect(snapshot(store.scratch.path) == before)
    #expect(try store.migrate([Self.wanted])?.steps == report.steps)
    #expect(try !made.requiresMigration(store.url) && made.rehearseMigration(store.url) == nil)
    #expect(try !made.requiresMigration(store.scratch.url("none")))
    #expect(!FileManager.default.fileExists(atPath: store.scratch.url("none").path))
  }

  @Test func `nobody else may look at the copy that is rehearsed on`() throws {
    let store = try Migrated(Self.sql)
    let seen = Seen()
    let migration = Migration(steps: [
      .before(2, "looks") { _ in
        let temporary = FileManager.default.temporaryDirectory
        for folder in try FileManager.default.contentsOfDirectory(atPath: temporary.path) where folder.hasPrefix("dao-memory-") {
          let found = try? FileManager.default.attributesOfItem(atPath: temporary.path + "/" + folder)[.posixPermissions] as? NSNumber
          if let found { seen.add(found.intValue) }
        }
      }
    ])
    let made = bootstrapper(nil, entities: [Self.wanted], applicationID: nil, version: 2, migration: migration)
    #expect(try made.rehearseMigration(store.url) != nil)
    #expect(Set(seen.permissions) == [0o700])
  }

  @Test func `an error is no error of the store's where somebody wrote meanwhile`() throws {
    // Closed, and in WAL mode: nothing tells a reader of writers.
    let store = try Migrated(Self.sql + "; PRAGMA journal_mode = WAL")
    let paths = StorePaths(store: store.url.path)
    struct Garbled: Error {}
    var looks = 0
    let found = try StoreFiles.looking(at: paths) { files in
      looks += 1
      if looks == 1 {
        try Items.run(store.url, "INSERT INTO item (name) VALUES ('late')")
        throw Garbled()
      }
      return try files.open { try $0.bareRows("SELECT count(*) FROM item WHERE name = 'late'") { $0.integer(0) } }
    }
    #expect(looks == 2 && found == [1])
    #expect(throws: Garbled.self) { try StoreFiles.looking(at: paths) { _ in throw Garbled() } }
  }

  @Test func `a store that is not to be migrated says so by its differences`() throws {
    let store = try Migrated(Self.sql)
    let unfit = bootstrapper(nil, entities: [Self.wanted], applicationID: nil, version: 2)
    #expect(try unfit.requiresMigration(store.url))
    // What opening the store throws.
    #expect { try unfit.rehearseMigration(store.url) } throws: { error in
      if case DAOError.schemaMismatch(_, let differences) = error { !differences.isEmpty } else { false }
    }
    #expect(try unfit.rehearseMigration(store.scratch.url("none")) == nil)
    let fitting = EntityDescription(
      "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)])
    let fit = bootstrapper(nil, entities: [fitting], applicationID: nil, version: 2)
    #expect(try !fit.requiresMigration(store.url) && fit.rehearseMigration(store.url) == nil)
  }

  @Test func `what is no store, another app's or a later one is neither migrated nor rehearsed`() throws {
    let store = try Migrated(Self.sql, version: 9)
    let made = bootstrapper(nil, entities: [Self.wanted], applicationID: nil, version: 2, migration: .automatic)
    #expect(problem { try made.requiresMigration(store.url) }?.kind == .newerVersion)
    #expect(problem { try made.rehearseMigration(store.url) }?.kind == .newerVersion)
    try Data(repeating: 7, count: 5000).write(to: store.url)
    #expect(problem { try made.requiresMigration(store.url) }?.kind == .notADatabase)
  }

  @Test func `a backup is made before what can't be undone, once, and none before what can`() throws {
    let store = try Migrated(Self.sql)
    let report = try #require(try store.migrate([Self.wanted]))
    #expect(report.backup?.path == store.url.path + ".before-migration")
    let queue = try DatabaseQueue(path: store.url.path + ".before-migration")
    #expect(try queue.read { try String.fetchAll($0, sql: "SELECT size FROM item") } == ["7"])
    try queue.close()
    let more = EntityDescription(
      "item", key: .generated("id"), attributes: Self.wanted.attributes + [Attribute("note", .text, optional: true)])
    #expect(try store.migrate([more], version: 3)?.backup == nil)
  }

  @Test func `a seed of an older form is migrated as it is copied, and its file is not touched`() throws {
    let scratch = try Scratch()
    let seed = scratch.url("seed")
    try Items.make(seed, "s", count: 5)
    let before = try Data(contentsOf: seed)
    let entity = EntityDescription(
      "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text, renamedFrom: ["name"])])
    for policy in [SeedPolicy.copyIfMissing, .replace] {
      let made = bootstrapper(seed, entities: [entity], migration: .automatic)
      let report = try made.bootstrap(scratch.url("store of \(policy)"), policy: policy)
      #expect(report.outcome == .copied)
      #expect(report.migration?.steps.map(\.description) == ["item: rename name to title"])
    }
    #expect(try Data(contentsOf: seed) == before)
    let memory = try DatabaseQueue()
    let loaded = try memory.writeWithoutTransaction { try bootstrapper(seed, entities: [entity], migration: .automatic).load(into: $0) }
    #expect(loaded.migration?.steps.count == 1)
    #expect(try memory.read { try Int.fetchOne($0, sql: "SELECT count(title) FROM item") } == 5)
  }

  @Test func `a step to a version that the store will not have is refused`() throws {
    let store = try Migrated(Self.sql)
    for version in [nil, 1, 2] as [Int32?] {
      #expect {
        try store.migrate([Self.wanted], Migration(steps: [.before(3, "x") { _ in }]), version: version)
      } throws: { error in
        if case DAOError.misuse = error { true } else { false }
      }
    }
  }

  @Test func `steps run once each, in the order of their versions, and only those that the store has before it`() throws {
    let store = try Migrated(Self.sql, version: 2)
    func step(_ version: Int32, _ name: String) -> Migration.Script {
      .before(version, name) { store in _ = try store.execute("UPDATE item SET name = name || \(name)") }
    }
    let steps = Migration(steps: [step(4, "d"), step(2, "b"), step(3, "c"), step(4, "e")])
    let report = try #require(try store.migrate([Self.wanted], steps, version: 4))
    #expect(report.oldVersion == 2 && report.newVersion == 4)
    #expect(try store.rows("SELECT name FROM item") == ["'acde'"])
    #expect(try store.migrate([Self.wanted], steps, version: 4) == nil)
  }

  @Test func `progress is told step by step`() throws {
    let store = try Migrated(Self.sql)
    let told = ToldSteps()
    let migration = Migration(steps: [.before(2, "first") { _ in }]) { progress in
      told.add("\(progress.number)/\(progress.count) \(progress.step)")
    }
    try store.migrate([Self.wanted], migration)
    #expect(told.lines == ["1/2 to version 2: first", "2/2 item: turn size from TEXT into INTEGER"])
  }

  @Test func `asking through a link, without the WAL's index and beside a hot journal leaves every byte and file as it was`() throws {
    let item = EntityDescription(
      "item", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("note", .text, optional: true)])
    let made = bootstrapper(nil, entities: [item], applicationID: nil, version: 2, migration: .automatic)
    let sql = """
      CREATE TABLE item (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
      INSERT INTO item VALUES (1, 'a');
      """
    func ask(_ url: URL, in folder: String) throws {
      let before = try everything(in: folder)
      #expect(try made.requiresMigration(url))
      #expect(try made.rehearseMigration(url)?.steps.map(\.description) == ["item: add note"])
      #expect(try everything(in: folder) == before)
    }
    let (store, links) = (try Migrated(sql), try Scratch())
    try Items.addInWAL(store.url, "more", count: 3)
    try FileManager.default.createSymbolicLink(at: links.url("link"), withDestinationURL: store.url)
    try ask(links.url("link"), in: store.scratch.path)
    try? FileManager.default.removeItem(atPath: store.url.path + "-shm")
    try ask(store.url, in: store.scratch.path)

    // A writer was killed, and has left a journal that is to be played back.
    let (writer, left) = (try Migrated(sql), try Scratch())
    let queue = try DatabaseQueue(path: writer.url.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 5")
      try db.execute(
        sql: "WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO item SELECT i, hex(randomblob(100)) FROM n")
      try db.execute(sql: "BEGIN; UPDATE item SET name = name || '!'")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: writer.url.path + suffix, toPath: left.path + "/store" + suffix)
      }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    try ask(left.url("store"), in: left.path)
  }
}

/// What was told, from any thread.
private final class ToldSteps: @unchecked Sendable {
  let lock = NSLock()
  var told: [String] = []

  func add(_ line: String) { lock.withLock { told.append(line) } }

  var lines: [String] { lock.withLock { told } }
}

extension Items {
  static func bytes(_ url: URL) throws -> Data { try Data(contentsOf: url) }
}

private final class Seen: @unchecked Sendable {
  let lock = NSLock()
  var found: [Int] = []

  func add(_ permissions: Int) { lock.withLock { found.append(permissions) } }
  var permissions: [Int] { lock.withLock { found } }
}
