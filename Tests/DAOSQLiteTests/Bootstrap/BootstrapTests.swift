import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What a bootstrap does, and what it says about it.
@Suite struct BootstrapTests {
  let scratch: Scratch
  let seed: URL
  let store: URL

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    store = scratch.url("a/b/store.sqlite")
    try Items.make(seed, "one")
  }

  private func stateOfStore(_ url: URL) throws -> StoreState { try SQLiteFile.open(url.path) { try StoreState(reading: $0) } }

  private var filesBesideStore: [String] { snapshot(scratch.path + "/a/b").keys.sorted() }

  @Test func `a missing store is copied once and then reused`() throws {
    let before = snapshot(scratch.path)
    let first = try bootstrapper(seed).bootstrap(store)
    #expect(first.outcome == .copied)
    #expect(try Items.read(store) == Items.names("one", 120))
    #expect(first.seedSize == before["seed.sqlite"].map { Int64($0.count) })
    #expect(first.storeSize == FileManager.default.contents(atPath: store.path).map { Int64($0.count) })
    #expect(first.seedVersion == 3 && first.storeVersion == 3)
    #expect(filesBesideStore == ["store.sqlite"])

    try DatabaseQueue(path: store.path).write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('mine')") }
    let copied = snapshot(scratch.path)
    let second = try bootstrapper(seed).bootstrap(store)
    guard case .reused(let reason) = second.outcome else { return #expect(Bool(false), "\(second)") }
    #expect(reason.contains("made from seed.sqlite, version 3"))
    #expect(snapshot(scratch.path) == copied)
    #expect(snapshot(scratch.path)["seed.sqlite"] == before["seed.sqlite"])
  }

  @Test func `reusing needs no seed`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    try FileManager.default.removeItem(at: seed)
    guard case .reused = try bootstrapper(seed).bootstrap(store).outcome else { return #expect(Bool(false)) }
  }

  @Test func `the report reads well`() throws {
    let lines = try bootstrapper(seed).bootstrap(store).description.split(separator: "\n").map(String.init)
    #expect(lines[0] == "store: \(store.path)")
    #expect(lines[1] == "       copied from \(seed.path)")
    #expect(lines[2].hasPrefix("seed:  ") && lines[2].hasSuffix(", version 3"))
    #expect(lines[3].hasPrefix("now:   ") && lines[3].hasSuffix(", version 3"))
    #expect(lines[4].hasPrefix("time:  "))
    #expect(try bootstrapper(seed).bootstrap(store).description.contains("reused: it is there, made from seed.sqlite, version 3, on 20"))
  }

  @Test func `the store is not in WAL mode and knows its seed`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    let bytes = try Data(contentsOf: store)
    #expect(bytes[18] == 1 && bytes[19] == 1)
    let (state, schema) = try SQLiteFile.open(store.path) { (try StoreState(reading: $0), try StoreSchema(reading: $0)) }
    #expect(state.stamp?.name == "seed.sqlite")
    #expect(state.stamp?.fingerprint == (try Seed(seed.path).fingerprint))
    #expect(schema.tables.map(\.name) == ["item"])
  }

  /// A store can be shipped as a seed again; a table of the stamp's name that is no stamp is not thrown away.
  @Test func `the stamp of an earlier copy is replaced and a table of its name is not`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    let next = scratch.url("next/store")
    #expect(try bootstrapper(store).bootstrap(next).outcome == .copied)
    #expect(try stateOfStore(next).stamp?.fingerprint == Seed(store.path).fingerprint)

    try DatabaseQueue(path: seed.path).write { try $0.execute(sql: "CREATE TABLE dao_seed (tree TEXT)") }
    let before = snapshot(scratch.path)
    #expect(throws: DAOError.self) { try bootstrapper(seed).bootstrap(scratch.url("other/store")) }
    #expect(snapshot(scratch.path) == before)
  }

  @Test(arguments: [
    "INSERT INTO dao_seed VALUES (NULL, NULL, NULL, NULL, NULL)", "INSERT INTO dao_seed VALUES ('s', 'many', 3, 'f', 1)",
    "INSERT INTO dao_seed VALUES ('s', 1, 9999999999, 'f', 1)", "INSERT INTO dao_seed VALUES (1.5, x'00', 'three', 4, 'now')",
    "INSERT INTO dao_seed VALUES ('s', 1, 3, 'f', 9223372036854775807)", "SELECT 1",
    """
    DROP TABLE dao_seed;
    CREATE VIEW dao_seed AS SELECT NULL AS name, 'x' AS size, 1e99 AS version, NULL AS fingerprint, '' AS copied_at
    """,
  ])
  func `a stamp with odd values is none`(statement: String) throws {
    try DatabaseQueue(path: seed.path).write { db in
      try db.execute(sql: "CREATE TABLE dao_seed (name, size, version, fingerprint, copied_at); " + statement)
    }
    let old = scratch.url("old")
    try FileManager.default.copyItem(at: seed, to: old)
    let reused = try bootstrapper(seed).bootstrap(old)
    #expect(reused.outcome == .reused(reason: "it is there, and was not made from a seed"))
    #expect(try bootstrapper(seed).useInPlace().outcome == .inPlace)
    guard statement.contains("VIEW") else {
      #expect(try bootstrapper(seed).bootstrap(store).outcome == .copied)
      return #expect(try stateOfStore(store).stamp?.fingerprint == Seed(seed.path).fingerprint)
    }
    #expect(throws: DAOError.self) { try bootstrapper(seed).bootstrap(store) }
  }

  @Test func `any path will do`() throws {
    let folder = scratch.url("a b%20?c=1#d&é\"'/")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let odd = folder.appendingPathComponent("seed ?#.sqlite")
    try FileManager.default.copyItem(at: seed, to: odd)
    let store = folder.appendingPathComponent("store ?#%41.sqlite")
    #expect(try bootstrapper(odd).bootstrap(store).outcome == .copied)
    guard case .reused = try bootstrapper(odd).bootstrap(store).outcome else { return #expect(Bool(false)) }
    #expect(try bootstrapper(odd).useInPlace().storeVersion == 3)
    let next = folder.appendingPathComponent("next?")
    try Items.make(scratch.url("next"), "two")
    try FileManager.default.moveItem(at: scratch.url("next"), to: next)
    guard case .replaced = try bootstrapper(next).bootstrap(store, policy: .replace).outcome else { return #expect(Bool(false)) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.contains(".backup-") }.sorted()
    #expect(files == ["next?", "seed ?#.sqlite", "store ?#%41.sqlite"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).count == 2)
  }

  @Test func `a resource of a bundle is a seed`() throws {
    let folder = scratch.url("Some.bundle")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: seed, to: folder.appendingPathComponent("shipped.sqlite"))
    let bundle = try #require(Bundle(url: folder))
    #expect(try StoreBootstrapper(seed: .resource("shipped.sqlite", in: bundle)).bootstrap(store).outcome == .copied)
    let missing = problem { try StoreBootstrapper(seed: .resource("other.sqlite", in: bundle)).bootstrap(scratch.url("other")) }
    #expect(missing?.kind == .missingSeed)
    #expect(missing?.path.hasSuffix("Some.bundle/other.sqlite") == true)
  }

  @Test func `without a seed an empty store is made from the entities`() throws {
    let report = try bootstrapper(nil).bootstrap(store)
    #expect(report.outcome == .created)
    #expect(try Items.read(store) == [])
    let state = try stateOfStore(store)
    #expect(state.applicationID == 7 && state.version == 9)
    #expect(filesBesideStore == ["store.sqlite"])
    guard case .reused = try bootstrapper(nil, version: 9).bootstrap(store).outcome else { return #expect(Bool(false)) }
  }

  @Test func `a file without bytes is no store`() throws {
    try FileManager.default.createDirectory(at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: store)
    #expect(try bootstrapper(seed).bootstrap(store).outcome == .copied)
    #expect(try Items.read(store) == Items.names("one", 120))
  }

  @Test func `a link to the store stays a link`() throws {
    try FileManager.default.createDirectory(at: scratch.url("real"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: scratch.url("link"), withDestinationURL: scratch.url("real"))
    #expect(try bootstrapper(seed).bootstrap(scratch.url("link/store")).outcome == .copied)
    #expect(try Items.read(scratch.url("real/store")).count == 120)
  }

  // A WAL and a seed.

  @Test func `a WAL beside the seed is folded in`() throws {
    try Items.addInWAL(seed, "late") { try $0.execute(sql: "PRAGMA user_version = 4") }
    let before = snapshot(scratch.path)
    let report = try bootstrapper(seed).bootstrap(store)
    #expect(report.seedVersion == 4 && report.storeVersion == 4)
    #expect(try Items.read(store) == (Items.names("one", 120) + Items.names("late", 20)).sorted())
    #expect(filesBesideStore == ["store.sqlite"])
    #expect(snapshot(scratch.path).filter { before[$0.key] != nil } == before)
  }

  /// The files beside it lie beside the file, and not beside the link to it.
  @Test func `the WAL or journal of a seed that is a link counts`() throws {
    try FileManager.default.createDirectory(at: scratch.url("links"), withIntermediateDirectories: true)
    let link = scratch.url("links/link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: seed)
    try Items.addInWAL(seed, "late")
    let report = try bootstrapper(link).bootstrap(store)
    #expect(report.seed == link.path)
    #expect(try Items.read(store).count == 140)

    let hot = scratch.url("hot.sqlite")
    try Items.make(scratch.url("work"), "kept", count: 3000)
    let queue = try DatabaseQueue(path: scratch.url("work").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE item SET name = name || ' changed'")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: scratch.url("work").path + suffix, toPath: hot.path + suffix)
      }
      try db.execute(sql: "ROLLBACK")
    }
    let second = scratch.url("links/hot")
    try FileManager.default.createSymbolicLink(at: second, withDestinationURL: hot)
    _ = try bootstrapper(second).bootstrap(scratch.url("from hot"))
    #expect(try Items.read(scratch.url("from hot")) == Items.names("kept", 3000))
    #expect(problem { try bootstrapper(second).useInPlace() }?.path == second.path)
  }

  @Test func `a WAL that the seed does not know of is not its own`() throws {
    let other = scratch.url("other.sqlite")
    try Items.make(other, "other")
    try Items.addInWAL(other, "late")
    try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: seed.path + "-wal")
    _ = try bootstrapper(seed).bootstrap(store)
    #expect(try Items.read(store) == Items.names("one", 120))
  }

  /// SQLite would play a WAL or journal that lies beside a new file into it, and find nothing wrong with that.
  @Test(arguments: ["-wal", "-journal"])
  func `what an earlier store left is not played into the new one`(suffix: String) throws {
    let old = scratch.url("old.sqlite")
    try FileManager.default.createDirectory(at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Items.make(old, "old", count: 3000)
    if suffix == "-wal" {
      try Items.addInWAL(old, "late", count: 500)
      try FileManager.default.copyItem(atPath: old.path + suffix, toPath: store.path + suffix)
    } else {
      let queue = try DatabaseQueue(path: old.path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE item SET name = name || ' changed'")
        try FileManager.default.copyItem(atPath: old.path + suffix, toPath: store.path + suffix)
        try db.execute(sql: "ROLLBACK")
      }
    }
    // The danger is real: it changes a file that is put there without care.
    try FileManager.default.copyItem(at: seed, to: store)
    #expect((try? Items.read(store)) != Items.names("one", 120))
    try FileManager.default.removeItem(at: store)

    _ = try bootstrapper(seed).bootstrap(store)
    #expect(try Items.read(store) == Items.names("one", 120))
    #expect(filesBesideStore == ["store.sqlite"])
  }

  @Test func `leftovers of killed starts are cleared`() throws {
    try FileManager.default.createDirectory(at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
    let paths = StorePaths(store: store.path)
    for path in [paths.incoming, paths.incoming + "-wal", paths.incoming + "-journal", paths.outgoing, paths.lock] {
      try Data(path == paths.lock ? [] : Array("SQLite".utf8)).write(to: URL(fileURLWithPath: path))
    }
    _ = try bootstrapper(seed).bootstrap(store)
    #expect(filesBesideStore == ["store.sqlite"])
    #expect(try Items.read(store) == Items.names("one", 120))
  }

  /// A lock on a file that its last holder has removed keeps nobody out.
  @Test func `only one holds the lock at a time`() throws {
    let paths = StorePaths(store: scratch.path + "/locked")
    let inside = Told()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<6000 {
        guard let lock = try? StoreLock(paths, timeout: .seconds(20)) else { return inside.add(-1, 0) }
        inside.enter()
        inside.leave()
        withExtendedLifetime(lock) {}
      }
    }
    #expect(inside.all.isEmpty)
    #expect(snapshot(scratch.path).keys.sorted() == ["seed.sqlite"])
  }

  // Size.

  @Test func `progress is reported for large seeds`() throws {
    let queue = try DatabaseQueue(path: seed.path)
    try queue.write { try $0.execute(sql: "INSERT INTO item (name) VALUES (hex(zeroblob(10000000)))") }
    try queue.close()
    let told = Told()
    let report = try bootstrapper(seed) { told.add($0, $1) }.bootstrap(store)
    let size = try #require(report.seedSize)
    #expect(told.all.allSatisfy { $0.1 == size })
    #expect(told.all.map(\.0) == told.all.map(\.0).sorted())
    #expect(told.all.last?.0 == size)
    // A clone is done at once.
    #expect(told.all.count == 1 || told.all.contains { 0 < $0.0 && $0.0 < size })
  }

  /// What is read of a store that is there does not grow with it: its pages may be damaged, as long as nobody asks for them.
  @Test func `reusing does not read the rows`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: "INSERT INTO item (name) VALUES (hex(zeroblob(1000000)))") }
    try queue.close()
    let file = try FileHandle(forUpdating: store)
    try file.seek(toOffset: 1_000_000)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 100_000))
    try file.close()
    guard case .reused = try bootstrapper(seed).bootstrap(store).outcome else { return #expect(Bool(false)) }
  }
}

private final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var told: [(Int64, Int64)] = []
  func add(_ done: Int64, _ total: Int64) { lock.withLock { told.append((done, total)) } }
  private var inside: Int64 = 0
  func enter() {
    lock.withLock {
      inside += 1
      if inside > 1 { told.append((inside, 0)) }
    }
  }
  func leave() { lock.withLock { inside -= 1 } }
  var all: [(Int64, Int64)] { lock.withLock { told } }
}
