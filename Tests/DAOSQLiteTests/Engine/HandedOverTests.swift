import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("An engine over the connection that looked at its store")
struct HandedOverTests {
  let scratch: Scratch
  let url: URL

  init() throws {
    scratch = try Scratch()
    url = scratch.url("store.sqlite")
    try Items.make(url, "one")
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.close()
  }

  private var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() } }

  private func open(trace: (@Sendable (StatementTrace) -> Void)? = nil) throws -> SQLiteEngine {
    try StoreDescription.file(url).open([item], statements: trace.map { StatementObserver($0) }).engine
  }

  private func count(_ engine: any Engine) throws -> Int { try EngineStore(engine).count(in: EntityTarget(item), Criteria()) }

  private func insert(_ engine: any Engine) throws {
    _ = try EngineStore(engine).insert([try DynamicEntity(item, ["name": "mine"])], in: EntityTarget(item))
  }

  // MARK: The end

  @Test(arguments: [false, true], [false, true])
  func `a store that several have read and nobody has written to is one file again`(_ isReversed: Bool, _ othersWrite: Bool) throws {
    do {
      let engine = try open()
      var leases = [try engine.lease(), try engine.lease(), try engine.lease()]
      for lease in leases { #expect(try lease?.run { try $0.schema().tables.count } == 1) }
      if othersWrite {
        let other = try DatabaseQueue(path: url.path)
        try other.write { try Items.insert("late", 1, into: $0) }
        try other.close()
      }
      while !leases.isEmpty { _ = isReversed ? leases.removeLast() : leases.removeFirst() }
    }
    #expect(try files == ["store.sqlite"])
    #expect(try Items.read(url).count == (othersWrite ? 121 : 120))
  }

  @Test func `a stream that outlives its factory closes the store as one file`() throws {
    var leases = try {
      let engine = try open()
      return [try engine.lease(), try engine.lease()]
    }()
    for lease in leases { #expect(try lease?.run { try $0.schema().tables.count } == 1) }
    leases.removeFirst()
    #expect(try files.contains("store.sqlite-wal"))
    leases.removeFirst()
    #expect(try files == ["store.sqlite"])
  }

  // MARK: The first write

  @Test func `where it can't open its connection it is an error, reads go on, and the next write tries again`() throws {
    let engine = try open()
    let aside = scratch.url("aside.sqlite")
    try FileManager.default.moveItem(at: url, to: aside)
    for _ in 0..<2 {
      #expect {
        try insert(engine)
      } throws: {
        if case DAOError.engine(let failure) = $0 { failure.code & 0xFF == 14 } else { false }
      }
      #expect(try count(engine) == 120)
    }
    #expect(try !files.contains("store.sqlite"))
    try FileManager.default.moveItem(at: aside, to: url)
    try insert(engine)
    #expect(try count(engine) == 121)
  }

  #if os(Linux)
    @Test(.enabled(if: Mounted.isPossible))
    func `on a full disk it is an error, reads go on, and the next write tries again`() throws {
      let mounted = try Mounted(scratch.path + "/mount", "size=400k")
      let (store, filler) = (mounted.url("store.sqlite"), mounted.url("filler"))
      try FileManager.default.copyItem(at: url, to: store)
      func fill() throws {
        let space = Data(count: 400 << 10)
        #expect(throws: (any Error).self) { try space.write(to: filler) }
        // What fails to be written is removed, so that the rest has to be found.
        for size in stride(from: 400, to: 0, by: -4) where (try? space.prefix(size << 10).write(to: filler)) != nil { return }
      }
      do {
        let engine = try StoreDescription.file(store).open([item]).engine
        try fill()
        for _ in 0..<2 {
          #expect {
            try insert(engine)
          } throws: {
            if case DAOError.engine(let failure) = $0 { failure.code & 0xFF == 13 } else { false }
          }
          #expect(try count(engine) == 120)
        }
        try FileManager.default.removeItem(at: filler)
        // A process that another test starts at this moment may hold the file for a while.
        while try free(mounted.path) < 200 << 10 { Thread.sleep(forTimeInterval: 0.001) }
        try insert(engine)
        #expect(try count(engine) == 121)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: mounted.path) == ["store.sqlite"])
      try fill()
      #expect(problem { try StoreDescription.file(store).open([item]) }?.kind == .diskFull)
    }

    private func free(_ path: String) throws -> Int {
      try #require(FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] as? Int)
    }

    @Test(.enabled(if: Mounted.isPossible))
    func `a store in a place that can only be read is a typed error`() throws {
      let mounted = try Mounted(scratch.path + "/mount", "size=400k")
      let store = mounted.url("store.sqlite")
      try FileManager.default.copyItem(at: url, to: store)
      try mounted.remount("ro")
      #expect(problem { try StoreDescription.file(store).open([item]) }?.kind == .unwritable)
      #expect(try FileManager.default.contentsOfDirectory(atPath: mounted.path) == ["store.sqlite"])
    }
  #endif

  @Test func `another file that has taken the store's name is neither written nor read`() throws {
    let engine = try open()
    for name in try files { try FileManager.default.moveItem(at: scratch.url(name), to: scratch.url("old-" + name)) }
    try Items.make(url, "two", count: 3)
    let before = try Data(contentsOf: url)
    func isRefused(_ body: () throws -> Void) -> Bool {
      do { try body() } catch DAOError.misuse(_, "a new factory") { return true } catch { Issue.record(error) }
      return false
    }
    #expect(isRefused { try insert(engine) })
    #expect(isRefused { try engine.session(.write) { _ in } })
    #expect(try count(engine) == 120)
    // Holds the connection that there is, so that another is opened.
    let lease = try engine.lease()
    #expect(isRefused { _ = try count(engine) })
    #expect(isRefused { _ = try engine.lease() })
    withExtendedLifetime(lease) {}
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `many first writes at a time open one connection`() throws {
    let engine = try open()
    DispatchQueue.concurrentPerform(iterations: 32) { number in
      do {
        try insert(engine)
        #expect(try count(engine) > 120)
      } catch { Issue.record(error) }
    }
    #expect(try count(engine) == 152)
  }

  @Test func `a trace that calls the store while it opens a connection waits for nobody`() throws {
    let kept = Kept()
    let engine = try open { _ in kept.call() }
    kept.call = { [unowned engine] in
      for call in [{ _ = try count(engine) }, { try insert(engine) }] {
        do { try call() } catch DAOError.misuse { kept.refused += 1 } catch { Issue.record(error) }
      }
    }
    let thread = Thread {
      do {
        try insert(engine)
        let lease = try engine.lease()
        #expect(try count(engine) == 121)
        withExtendedLifetime(lease) {}
      } catch { Issue.record(error) }
      kept.done.signal()
    }
    thread.start()
    #expect(kept.done.wait(timeout: .now() + 10) == .success)
    #expect(kept.refused > 0)
    kept.call = {}
  }

  private final class Kept: @unchecked Sendable {
    // Set before the thread starts and after it ends, used on the thread.
    var call: () -> Void = {}
    var refused = 0
    let done = DispatchSemaphore(value: 0)
  }

  @Test func `a temporary table on a connection that reads is no harm, whether it is made or refused`() throws {
    let engine = try open()
    let leases = [try engine.lease(), try engine.lease()]
    for (lease, expected) in zip(leases, [8, 101] as [Int32]) {
      let code = try lease?.run { connection in
        let statement = try connection.prepare("CREATE TEMP TABLE t (a)")
        return statement.functions.step(statement.handle)
      }
      #expect(code == expected)
      #expect(try lease?.run { try $0.schema().tables.count } == 1)
    }
  }

  // MARK: What is seen

  @Test func `a session that reads sees one snapshot, and the next read what was written meanwhile`() throws {
    let (engine, other) = (try open(), try open())
    try EngineStore(engine).read { store in
      #expect(try store.count(in: EntityTarget(item), Criteria()) == 120)
      try insert(other)
      #expect(try store.count(in: EntityTarget(item), Criteria()) == 120)
    }
    #expect(try count(engine) == 121)
    try insert(engine)
    #expect(try count(engine) == 122 && count(other) == 122)
  }

  @Test func `a call of several statements sees one snapshot`() throws {
    let other = try open()
    let kept = Kept()
    // What is traced has run: this writes between the first key's row and the second's.
    let engine = try open { if $0.sql.hasPrefix("SELECT \"id\"") { kept.call() } }
    kept.call = { do { try insert(other) } catch { Issue.record(error) } }
    func find() throws -> Int {
      try EngineStore(engine).find(DynamicEntity.self, in: EntityTarget(item), keys: [[.integer(1)], [.integer(121)]]).count
    }
    #expect(try find() == 1)
    kept.call = {}
    #expect(try find() == 2)
  }

  @Test func `statements that are kept follow a schema that another process changes`() throws {
    let engine = try open()
    let lease = try #require(try engine.lease())
    #expect(try count(engine) == 120)
    try insert(engine)
    let other = try DatabaseQueue(path: url.path)
    func find() throws -> [DynamicEntity] { try EngineStore(engine).find(DynamicEntity.self, in: EntityTarget(item), Criteria()) }
    let found = try find()
    try other.write { try $0.execute(sql: "ALTER TABLE item ADD COLUMN more TEXT DEFAULT 'x'") }
    #expect(try find() == found)
    try insert(engine)
    try other.write { try $0.execute(sql: "ALTER TABLE item RENAME COLUMN name TO title") }
    #expect(throws: DAOError.self) { try find() }
    #expect(throws: DAOError.self) { try insert(engine) }
    #expect(try count(engine) == 122)
    try other.write { try $0.execute(sql: "ALTER TABLE item RENAME COLUMN title TO name") }
    #expect(try find().count == 122)
    try insert(engine)
    #expect(try lease.run { try $0.schema()["item"]?.columns.map(\.name) } == ["id", "name", "more"])
  }
}
