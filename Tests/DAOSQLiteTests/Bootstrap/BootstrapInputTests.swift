import DAOCriteria
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Bad seeds, bad places: a clear error each, and every file as it was.
@Suite struct BootstrapInputTests {
  let scratch: Scratch
  let seed: URL
  let store: URL

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    store = scratch.url("a/b/store.sqlite")
    try Items.make(seed, "one")
  }

  /// Tries every way of using the seed: no store yet, a store to be replaced, memory, in place. Nothing may change.
  private func expect(
    _ kind: DAOError.BootstrapProblem.Kind, naming path: String? = nil, seed: URL? = nil, says word: String, applicationID: Int32? = 7,
    version: Int32? = 9, inPlace: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bootstrapper = bootstrapper(seed ?? self.seed, applicationID: applicationID, version: version)
    let old = scratch.url("old.sqlite")
    try Items.make(old, "old")
    try Items.addInWAL(old, "mine")
    let before = snapshot(scratch.path)
    var found = [
      problem { try bootstrapper.bootstrap(store) }, problem { try bootstrapper.bootstrap(old, policy: .replace) },
      problem { try DatabaseQueue().writeWithoutTransaction { try bootstrapper.load(into: $0) } },
    ]
    if inPlace { found.append(problem { try bootstrapper.useInPlace() }) }
    for problem in found {
      #expect(problem?.kind == kind, sourceLocation: sourceLocation)
      #expect(problem?.path == path ?? seed?.path ?? self.seed.path, sourceLocation: sourceLocation)
      #expect(problem?.message.contains(word) == true, "\(problem?.message ?? "")", sourceLocation: sourceLocation)
    }
    #expect(snapshot(scratch.path) == before, sourceLocation: sourceLocation)
  }

  private func change(_ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: seed)
    body(&bytes)
    try bytes.write(to: seed)
  }

  @Test func `a missing seed is never an empty store`() throws {
    try expect(.missingSeed, seed: scratch.url("nowhere/seed.sqlite"), says: "no such seed")
  }

  @Test func `a folder is no seed`() throws { try expect(.notAFile, seed: URL(fileURLWithPath: scratch.path), says: "no file") }

  @Test func `an empty file is no seed`() throws {
    try change { $0 = Data() }
    try expect(.emptySeed, says: "no bytes")
  }

  @Test(arguments: [Data("short".utf8), Data(repeating: 65, count: 9000), Data("SQLite format 3\0".utf8) + Data(repeating: 0, count: 9000)])
  func `another kind of file is no seed`(bytes: Data) throws {
    try change { $0 = bytes }
    try expect(.notADatabase, says: "no SQLite database")
  }

  @Test(arguments: [100, 4096, 4097, -1, -4096])
  func `a truncated seed is refused`(length: Int) throws {
    try change { $0 = $0.prefix(length > 0 ? length : $0.count + length) }
    try expect(.truncated, says: "pages")
  }

  /// SQLite takes the rest of a last page for a whole one.
  @Test(arguments: [1, 100, 4095])
  func `a store that ends inside its last page is refused`(missing: Int) throws {
    let store = scratch.url("cut.sqlite")
    try Data(contentsOf: seed).dropLast(missing).write(to: store)
    let before = snapshot(scratch.path)
    #expect(problem { try StoreDescription.file(store).open([item]) }?.kind == .truncated)
    #expect(problem { try StoreDescription.file(store).requiresMigration() }?.kind == .truncated)
    #expect(snapshot(scratch.path) == before)
    let report = try StoreDoctor().examine(store)
    #expect(report.finding(.truncated) != nil && !report.isHealthy, "\(report)")
  }

  @Test func `damage is found before the store has its name`() throws {
    try change { for position in 4096..<4200 { $0[position] = 0xEE } }
    // What lies in place is opened by others as it is; only a copy is checked whole.
    try expect(.corrupt, says: "Page 2", inPlace: false)
  }

  @Test func `another application's seed is refused`() throws { try expect(.wrongApplication, says: "0x7", applicationID: 0x4441_4F31) }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a seed or store whose text is not UTF-8 is refused`(encoding: String) throws {
    try FileManager.default.removeItem(at: seed)
    try Items.make(
      seed, "one",
      schema: """
        PRAGMA encoding = '\(encoding)';
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)
        """)
    try expect(.wrongEncoding, says: encoding)
    let store = scratch.url("wide.sqlite")
    try FileManager.default.copyItem(at: seed, to: store)
    let narrow = scratch.url("narrow.sqlite")
    try Items.make(narrow, "narrow")
    let before = snapshot(scratch.path)
    for policy in [SeedPolicy.copyIfMissing, .replace] {
      let found = problem { try bootstrapper(narrow).bootstrap(store, policy: policy) }
      #expect(found?.kind == .wrongEncoding && found?.path == store.path)
    }
    #expect(snapshot(scratch.path) == before)
  }

  /// A database without pages does not say its encoding yet.
  @Test func `a database that names no encoding is UTF-8`() throws {
    try change { for position in 56..<60 { $0[position] = 0 } }
    #expect(try bootstrapper(seed).bootstrap(store).outcome == .copied)
  }

  @Test func `a newer seed is refused`() throws { try expect(.newerVersion, says: "version 3", version: 2) }

  @Test func `a seed in WAL mode without its WAL is refused`() throws {
    try Items.addInWAL(seed, "late")
    try FileManager.default.removeItem(atPath: seed.path + "-wal")
    try expect(.missingWAL, says: "WAL mode")
  }

  /// The main file of a seed in WAL mode may still show old numbers.
  @Test func `numbers in the WAL count`() throws {
    try Items.addInWAL(seed, "late") { try $0.execute(sql: "PRAGMA user_version = 5") }
    try expect(.newerVersion, says: "version 5", version: 4, inPlace: false)
  }

  @Test func `a seed that does not fit the entities is refused with every difference`() throws {
    try FileManager.default.removeItem(at: seed)
    try Items.make(seed, "one", count: 0, schema: "CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    let before = snapshot(scratch.path)
    for attempt in [{ try bootstrapper(self.seed).bootstrap(self.store) }, { try bootstrapper(self.seed).useInPlace() }] {
      #expect {
        try attempt()
      } throws: { error in
        guard case DAOError.schemaMismatch(seed.path, let differences) = error else { return false }
        return differences.map(\.element) == ["name", "title"]
      }
    }
    #expect(snapshot(scratch.path) == before)
  }

  @Test func `the seed and the store cannot be one file`() throws {
    let before = snapshot(scratch.path)
    #expect(problem { try bootstrapper(seed).bootstrap(seed, policy: .replace) }?.message.contains("one file") == true)
    #expect(snapshot(scratch.path) == before)
  }

  // The store that is there.

  @Test(arguments: [SeedPolicy.copyIfMissing, .replace])
  func `a store that is not this app's is left alone`(policy: SeedPolicy) throws {
    let newer = scratch.url("newer.sqlite")
    try Items.make(newer, "newer", version: 3)
    // The number that counts is in the WAL.
    try Items.addInWAL(newer, "mine") { try $0.execute(sql: "PRAGMA user_version = 10") }
    let foreign = scratch.url("foreign.sqlite")
    try Items.make(foreign, "foreign", applicationID: 8)
    let text = scratch.url("text.sqlite")
    try Data(repeating: 65, count: 9000).write(to: text)
    let before = snapshot(scratch.path)
    #expect(problem { try bootstrapper(seed).bootstrap(newer, policy: policy) }?.kind == .newerVersion)
    #expect(problem { try bootstrapper(seed).bootstrap(foreign, policy: policy) }?.kind == .wrongApplication)
    #expect(problem { try bootstrapper(seed).bootstrap(text, policy: policy) }?.kind == .notADatabase)
    #expect(problem { try bootstrapper(seed).bootstrap(URL(fileURLWithPath: scratch.path), policy: policy) }?.kind == .notAFile)
    #expect(snapshot(scratch.path) == before)
  }

  @Test func `a store that does not fit the entities is refused`() throws {
    let other = scratch.url("other.sqlite")
    try Items.make(other, "other", count: 0, schema: "CREATE TABLE thing (id INTEGER PRIMARY KEY)")
    let before = snapshot(scratch.path)
    #expect {
      try bootstrapper(seed).bootstrap(other)
    } throws: { error in
      guard case DAOError.schemaMismatch(other.path, let differences) = error else { return false }
      return differences.count == 1
    }
    #expect(snapshot(scratch.path) == before)
  }

  // Places.

  @Test func `a store below a file cannot be made`() throws {
    let before = snapshot(scratch.path)
    #expect(problem { try bootstrapper(seed).bootstrap(scratch.url("seed.sqlite/a/store.sqlite")) }?.kind == .unwritable)
    #expect(snapshot(scratch.path) == before)
  }

  @Test func `a lock that is held for too long is an error`() throws {
    _ = try Files.makeFolders(Files.folder(of: store.path))
    let held = try StoreLock(StorePaths(store: store.path), timeout: .zero)
    let before = snapshot(scratch.path)
    let found = problem { try bootstrapper(seed, lockTimeout: .milliseconds(30)).bootstrap(store) }
    #expect(found?.kind == .locked && found?.path == store.path)
    #expect(snapshot(scratch.path) == before)
    withExtendedLifetime(held) {}
  }

  #if os(Linux)
    @Test(.enabled(if: Mounted.isPossible, "needs the right to mount"))
    func `a seed in a place that can only be read is copied, loaded and used there`() throws {
      let mounted = try Mounted(scratch.path + "/mount", "size=1m")
      try FileManager.default.copyItem(at: seed, to: mounted.url("seed"))
      try mounted.remount("ro")
      #expect(throws: (any Error).self) { try Data("text".utf8).write(to: mounted.url("other")) }
      let shipped = mounted.url("seed")
      #expect(try bootstrapper(shipped).bootstrap(store).outcome == .copied)
      #expect(try Items.read(store) == Items.names("one", 120))
      let queue = try DatabaseQueue()
      #expect(try queue.writeWithoutTransaction { try bootstrapper(shipped).load(into: $0) }.outcome == .loaded)
      let (engine, report) = try StoreDescription.inPlace(.file(shipped)).open([item])
      #expect(report.outcome == .inPlace)
      withExtendedLifetime(engine) {}
    }

    @Test(.enabled(if: Mounted.isPossible, "needs the right to mount"))
    func `a read-only place cannot be written`() throws {
      let mounted = try Mounted(scratch.path + "/mount", "ro")
      #expect(problem { try bootstrapper(seed).bootstrap(mounted.url("store")) }?.kind == .unwritable)
      #expect(problem { try bootstrapper(seed).bootstrap(mounted.url("a/store")) }?.kind == .unwritable)
    }

    @Test(.enabled(if: Mounted.isPossible, "needs the right to mount"), arguments: [4, 16, 64, 104])
    func `a full disk is an error and nothing is left on it`(kilobytes: Int) throws {
      try FileManager.default.removeItem(at: seed)
      try Items.make(seed, "one", count: 6000)
      // 104 KB take the copy, and not the page with the stamp.
      #expect(try Data(contentsOf: seed).count == 104 << 10)
      let mounted = try Mounted(scratch.path + "/mount", "size=\(kilobytes)k")
      let before = snapshot(mounted.path)
      let found = problem { try bootstrapper(seed).bootstrap(mounted.url("a/b/store")) }
      #expect(found?.kind == .diskFull)
      #expect(found?.path.hasPrefix(mounted.path) == true)
      #expect(snapshot(mounted.path) == before)
    }
  #endif
}

#if os(Linux)
  /// A file system in memory, with a limit or read-only, for as long as the test needs it.
  final class Mounted {
    let path: String

    static let isPossible: Bool = {
      guard let scratch = try? Scratch() else { return false }
      return (try? Mounted(scratch.path + "/mount", "size=4k")) != nil
    }()

    init(_ path: String, _ options: String) throws {
      self.path = path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard try Child.run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]).status == 0 else {
        throw DAOError.unsupported("can't mount")
      }
    }

    // Lazily: what a test has open there may close after it.
    deinit { _ = try? Child.run("/bin/umount", ["-l", path]) }

    func remount(_ options: String) throws {
      guard try Child.run("/bin/mount", ["-o", "remount," + options, path]).status == 0 else { throw DAOError.unsupported("can't remount") }
    }

    func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }
  }
#endif
