import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What lies beside a store, and whose it is.
@Suite struct BootstrapNamesTests {
  let scratch: Scratch
  let seed: URL
  let store: URL

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    store = scratch.url("store.sqlite")
    try Items.make(seed, "one")
  }

  @Test(arguments: [SeedPolicy.copyIfMissing, .replace])
  func `a person's own files with a backup's name stay`(policy: SeedPolicy) throws {
    _ = try StoreDescription.file(store, seed: .file(seed)).open([item])
    // A copy of the store by hand has a stamp too, of another time than its name tells.
    for name in ["mine", "20240101", "1x", ""] {
      try FileManager.default.copyItem(atPath: store.path, toPath: store.path + ".backup-" + name)
    }
    try Data("text".utf8).write(to: URL(fileURLWithPath: store.path + ".backup-0"))
    try Data().write(to: URL(fileURLWithPath: store.path + ".backup-1"))
    try FileManager.default.createDirectory(atPath: store.path + ".backup-2", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: store.path + ".backup-3", withDestinationPath: seed.path)
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    let before = snapshot(scratch.path).filter { $0.key.contains(".backup-") }
    #expect(before.count == 8)
    for shipped in [seed, next] {
      let (engine, report) = try StoreDescription.file(store, seed: .file(shipped), policy: policy).open([item])
      withExtendedLifetime(engine) {}
      #expect(report.backups.count == (policy.looksAtSeed && shipped == next ? 1 : 0))
      #expect(report.backups.allSatisfy { before[$0.lastPathComponent] == nil })
      #expect(snapshot(scratch.path).filter { $0.key.contains(".backup-") } == before)
    }
  }

  @Test func `what has the name of the backup to be made is not written over`() throws {
    try FileManager.default.moveItem(at: seed, to: store)
    try Data("text".utf8).write(to: URL(fileURLWithPath: store.path + ".backup-0"))
    try Items.make(seed, "two")
    let before = snapshot(scratch.path)
    #expect(problem { try bootstrapper(seed).bootstrap(store, policy: .replace) }?.path == store.path + ".backup-0")
    #expect(snapshot(scratch.path) == before)
  }

  /// A migration that can't be undone saves the store first, under a fixed name.
  @Test(arguments: ["text", "empty", "folder", "link"])
  func `a person's own file is not written over by the store before a migration`(kind: String) throws {
    try Items.make(store, "old", schema: "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, more TEXT)")
    let taken = store.path + ".before-migration"
    switch kind {
    case "folder": try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
    case "link": try FileManager.default.createSymbolicLink(atPath: taken, withDestinationPath: seed.path)
    default: try Data((kind == "text" ? "a person's" : "").utf8).write(to: URL(fileURLWithPath: taken))
    }
    let before = snapshot(scratch.path)
    let migrating = StoreDescription.file(store, version: 9, migration: Migration(.drop("item", "more")))
    let found = problem { try migrating.open([item]) }
    #expect(found?.path == taken && found?.message.contains("is taken") == true, "\(found as Any)")
    #expect(snapshot(scratch.path) == before)
    try FileManager.default.removeItem(atPath: taken)
    // An earlier one of its own is.
    try FileManager.default.copyItem(at: seed, to: URL(fileURLWithPath: taken))
    #expect(try migrating.open([item]).report.migration?.backup?.path == taken)
    #expect(try Items.read(URL(fileURLWithPath: taken)) == Items.names("old", 120))
  }

  @Test(arguments: [".incoming", ".outgoing", ".lock"])
  func `a person's own file is neither removed nor written over under the names of what a start makes`(mark: String) throws {
    let taken = URL(fileURLWithPath: store.path + mark)
    try Data("a person's".utf8).write(to: taken)
    let before = snapshot(scratch.path)
    let found = problem { try bootstrapper(seed).bootstrap(store, policy: .copyIfMissing) }
    #expect(found?.path == taken.path && found?.message.contains("is taken") == true, "\(found as Any)")
    #expect(snapshot(scratch.path) == before)
    // What a killed start has left goes: an empty file, one without its first bytes yet, and the beginning of a copy.
    for left in [[], [UInt8](repeating: 0, count: 5000), Array("SQLite form".utf8), Array("SQLite format 3\0 and so on".utf8)] {
      try Data(mark == ".lock" ? [] : left).write(to: taken)
      #expect(try bootstrapper(seed).bootstrap(store, policy: .copyIfMissing).outcome == .copied)
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["seed.sqlite", "store.sqlite"])
      try FileManager.default.removeItem(at: store)
    }
  }

  @Test func `a copy of a seed that is written over meanwhile is in no later start's way`() throws {
    let (seed, whole) = (seed, try Data(contentsOf: seed))
    // In place, as a copying tool would, when the seed has been looked at.
    let overwriting = bootstrapper(seed, progress: { done, _ in if done == 0 { try? Data(repeating: 7, count: 9000).write(to: seed) } })
    #expect(throws: DAOError.self) { try overwriting.bootstrap(store) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["seed.sqlite"])
    try whole.write(to: seed)
    #expect(try bootstrapper(seed).bootstrap(store).outcome == .copied)
  }

  /// A seed, and what is copied of it, may be private.
  @Test(arguments: [0o400, 0o444, 0o600, 0o640, 0o644, 0o666, 0o755])
  func `a copy is no wider than its source`(mode: Int) throws {
    func permissions(_ path: String) throws -> Int {
      (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: seed.path)
    let plain = scratch.url("plain")
    try OpenFile(plain.path, O_WRONLY | O_CREAT | O_EXCL).sync()
    let usual = try permissions(plain.path)
    try OpenFile(seed.path, O_RDONLY).copy(to: scratch.url("copy").path, permissions: nil) { _ in }
    _ = try bootstrapper(seed).bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    let base = try #require(try StorePaths(store: store.path).bases().first)
    for path in [scratch.url("copy").path, store.path] { #expect(try permissions(path) == usual & (mode | 0o600), "\(path)") }
    #expect(try permissions(base.path) == usual & (mode | 0o600))
  }

  @Test func `the folders of named stores are for nobody else`() throws {
    #expect(StoreDescription.named("notes").bootstrapper([]).folderPermissions == 0o700)
    #expect(StoreDescription.file(store).bootstrapper([]).folderPermissions == 0o755)
    var named = bootstrapper(seed)
    named.folderPermissions = 0o700
    _ = try named.bootstrap(scratch.url("a/b/c/store"))
    for folder in ["a", "a/b", "a/b/c"] {
      let found = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + folder)[.posixPermissions] as? NSNumber
      #expect(found?.intValue == 0o700)
    }
  }

  @Test(arguments: [
    ".lock", ".incoming", ".incoming-wal", ".incoming-shm", ".incoming-journal", ".outgoing", ".outgoing-wal", ".outgoing-journal",
    ".backup-0", ".backup-1700000000000", "-wal", "-journal",
  ])
  func `a seed with a name of the bootstrap's own is refused and stays`(suffix: String) throws {
    let other = scratch.url("other.sqlite")
    try FileManager.default.copyItem(at: seed, to: other)
    let odd = URL(fileURLWithPath: store.path + suffix)
    try FileManager.default.moveItem(at: seed, to: odd)
    let link = scratch.url("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: odd)
    for there in [false, true] {
      if there { try FileManager.default.copyItem(at: other, to: store) }
      let before = snapshot(scratch.path)
      for source in [odd, link] {
        for policy in [SeedPolicy.copyIfMissing, .replace] {
          #expect(problem { try bootstrapper(source).bootstrap(store, policy: policy) }?.message.contains("keeps for its own") == true)
        }
      }
      #expect(snapshot(scratch.path) == before)
    }
  }

  /// Closing any descriptor of a file would drop this process's locks on it.
  @Test func `a store that is open keeps its locks when it is given as its own seed`() throws {
    let queue = try DatabaseQueue(path: seed.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN EXCLUSIVE")
      #expect(problem { try bootstrapper(seed).bootstrap(seed, policy: .replace) }?.message.contains("one file") == true)
      #if os(Linux)
        // Asked by another process, since a process's own locks are never in its way.
        #expect(try Probe.bootstrap(nil, seed, lockTimeout: 0).output.contains("end failed locked"))
      #endif
      try db.execute(sql: "ROLLBACK")
    }
  }

  @Test func `a link to nothing is not written over`() throws {
    try FileManager.default.createSymbolicLink(at: store, withDestinationURL: scratch.url("far/away"))
    let found = problem { try bootstrapper(seed).bootstrap(store) }
    #expect(found?.kind == .notAFile && found?.path == store.path)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store.path) == scratch.url("far/away").path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["seed.sqlite", "store.sqlite"])
  }

  @Test(arguments: ["https://example.org", "http://localhost", "dao:"])
  func `a URL that is no file's is refused`(start: String) throws {
    let before = snapshot(scratch.path)
    let foreignSeed = try #require(URL(string: start + seed.path))
    let foreignStore = try #require(URL(string: start + store.path))
    for found in [
      problem { try bootstrapper(foreignSeed).bootstrap(store) }, problem { try bootstrapper(foreignSeed).useInPlace() },
      problem { try bootstrapper(seed).bootstrap(foreignStore) },
    ] {
      #expect(found?.kind == .notAFile)
      #expect(found?.path.hasPrefix(start) == true)
    }
    #expect(snapshot(scratch.path) == before)
  }
}
