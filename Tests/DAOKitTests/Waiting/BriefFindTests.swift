import DAOKit
import DAOWaiting
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("The row of a key, awaited", .timeLimit(.minutes(60)))
struct BriefFindTests {
  /// Who ran the statements over a table or view: true where it was a thread of the store's.
  private final class Runs: @unchecked Sendable {
    private let lock = NSLock()
    private var runs: [Bool] = []
    func add() { lock.withLock { runs.append(AsyncCall.current != nil) } }
    func take() -> [Bool] {
      lock.withLock {
        defer { runs = [] }
        return runs
      }
    }
  }

  private let runs = Runs()
  private let store: EndlessStore
  private let long = EntityDescription("long", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text)])

  init() throws {
    let runs = runs
    store = try EndlessStore { _ in runs.add() }
    let database = try DatabaseQueue(path: store.url.path)
    try database.write { database in
      try database.execute(
        sql: """
          CREATE VIEW long AS
            WITH RECURSIVE number(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM number WHERE id < 5000) \
          SELECT id, 'n' || id AS name FROM number;
          """)
    }
    try database.close()
    // A connection that reads is open, and idle.
    _ = try store.zones.count()
    _ = runs.take()
  }

  @Test func `is found by the task's own thread`() async throws {
    let dynamic = try store.factory.runtimeDAO("zone")
    _ = runs.take()
    for id in 1...Int64(Zone.samples.count) {
      let found = try await store.zones.find(id)
      #expect(Zone.samples[Int(id) - 1].name == found.name)
      #expect(try await dynamic.find(.integer(id))["name"] == .text(found.name))
    }
    let runs = runs.take()
    #expect(runs.count == Zone.samples.count * 2 && !runs.contains(true))
    let missing = await #expect(throws: DAOError.self) { try await store.zones.find(99) }
    if case .notFound("zone", "99")? = missing {} else { Issue.record("\(String(describing: missing))") }
    #expect(try await store.isAsNew())
  }

  @Test func `is found by the task's own thread each time, though its statement has run before`() async throws {
    for number in 0..<3000 { _ = try await store.zones.find(Int64(number % Zone.samples.count + 1)) }
    let runs = runs.take()
    // But for a few, with which the task gives its thread to others.
    #expect(runs.count == 3000 && (1...3000 / 64).contains(runs.count { $0 }))
  }

  @Test func `leaves the threads of Swift's concurrency to others`() async throws {
    let store = store
    let tasks = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task { while true { _ = try await store.zones.find(1) } }
    }
    // Comes to its turn among them.
    await Task {}.value
    for task in tasks {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await store.isAsNew())
  }

  @Test func `is found by a thread of the store's where a value of the row is long, or is made long on the way`() async throws {
    let database = try DatabaseQueue(path: store.url.path)
    try await database.write { database in
      try database.execute(
        sql: """
          CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT);
          INSERT INTO document VALUES (1, 'short'), (2, hex(zeroblob(30000))), (3, hex(zeroblob(5000000)));
          CREATE VIEW made AS SELECT id, 'n' || length(hex(zeroblob(iif(id = 1, 10, 5000000)))) AS name FROM document
          """)
    }
    try database.close()
    for (table, names) in [
      ("document", ["short", String(repeating: "0", count: 60_000), String(repeating: "0", count: 10_000_000)]),
      ("made", ["n20", "n10000000", "n10000000"]),
    ] {
      let dao = store.factory.runtimeDAO(
        EntityDescription(table, key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)]))
      _ = try await dao.find(1)
      _ = runs.take()
      var found: [[Bool]] = []
      for (index, name) in names.enumerated() {
        #expect(try await dao.find(.integer(Int64(index) + 1))["name"] == .text(name))
        found.append(runs.take())
      }
      // What the task's own thread gave up is no statement of its own.
      #expect(found == [[false], [table == "made"], [true]], "\(table): \(found)")
    }
    // The limit was the find's alone.
    #expect(try await store.factory.runtimeDAO("document").findAll().count == 3)
    #expect(try await store.isAsNew())
  }

  @Test func `is found by a thread of the store's where that takes more than a moment`() async throws {
    let dao = store.factory.runtimeDAO(long)
    for id in [1, 4000, 5000] { #expect(try await dao.find(.integer(Int64(id)))["name"] == .text("n\(id)")) }
    await #expect(throws: DAOError.self) { try await dao.find(5001) }
    // The first comes at once; the others were tried by the task's thread first.
    let runs = runs.take()
    #expect(runs == [false, true, true, true], "\(runs)")
    #expect(try await store.isAsNew())
  }

  @Test func `is found as an override says, which a thread of the store's runs`() async throws {
    final class Loud: DAO<Zone>, @unchecked Sendable {
      override func find(_ id: Int64) throws -> Zone {
        var zone = try super.find(id)
        zone.name = zone.name.uppercased()
        return zone
      }
    }
    #expect(try await store.factory.dao(Loud.init).find(1).name == "EUROPE/BRATISLAVA")
    #expect(runs.take() == [true])
  }

  @Test func `is not found for a task that was cancelled, or whose time is over, or in a store that is suspended or closed`() async throws {
    let store = store
    let begun = DispatchSemaphore(value: 0)
    let task = Task.detached {
      begun.wait()
      return try await store.zones.find(1)
    }
    task.cancel()
    begun.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    let late = await #expect(throws: DAOError.self) { try await withDeadline(.zero) { try await store.zones.find(1) } }
    if case .timedOut(.deadline, _)? = late {} else { Issue.record("\(String(describing: late))") }
    try await store.factory.suspend(within: .seconds(3600))
    let suspended = await #expect(throws: DAOError.self) { try await store.zones.find(1) }
    if case .suspended? = suspended {} else { Issue.record("\(String(describing: suspended))") }
    try store.factory.resume()
    #expect(try await store.zones.find(1).id == 1)
    #expect(try await store.isAsNew())
    await #expect(throws: DAOError.self) { try await store.zones.find(1) }
  }

  @Test func `waits without a thread while all connections that read are out`() async throws {
    let held = (0..<max(4, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
      Held { end in try store.factory.read { _ in end() } }
    }
    // More than Swift's concurrency has threads: if they blocked one each, nothing would release what they wait for.
    async let found = withThrowingTaskGroup(of: Int64?.self) { group in
      for number in 0..<64 { group.addTask { try await store.zones.find(Int64(number % 6 + 1)).id } }
      return try await group.reduce(into: 0) { $0 += $1 ?? 0 }
    }
    try await Task.sleep(for: .milliseconds(20))
    for held in held { held.release() }
    #expect(try await found == (0..<64).reduce(0) { $0 + Int64($1 % 6 + 1) })
    #expect(try await store.isAsNew())
  }

  @Test func `does not wait for another process's lock by the task's thread`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    defer { try? FileManager.default.removeItem(at: file) }
    let other = try DatabaseQueue(path: file.path)
    try other.writeWithoutTransaction {
      try $0.execute(
        sql: """
          CREATE TABLE zone (id INTEGER PRIMARY KEY);
          INSERT INTO zone VALUES (1)
          """)
    }
    let engine = try SQLiteEngine(inMemory: { _ in })
    let connection = try SerialConnection(path: file.path, SQLiteConfiguration(statements: nil), isReadOnly: true)
    func count() throws -> Bool {
      try connection.runBriefly(for: engine) { connection in
        try connection.beginStatement()
        let statement = try connection.prepare("SELECT * FROM zone")
        let code = statement.functions.step(statement.handle)
        if code != 100 { throw connection.error(code, sql: "", argumentCount: 0, entity: nil) }
      }
    }
    #expect(try count())
    try other.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN EXCLUSIVE")
      #expect(try !count())
      try database.execute(sql: "ROLLBACK")
    }
    #expect(try count())
    connection.run(for: engine) { #expect($0.limits.sleepCount == 0) }
  }
}
