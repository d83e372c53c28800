import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// When a store is replaced by another seed, and what stays of it.
@Suite struct BootstrapReplaceTests {
  let scratch: Scratch
  let seed: URL
  let store: URL

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    store = scratch.url("a/b/store.sqlite")
    try Items.make(seed, "one")
  }

  private var filesBesideStore: [String] { snapshot(scratch.path + "/a/b").keys.sorted() }

  @Test func `another seed replaces the store and keeps a backup until it has opened`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    try Items.addInWAL(store, "mine")
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two", version: 4)
    let report = try bootstrapper(next).bootstrap(store, policy: .replace)
    #expect(report.outcome == .replaced(reason: "it was made from seed.sqlite, version 3, which is another seed"))
    #expect(report.storeVersion == 4)
    #expect(try Items.read(store) == Items.names("two", 120))
    let backup = try #require(report.backups.first)
    #expect(report.backups.count == 1)
    #expect(try Items.read(backup) == (Items.names("one", 120) + Items.names("mine", 20)).sorted())
    #expect(filesBesideStore == ["store.sqlite", backup.lastPathComponent])
    #expect(report.description.contains("saved: \(backup.path)"))

    // Another start before the store has opened still knows the backup.
    let again = try bootstrapper(next).bootstrap(store, policy: .replace)
    guard case .reused(let reason) = again.outcome else { return #expect(Bool(false), "\(again)") }
    #expect(reason.contains("which is the shipped seed"))
    #expect(again.backups == report.backups)
    try again.storeHasOpened()
    #expect(filesBesideStore == ["store.sqlite"])
  }

  @Test func `the same seed replaces nothing`() throws {
    _ = try bootstrapper(seed).bootstrap(store, policy: .replace)
    try DatabaseQueue(path: store.path).write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('mine')") }
    guard case .reused = try bootstrapper(seed).bootstrap(store, policy: .replace).outcome else { return #expect(Bool(false)) }
    #expect(try Items.read(store).contains("mine"))
  }

  @Test func `a store that does not say its seed is replaced and saved`() throws {
    let foreign = scratch.url("foreign.sqlite")
    try Items.make(foreign, "foreign")
    let report = try bootstrapper(seed).bootstrap(foreign, policy: .replace)
    #expect(report.outcome == .replaced(reason: "it does not say which seed it was made from"))
    #expect(try report.backups.map(Items.read) == [Items.names("foreign", 120)])
  }

  /// Two replacements without an opening between them: the first store's commits are the ones that matter.
  @Test func `a backup is not overwritten by its successor`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    try Items.addInWAL(store, "mine")
    for label in ["two", "three"] {
      let next = scratch.url("\(label).sqlite")
      try Items.make(next, label)
      _ = try bootstrapper(next).bootstrap(store, policy: .replace)
    }
    let backups = try StorePaths(store: store.path).backups().map(Items.read)
    #expect(backups.count == 2)
    #expect(backups.contains((Items.names("one", 120) + Items.names("mine", 20)).sorted()))
  }

  @Test func `a store that is open is not replaced`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    let open = try DatabasePool(path: store.path)
    try open.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('mine')") }
    let found = problem { try bootstrapper(next, lockTimeout: .milliseconds(50)).bootstrap(store, policy: .replace) }
    #expect(found?.kind == .locked && found?.message == "the store is open elsewhere and can't be replaced")
    #expect(try open.read { try String.fetchAll($0, sql: "SELECT name FROM item WHERE name = 'mine'") } == ["mine"])
    try open.close()
    #expect(filesBesideStore.filter { !$0.hasSuffix("-wal") } == ["store.sqlite"])
  }

  #if os(Linux)
    /// Who has the store open gets the time that was given to close it.
    @Test func `a store that is closed in time is replaced`() throws {
      _ = try bootstrapper(seed).bootstrap(store)
      let next = scratch.url("next.sqlite")
      try Items.make(next, "two")
      let open = try DatabasePool(path: store.path)
      try open.write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('mine')") }
      #expect(try Probe.bootstrap(next, store, policy: .replace, lockTimeout: 0).output.contains("is open elsewhere and can't be replaced"))
      let closed = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.3)
        try? open.close()
        closed.signal()
      }
      let end = try Probe.bootstrap(next, store, policy: .replace, lockTimeout: 3600)
      closed.wait()
      #expect(end.output == "begin\nend replaced\n")
      #expect(try Items.read(store) == Items.names("two", 120))
      #expect(try StorePaths(store: store.path).backups().flatMap(Items.read).contains("mine"))
    }
  #endif

  @Test(arguments: [0o600, 0o640, 0o666])
  func `a store that is replaced stays as private as it was`(permissions: Int) throws {
    _ = try bootstrapper(seed).bootstrap(store)
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: store.path)
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    let report = try bootstrapper(next).bootstrap(store, policy: .replace)
    let backup = try #require(report.backups.first)
    for path in [store.path, backup.path] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(found?.intValue == permissions)
    }
  }

  @Test func `opening a store removes its backup when it has opened`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    let paths = StorePaths(store: store.path)
    let seen = Seen()
    let (engine, report) = try StoreDescription.file(store, seed: .file(next), policy: .replace).open(
      [item], statements: StatementObserver { _ in seen.add((try? paths.backups().map(Items.read)) ?? []) })
    withExtendedLifetime(engine) {}
    #expect(report.backups.count == 1)
    #expect(seen.all.last == [Items.names("one", 120)])
    #expect(try paths.backups().isEmpty)
  }

  @Test func `the backup stays when the store does not open`() throws {
    _ = try bootstrapper(seed).bootstrap(store)
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    let store = store
    // Damages the store between the bootstrap and the switch to WAL mode.
    let failing = StoreDescription.file(store, seed: .file(next), policy: .replace)
    #expect(throws: (any Error).self) {
      try failing.open(
        [item],
        statements: StatementObserver { statement in
          if statement.sql.contains("journal_mode = WAL") { try? Data(repeating: 65, count: 100).write(to: store) }
        })
    }
    #expect(try StorePaths(store: store.path).backups().map(Items.read) == [Items.names("one", 120)])
  }
}

private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var seen: [[[String]]] = []
  func add(_ names: [[String]]) { lock.withLock { seen.append(names) } }
  var all: [[[String]]] { lock.withLock { seen } }
}
