import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// A store that is there: the connection that looks at it is the engine's first.
@Suite struct BootstrapReuseTests {
  let scratch: Scratch
  let store: URL

  init() throws {
    scratch = try Scratch()
    store = scratch.url("store.sqlite")
    try Items.make(store, "one")
  }

  private var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() } }

  private func useWAL() throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.close()
    #expect(try files == ["store.sqlite"])
  }

  private func open() throws -> SQLiteEngine { try StoreDescription.file(store).open([item]).engine }

  private func settings(_ connection: any Connection) throws -> [String] {
    let busyTimeout = (connection as? DAOSQLite.SQLiteConnection)?.limits.busyTimeout
    return try ["journal_mode", "foreign_keys", "synchronous", "query_only"].map { pragma in
      let statement = try connection.prepare("PRAGMA \(pragma)")
      _ = statement.functions.step(statement.handle)
      return statement.functions.text(statement.functions.column(statement.handle, 0)).map { String(cString: $0) } ?? ""
    } + ["\(busyTimeout ?? .zero)"]
  }

  @Test func `the connections have the settings of any other`() throws {
    try useWAL()
    let engine = try open()
    let read = try engine.read(snapshot: false, settings)
    #expect([read[0], read[1], read[3], read[4]] == ["wal", "1", "1", "5.0 seconds"])
    #expect(try engine.write(atomic: false, settings) == ["wal", "1", "2", "0", "5.0 seconds"])
  }

  @Test func `the connection that looked only reads`() throws {
    try useWAL()
    let engine = try open()
    let code = try engine.read(snapshot: false) { connection in
      let statement = try connection.prepare("DELETE FROM item")
      return statement.functions.step(statement.handle)
    }
    #expect(code & 0xFF == 8, "SQLITE_READONLY")
    #expect(try EngineStore(engine).count(in: EntityTarget(item), Criteria()) == 120)
  }

  @Test func `what is written is read and the store is one file again`() throws {
    try useWAL()
    for count in 120..<123 {
      let entities = EngineStore(try open())
      #expect(try entities.count(in: EntityTarget(item), Criteria()) == count)
      _ = try entities.insert([try DynamicEntity(item, ["name": "mine"])], in: EntityTarget(item))
      #expect(try entities.count(in: EntityTarget(item), Criteria()) == count + 1)
    }
    #expect(try files == ["store.sqlite"])
    do { _ = try EngineStore(open()).count(in: EntityTarget(item), Criteria()) }
    #expect(try files == ["store.sqlite"])
    #expect(try Items.read(store).count == 123)
  }

  /// Else an engine would go on with a file that has become a backup.
  @Test func `a store that is handed over cannot be replaced`() throws {
    try useWAL()
    let file = try #require(try bootstrapper(nil).ready(store, policy: .copyIfMissing).file)
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    #expect(problem { try bootstrapper(next, lockTimeout: .milliseconds(30)).bootstrap(store, policy: .replace) }?.kind == .locked)
    #expect(try Items.read(store) == Items.names("one", 120))
    try file.close()
    guard case .replaced = try bootstrapper(next).bootstrap(store, policy: .replace).outcome else { return #expect(Bool(false)) }
  }

  /// Who removes a store holds its lock. A start that has opened the file by then waits for that lock, and gets a file without a name.
  @Test(arguments: [true, false])
  func `a file that is no longer the store is not handed over`(isReplaced: Bool) async throws {
    try useWAL()
    let next = scratch.url("next.sqlite")
    try Items.make(next, "two")
    let inode = try #require(try Files.status(store.path)?.identity)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: store.path, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE") }
    let opened = try descriptors(of: inode)
    let ended = Ended()
    async let start = ready(ended)
    while try descriptors(of: inode) == opened, !ended.isSet { try await Task.sleep(for: .milliseconds(1)) }
    try Files.remove(store.path)
    if isReplaced { try Files.move(next.path, to: store.path) }
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try other.close()
    let (outcome, isHandedOver) = try await start
    #expect(outcome == (isReplaced ? .reused(reason: "it is there, and was not made from a seed") : .created))
    #expect(try Items.read(store) == (isReplaced ? Items.names("two", 120) : []))
    // The store is not in WAL mode. The file that was is not the store.
    #expect(!isHandedOver)
  }

  private final class Ended: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
  }

  /// Makes the store ready on a thread of its own: Swift's own are few, and other tests may have them for longer than a start waits by
  /// itself.
  private func ready(_ ended: Ended) async throws -> (outcome: BootstrapReport.Outcome, isHandedOver: Bool) {
    let store = store
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            defer { ended.set() }
            let (report, file) = try bootstrapper(nil, lockTimeout: .seconds(3600)).ready(store, policy: .copyIfMissing)
            return (report.outcome, file != nil)
          })
      }
    }
  }

  /// How many of the process's descriptors, however high their numbers, are of a file.
  private func descriptors(of identity: Files.Identity) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count { name in
      var status = stat()
      guard let descriptor = CInt(name), fstat(descriptor, &status) == 0 else { return false }
      return Files.Status(status).identity == identity
    }
  }

  /// The lock is taken where somebody else is at work, or was.
  @Test func `a store that another start is replacing is waited for`() throws {
    try useWAL()
    do {
      let held = try StoreLock(StorePaths(store: store.path), timeout: .zero)
      #expect(problem { try bootstrapper(nil, lockTimeout: .milliseconds(30)).bootstrap(store) }?.kind == .locked)
      withExtendedLifetime(held) {}
    }
    for suffix in [".lock", ".incoming", ".incoming-wal", ".outgoing", ".outgoing-journal"] {
      try Data(suffix == ".lock" ? [] : Array("SQLite".utf8)).write(to: URL(fileURLWithPath: store.path + suffix))
      guard case .reused = try bootstrapper(nil).bootstrap(store).outcome else { return #expect(Bool(false)) }
      #expect(try files == ["store.sqlite"], "\(suffix)")
    }
  }

  /// Without WAL mode no lock is kept between statements; commits in a WAL are for the one who opens to fold in, and not for a look.
  @Test func `only a store in WAL mode without commits in it is handed over`() throws {
    let before = snapshot(scratch.path)
    #expect(try bootstrapper(nil).ready(store, policy: .copyIfMissing).file == nil)
    #expect(snapshot(scratch.path) == before)
    try Items.addInWAL(store, "late")
    let late = snapshot(scratch.path)
    #expect(try bootstrapper(nil).ready(store, policy: .copyIfMissing).file == nil)
    #expect(snapshot(scratch.path) == late)
    #expect(try EngineStore(open()).count(in: EntityTarget(item), Criteria()) == 140)
    #expect(try files == ["store.sqlite"])
  }

  @Test func `a store in WAL mode that is refused stays as it was`() throws {
    try useWAL()
    let before = try Data(contentsOf: store)
    let other = EntityDescription("item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text)])
    #expect(problem { try bootstrapper(nil, applicationID: 8).ready(store, policy: .copyIfMissing) }?.kind == .wrongApplication)
    #expect(problem { try bootstrapper(nil, version: 2).ready(store, policy: .copyIfMissing) }?.kind == .newerVersion)
    #expect(throws: DAOError.self) { try bootstrapper(nil, entities: [other]).ready(store, policy: .copyIfMissing) }
    #expect(throws: DAOError.self) { try StoreDescription.file(store).open([other]) }
    #expect(try files == ["store.sqlite"])
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func `the trace is told of the statements of the look and of the engine's`() throws {
    try useWAL()
    let told = Statements()
    let (engine, _) = try StoreDescription.file(store).open([item], statements: StatementObserver { told.add($0.sql) })
    let look = told.all
    #expect(look.contains("PRAGMA user_version") && !look.contains { $0.contains("count") })
    _ = try EngineStore(engine).count(in: EntityTarget(item), Criteria())
    #expect(told.all.count == look.count + 1)
  }

  /// A foreign key may leave the key that it points to unnamed, in a table that no entity stands for.
  @Test func `of the schema is read what the entities ask for`() throws {
    let sql = """
      CREATE TABLE Author (code TEXT PRIMARY KEY);
      CREATE TABLE other (id INTEGER PRIMARY KEY);
      CREATE TABLE Book (id INTEGER PRIMARY KEY, author TEXT NOT NULL REFERENCES author);
      CREATE VIEW titles AS SELECT id FROM Book;
      """
    let book = EntityDescription(
      "book", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("author", .text, references: ForeignKey(table: "author", column: "code"))])
    try DatabaseQueue().write { db in
      try db.execute(sql: sql)
      let schema = try StoreSchema(reading: db, for: [book])
      #expect(schema.tables.map(\.name) == ["Book", "Author"])
      #expect(schema.differences(from: [book]) == [])
      let all = try StoreSchema(reading: db)
      #expect(all.tables.map(\.name) == ["Author", "Book", "other", "titles"])
      #expect(all["book"] == schema["book"])
      #expect(try StoreSchema(reading: db, for: []).tables == [])
    }
  }
}

private final class Statements: @unchecked Sendable {
  private let lock = NSLock()
  private var told: [String] = []
  func add(_ sql: String) { lock.withLock { told.append(sql) } }
  var all: [String] { lock.withLock { told } }
}
