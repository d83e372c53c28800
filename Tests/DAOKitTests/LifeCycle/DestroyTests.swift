import DAOKit
import Foundation
import GRDB
import Testing

@Suite("Removing a store, and making it anew")
struct DestroyTests {
  let folder: StoreFolder
  let seed: URL
  let store: StoreDescription
  let factory: DAOFactory
  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }

  init() throws {
    folder = try StoreFolder()
    seed = try folder.seed(["a", "b"])
    store = .file(folder.file("store"), seed: .file(seed))
    factory = try DAOFactory(store: store, entities: Zone.self)
    try zones.insert(Zone("mine", 0))
  }

  private func others() throws -> [String] { try folder.names.filter { $0 != seed.lastPathComponent } }

  @Test func `nothing is left beside the store, and it can be made anew`() throws {
    for left in ["store.incoming", "store.incoming-wal", "store.outgoing", "store-journal"] {
      try Data("SQLite".utf8).write(to: folder.file(left))
    }
    try factory.destroy()
    #expect(try others() == [])
    #expect(folder.openFiles ?? [] == [])
    #expect(closed { try zones.count() } != nil)
    #expect(try factory.reopen().outcome == .copied)
    #expect(try zones.findAll().map(\.name) == ["a", "b"])
    // Once more, now closed.
    try factory.close()
    try factory.destroy()
    #expect(try others() == [])
    // And where there is none, nor its folder.
    try store.destroy()
    try StoreDescription.file(folder.file("none/none")).destroy()
    #expect(try others() == [])
  }

  @Test func `backups, erased stores and what a person named so stay without a word`() throws {
    try factory.close()
    let stamp = try DatabaseQueue(path: folder.file("store").path).read { try Int64.fetchOne($0, sql: "SELECT copied_at FROM dao_seed") }
    let backup = "store.backup-\(try #require(stamp))"
    for copy in [backup, "store.erased-5", "store.backup-of-mine", "store.erased-"] {
      try FileManager.default.copyItem(at: folder.file("store"), to: folder.file(copy))
    }
    try Data("a letter".utf8).write(to: folder.file("store.erased-7"))
    try store.destroy()
    #expect(try others() == ["store.erased-", "store.erased-5", "store.erased-7", "store.backup-of-mine", backup].sorted())
    try store.destroy(removingBackups: true)
    #expect(try others() == ["store.erased-", "store.erased-7", "store.backup-of-mine"].sorted())
  }

  @Test func `a damaged store is removed, another application's is not`() throws {
    try factory.close()
    try (Data("SQLite format 3\0".utf8) + Data("and nothing else of one".utf8)).write(to: folder.file("store"))
    try Data("a WAL".utf8).write(to: folder.file("store-wal"))
    #expect(throws: DAOError.self) { try factory.reopen() }
    try store.destroy()
    #expect(try others() == [])
    try Data("no database at all".utf8).write(to: folder.file("store"))
    #expect(fileProblem { try store.destroy() }?.kind == .notADatabase)
    #expect(try others() == ["store"])
    try FileManager.default.removeItem(at: folder.file("store"))

    let queue = try DatabaseQueue(path: folder.file("theirs").path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA application_id = 8;
          CREATE TABLE t (a)
          """)
    }
    try queue.close()
    let problem = fileProblem { try StoreDescription.file(folder.file("theirs"), applicationID: 7).destroy() }
    #expect(problem?.kind == .wrongApplication)
    #expect(try others() == ["theirs"])
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: true)
    #expect(fileProblem { try StoreDescription.file(folder.file("folder")).destroy() }?.kind == .notAFile)
  }

  @Test func `a store that is a link goes with its link`() throws {
    try factory.close()
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("store"))
    try StoreDescription.file(folder.file("link")).destroy()
    #expect(try others() == [])
    #expect(try DAOFactory(store: .file(folder.file("link")), entities: Zone.self).report?.outcome == .created)
  }

  @Test func `a link stays where its store can't be removed; one that leads to nothing is removed`() throws {
    try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.file("store"))
    // The factory has it open.
    #expect(fileProblem { try StoreDescription.file(folder.file("link")).destroy(within: .milliseconds(30)) }?.kind == .locked)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link").path).hasSuffix("store"))
    try factory.close()
    try FileManager.default.removeItem(at: folder.file("store"))
    try StoreDescription.file(folder.file("link")).destroy()
    #expect(try others() == [])
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `a store that another library has open, in WAL mode or not, is not removed`(_ mode: String) throws {
    try factory.close()
    let queue = try DatabaseQueue(path: folder.file("store").path)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA journal_mode = \(mode);
          PRAGMA user_version = 3
          """)
    }
    try queue.inDatabase { db in
      if mode == "DELETE" { try db.execute(sql: "BEGIN IMMEDIATE") }
      #expect(fileProblem { try store.destroy(within: .milliseconds(30)) }?.kind == .locked)
      if mode == "DELETE" { try db.execute(sql: "COMMIT") }
      try db.execute(sql: "PRAGMA user_version = 4")
    }
    try queue.close()
    #expect(try folder.zones("store") == ["a", "b", "mine"])
    try store.destroy()
    #expect(try others() == [])
  }

  @Test func `removing waits for a start that is making the store ready`() throws {
    try factory.destroy()
    let (store, entered) = (folder.file("store"), DispatchSemaphore(value: 0))
    let slow = StoreDescription.file(
      store, seed: .file(seed),
      progress: { _, _ in
        entered.signal()
        Thread.sleep(forTimeInterval: 0.15)
      })
    let made = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? DAOFactory(store: slow, entities: Zone.self)
      made.signal()
    }
    entered.wait()
    #expect(fileProblem { try StoreDescription.file(store).destroy(within: .milliseconds(20)) }?.kind == .locked)
    try StoreDescription.file(store).destroy(within: .seconds(20))
    made.wait()
    #expect(try others() == [])
  }

  // MARK: Reset

  @Test func `a reset has the seed's rows, and the same DAOs go on`() async throws {
    let dynamic = try factory.runtimeDAO("zone")
    for _ in 0..<3 {
      #expect(try await factory.resetToSeed().outcome == .reset)
      #expect(try await zones.findAll().map(\.name) == ["a", "b"])
      #expect(try await dynamic.count() == 2)
      try await zones.insert(Zone("mine", 0))
    }
    try await factory.close()
    #expect(try others() == ["store"])
    // One that was closed is open afterwards.
    try await factory.resetToSeed()
    #expect(try await zones.count() == 2)
  }

  @Test func `without a seed it is empty; in memory too`() throws {
    for store in [StoreDescription.file(folder.file("empty")), .inMemory()] {
      let factory = try DAOFactory(store: store, entities: Zone.self)
      let zones = factory.runtimeDAO(Zone.self)
      try zones.insert(Zone.samples)
      try factory.resetToSeed()
      #expect(try zones.count() == 0)
      try zones.insert(Zone.samples)
      #expect(try zones.count() == 6)
    }
    let memory = try DAOFactory(store: .inMemory(seed: .file(seed)), entities: Zone.self)
    try memory.runtimeDAO(Zone.self).insert(Zone.samples)
    #expect(try memory.resetToSeed().outcome == .reset)
    #expect(try memory.runtimeDAO(Zone.self).findAll().map(\.name) == ["a", "b"])
  }

  @Test func `in memory it waits for calls that run no longer than it is told`() throws {
    let memory = try DAOFactory(store: .inMemory(seed: .file(seed)), entities: Zone.self)
    let (entered, goOn, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? memory.write { session in
        try session.runtimeDAO(Zone.self).insert(Zone("mine", 0))
        entered.signal()
        goOn.wait()
      }
      left.signal()
    }
    entered.wait()
    #expect(fileProblem { try memory.resetToSeed(within: .milliseconds(30)) }?.kind == .locked)
    goOn.signal()
    left.wait()
    #expect(try memory.runtimeDAO(Zone.self).count() == 3)
    try memory.resetToSeed()
    #expect(try memory.runtimeDAO(Zone.self).count() == 2)
  }

  @Test func `the store stays where the seed is gone, does not fit or is damaged`() throws {
    let whole = try Data(contentsOf: seed)
    let memory = try DAOFactory(store: .inMemory(seed: .file(seed)), entities: Zone.self)
    try memory.runtimeDAO(Zone.self).insert(Zone("mine", 0))
    for broken in [nil, Data("no database".utf8), whole.prefix(5000)] {
      try FileManager.default.removeItem(at: seed)
      try broken?.write(to: seed)
      for factory in [factory, memory] {
        let stream = factory.runtimeDAO(Zone.self)
        #expect(fileProblem { try factory.resetToSeed() } != nil)
        #expect(try stream.findAll().map(\.name) == ["a", "b", "mine"])
      }
      if broken == nil { try Data().write(to: seed) }
    }
    try whole.write(to: seed)
    try factory.resetToSeed()
    #expect(try zones.count() == 2)
  }

  @Test func `the old store is in use until the new one is complete`() throws {
    let seen = Seen()
    // The progress of its own reset asks the store, on another thread, and is answered.
    let late = Late()
    let store = StoreDescription.file(folder.file("self"), seed: .file(seed), progress: { _, _ in seen.add(late.count()) })
    let factory = try DAOFactory(store: store, entities: Zone.self)
    late.zones = factory.runtimeDAO(Zone.self)
    try factory.runtimeDAO(Zone.self).insert(Zone("x", 0))
    seen.clear()
    try factory.resetToSeed()
    #expect(!seen.all.isEmpty && Set(seen.all) == [3])
    #expect(try factory.runtimeDAO(Zone.self).count() == 2)
  }
}

private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var seen: [Int] = []
  func add(_ count: Int) { lock.withLock { seen.append(count) } }
  func clear() { lock.withLock { seen = [] } }
  var all: [Int] { lock.withLock { seen } }
}

/// A DAO that is there later than who asks it, on another thread.
private final class Late: @unchecked Sendable {
  private let lock = NSLock()
  private var dao: RuntimeDAO<Zone>?
  var zones: RuntimeDAO<Zone>? {
    get { lock.withLock { dao } }
    set { lock.withLock { dao = newValue } }
  }
  func count() -> Int {
    let (dao, answer) = (zones, Answer())
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      answer.count = (try? dao?.count()) ?? -1
      done.signal()
    }
    done.wait()
    return answer.count
  }
}

private final class Answer: @unchecked Sendable {
  // Written before the semaphore, read after it.
  var count = -1
}
