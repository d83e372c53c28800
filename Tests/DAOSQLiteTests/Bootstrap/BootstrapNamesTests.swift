import DAOCriteria
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
  func aPersonsOwnFilesWithABackupsNameStay(policy: SeedPolicy) throws {
    _ = try SQLiteStore.file(store, seed: .file(seed)).open([item])
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
      let (engine, report) = try SQLiteStore.file(store, seed: .file(shipped), policy: policy).open([item])
      withExtendedLifetime(engine) {}
      #expect(report.backups.count == (policy.looksAtSeed && shipped == next ? 1 : 0))
      #expect(report.backups.allSatisfy { before[$0.lastPathComponent] == nil })
      #expect(snapshot(scratch.path).filter { $0.key.contains(".backup-") } == before)
    }
  }

  @Test func whatHasTheNameOfTheBackupToBeMadeIsNotWrittenOver() throws {
    try FileManager.default.moveItem(at: seed, to: store)
    try Data("text".utf8).write(to: URL(fileURLWithPath: store.path + ".backup-0"))
    try Items.make(seed, "two")
    let before = snapshot(scratch.path)
    #expect(problem { try bootstrapper(seed).bootstrap(store, policy: .replace) }?.path == store.path + ".backup-0")
    #expect(snapshot(scratch.path) == before)
  }

  @Test(arguments: [
    ".lock", ".incoming", ".incoming-wal", ".incoming-shm", ".incoming-journal", ".outgoing", ".outgoing-wal", ".outgoing-journal",
    ".backup-0", ".backup-1700000000000", "-wal", "-journal",
  ])
  func aSeedWithANameOfTheBootstrapsOwnIsRefusedAndStays(suffix: String) throws {
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
  @Test func aStoreThatIsOpenKeepsItsLocksWhenItIsGivenAsItsOwnSeed() throws {
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

  @Test func aLinkToNothingIsNotWrittenOver() throws {
    try FileManager.default.createSymbolicLink(at: store, withDestinationURL: scratch.url("far/away"))
    let found = problem { try bootstrapper(seed).bootstrap(store) }
    #expect(found?.kind == .notAFile && found?.path == store.path)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store.path) == scratch.url("far/away").path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["seed.sqlite", "store.sqlite"])
  }

  @Test(arguments: ["https://example.org", "http://localhost", "dao:"])
  func aURLThatIsNoFilesIsRefused(start: String) throws {
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
