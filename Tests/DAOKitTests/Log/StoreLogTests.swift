import CriteriaTesting
import DAORandomSessions
import DAOTestSupport
import Foundation
import InMemoryLogging
import Logging
import TestCases
import Testing

@testable import DAOKit

/// What a store logs, at which level, and what it never logs.
struct StoreLogTests {
  private let log = InMemoryLogHandler()

  private func factory(
    _ level: Logger.Level, slowerThan: Duration? = nil, showsValues: Bool = false, _ store: StoreDescription = .inMemory()
  ) throws -> DAOFactory {
    try DAOFactory(
      store: store, entities: Zone.self, log: StoreLog(log.logger(level), slowerThan: slowerThan, showsValues: showsValues))
  }

  @Test func `Every statement is traced, with its time and its rows`() throws {
    let zones = try factory(.trace).runtimeDAO(Zone.self)
    _ = log.removeAll()
    let all = try zones.insert(Zone.samples)
    #expect(
      log.removeAll().map { [$0.text.prefix(6).description, "\($0.metadata["rows"] ?? "")"] } == [["BEGIN ", "0"]]
        + all.map { _ in ["INSERT", "1"] }
        + [["COMMIT", "0"]])
    #expect(try zones.findAll(.where(\.offset > 0)).count == 4)
    #expect(try zones.update(.where(\.offset > 0), set: .set(\.comment, to: "x")) == 4)
    #expect(try zones.delete(.where(\.offset < 0)) == 1)
    #expect(try zones.count() == 5)
    let messages = log.removeAll().filter { !$0.text.contains("TRANSACTION") }
    #expect(messages.compactMap { $0.metadata["rows"]?.description } == ["4", "4", "1", "1"], "\(messages)")
    #expect(messages.allSatisfy { $0.level == .trace && $0.metadata["duration"] != nil })
    #expect(messages.first?.text == #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "offset" > ?"#)
  }

  @Test(arguments: TestCases.seeds(300, inSuite: 30)) func `Rows are counted, and statements that were kept are known, while others run`(
    seed: UInt64
  ) throws {
    var random = RandomSource(seed: seed)
    let traced = TracedStatements()
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self) { traced.add($0) }
    let zones = factory.runtimeDAO(Zone.self)
    let rows = (0..<Int.random(in: 1...30, using: &random)).map { Zone("\($0)", $0) }
    try zones.insert(rows)
    var seen: Set<String> = []
    for _ in 0..<8 {
      let limit = Int.random(in: 0...30, using: &random)
      _ = traced.removeAll()
      let expected = rows.count { $0.offset < limit }
      switch random.below(4) {
      case 0: #expect(try zones.findAll(.where(\.offset < limit)).count == expected)
      case 1: #expect(try zones.update(.where(\.offset < limit), set: .set(\.comment, to: "c")) == expected)
      case 2:
        // Each row of one statement runs another.
        try factory.read { session in
          let zones = session.runtimeDAO(Zone.self)
          let count = try zones.withCursor(.where(\.offset < limit)) { cursor in
            var count = 0
            while let zone = try cursor.next() {
              #expect(try zones.count(.where(\.offset < zone.offset)) == zone.offset)
              count += 1
            }
            return count
          }
          #expect(count == expected)
        }
      default: #expect(try zones.findAllIDs(.where(\.offset < limit)).count == expected)
      }
      let ran = traced.removeAll()
      for statement in ran where statement.sql.contains("COUNT") { #expect(statement.rowCount == 1) }
      let counted = ran.filter { !$0.sql.contains("COUNT") && !$0.sql.contains("TRANSACTION") }
      #expect(counted.reduce(0) { $0 + ($1.rowCount ?? -1) } == expected, "\(ran)")
      for statement in counted { #expect(statement.isReused == !seen.insert(statement.sql).inserted, "\(statement)") }
    }
  }

  @Test func `Slow statements are warnings at any level, and without a threshold nothing is reported at all`() throws {
    let slow = try factory(.warning, slowerThan: .zero)
    #expect(log.removeAll().filter { $0.level < .warning }.isEmpty)
    _ = try slow.runtimeDAO(Zone.self).count()
    let messages = log.removeAll()
    #expect(messages.map(\.text) == [#"slow statement: SELECT COUNT(*) FROM "zone""#] && messages[0].level == .warning)

    let quiet = try factory(.info, slowerThan: .seconds(3600))
    _ = log.removeAll()
    _ = try quiet.runtimeDAO(Zone.self).count()
    #expect(log.removeAll().isEmpty)
    #expect(StoreObservation(of: .inMemory(), StoreLog(log.logger(.info), slowerThan: nil), nil).statements == nil)
    #expect(StoreObservation(of: .inMemory(), nil, nil).statements == nil)
  }

  @Test func `The life cycle is logged as it goes`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StoreLogTests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let factory = try factory(.info, .file(folder.appendingPathComponent("log.sqlite")))
    #expect(log.removeAll().map(\.text).joined().contains("created"))
    try syncly {
      try factory.suspend()
      try factory.resume()
      try factory.compact()
      try factory.backUp(to: folder.appendingPathComponent("copy.sqlite"))
      try factory.close()
      try factory.reopen()
    }
    var messages = log.removeAll()
    #expect(messages.allSatisfy { $0.level == .info })
    #expect(messages.map(\.text).dropLast() == ["suspended", "resumed", "compacted", "backed up", "closed"])
    #expect(messages.last?.text.contains("reused") == true)
    try await factory.resetToSeed()
    try await factory.compact()
    try await factory.backUp(to: folder.appendingPathComponent("copy.sqlite"))
    try await factory.close()
    try await factory.reopen()
    try await factory.destroy()
    messages = log.removeAll()
    #expect(messages.map(\.text).filter { $0.count < 12 } == ["compacted", "backed up", "closed", "destroyed"], "\(messages)")

    try Data("no database at all, but of some length".utf8).write(to: folder.appendingPathComponent("log.sqlite"))
    #expect(throws: DAOError.self) { try syncly { try factory.reopen() } }
    #expect(throws: DAOError.self) { try self.factory(.info, .file(folder.appendingPathComponent("log.sqlite"))) }
    messages = log.removeAll()
    #expect(
      messages.count == 2 && messages.allSatisfy { $0.level == .error && $0.text.contains("the store was not opened") }, "\(messages)")
  }

  @Test func `A statement that fails is logged by what is at fault`() throws {
    let zones = try factory(.debug).runtimeDAO(Zone.self)
    try zones.insert(Zone("a", 1))
    _ = log.removeAll()
    #expect(throws: DAOError.self) { try zones.insert(Zone("a", 2)) }
    #expect(throws: DAOError.self) { try zones.query(#"SELECT * FROM "nowhere""#) }
    let messages = log.removeAll()
    #expect(messages.map(\.level) == [.debug, .debug], "\(messages)")
    #expect(
      messages.first?.text == "the unique constraint of zone does not hold"
        && messages.first?.metadata["attributes"]?.description == #"["name"]"#)
    StoreLog(log.logger(.error)).note(.failed(.engine(DAOError.EngineFailure(code: 11, message: "database disk image is malformed"))))
    #expect(log.removeAll().map(\.level) == [.error])
  }

  @Test func `A failure that only answers a question of the library's is not logged`() throws {
    let file = try FileStore()
    let factory = try factory(.debug, .file(file.url))
    let zones = factory.runtimeDAO(Zone.self)
    func failures() -> [String] { log.removeAll().filter { $0.level == .debug }.map(\.text) }
    try zones.insert([Zone("a", 1), Zone("b", 2)])
    // Rows that exchange unique values are tried in the order of their edits.
    let work = try factory.unitOfWork()
    let edited = work.runtimeDAO(Zone.self)
    _ = failures()
    for (id, name) in [(1, "b"), (2, "a")] as [(Int64, String)] {
      var zone = try edited.find(id)
      zone.name = name
      try edited.update(zone)
    }
    try work.commit()
    #expect(try zones.findAll(.all.order(by: \.id)).map(\.name) == ["b", "a"])
    #expect(failures().isEmpty)
    // What fails in the end is one failure.
    try edited.insert(Zone("c", 3))
    try zones.insert(Zone("c", 4))
    #expect(try work.preview().problem != nil)
    #expect(failures().isEmpty)
    #expect(throws: DAOError.self) { try work.commit() }
    #expect(failures() == ["the unique constraint of zone does not hold"])
    // Which columns are missing is asked for each.
    _ = try file.zones.execute("ALTER TABLE zone RENAME COLUMN comment TO remark")
    #expect(throws: DAOError.self) { try zones.findAll() }
    let messages = failures()
    #expect(messages.count == 1 && messages.first?.contains("SELECT") == true, "\(messages)")
  }

  @Test func `A statement that fails is traced with its code, however it fails`() throws {
    let file = try FileStore()
    let traced = TracedStatements()
    let parent = EntityDescription("parent", key: .generated("id"), attributes: [Attribute("id", .integer)])
    let factory = try DAOFactory(store: .file(file.url), entities: Zone.self) { traced.add($0) }
    let zones = factory.runtimeDAO(Zone.self)
    try zones.insert(Zone("a", 1))
    func codes() -> [Int32?] { traced.removeAll().filter { !$0.sql.contains("BEGIN") }.map(\.errorCode) }
    #expect(codes().allSatisfy { $0 == nil })
    #expect(throws: DAOError.self) { try zones.insert(Zone("a", 2)) }
    #expect(codes() == [2067])
    #expect(throws: DAOError.self) { try zones.query("SELECT id, name, abs(-9223372036854775807 - 1) AS \"offset\", comment FROM zone") }
    #expect(codes() == [1])
    // Rolled back by itself; and refused when it commits.
    #expect(throws: DAOError.self) { try zones.execute("INSERT OR ROLLBACK INTO zone (name, \"offset\") VALUES ('a', 1)") }
    #expect(codes() == [2067])
    _ = try zones.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY, up INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
    _ = traced.removeAll()
    #expect(throws: DAOError.self) {
      try factory.write { session in try session.runtimeDAO(parent).execute("INSERT INTO parent (up) VALUES (7)") }
    }
    let last = traced.removeAll().filter { $0.errorCode != nil }
    #expect(last.map(\.sql) == ["COMMIT TRANSACTION"] && last.first?.errorCode == 787, "\(last)")
    // One that goes on well after one that failed.
    #expect(try zones.count() == 1)
    #expect(codes().allSatisfy { $0 == nil })
  }

  @Test func `A lock that another connection holds is logged when it is waited for, and when in vain`() async throws {
    let file = try FileStore()
    let factory = try factory(.debug, .file(file.url))
    _ = log.removeAll()
    let held = AsyncStream<Void>.makeStream()
    let (log, other) = (log, file.factory)
    func has(_ part: String) -> Bool { log.entries.contains { $0.text.contains(part) } }
    // Until the other has given up, after its five seconds.
    async let holding: Void = onThread {
      try other.write { _ in
        held.continuation.finish()
        for _ in 0..<60_000 where !log.entries.contains(where: { $0.level == .warning }) { usleep(1_000) }
      }
    }
    for await _ in held.stream {}
    await #expect(throws: DAOError.self) { try await factory.runtimeDAO(Zone.self).insert(Zone("a", 1)) }
    try await holding
    #expect(has("waits for a lock") && has("for longer than the busy timeout"))
    #expect(log.entries.filter { $0.text.contains("waits for a lock") }.map(\.level) == [.debug])
  }

  @Test func `Slow statements alone are reported with what they changed, and the rows of others are not counted`() throws {
    let traced = TracedStatements()
    let engine = try StoreDescription.inMemory().open(
      [Zone.entityDescription], statements: StatementObserver(minimum: .nanoseconds(1)) { traced.add($0) }
    ).engine
    let zones = DAOFactory(over: EngineStore(engine)).runtimeDAO(Zone.self)
    try zones.insert(Zone.samples)
    _ = traced.removeAll()
    _ = try zones.findAll()
    try zones.update(.all, set: .set(\.comment, to: "x"), allowUnfiltered: true)
    #expect(traced.removeAll().map(\.rowCount) == [nil, 6])
    let none = try StoreDescription.inMemory().open(
      [Zone.entityDescription], statements: StatementObserver(minimum: .seconds(3_600)) { traced.add($0) }
    ).engine
    _ = try DAOFactory(over: EngineStore(none)).runtimeDAO(Zone.self).findAll()
    #expect(traced.removeAll().isEmpty)
  }

  @Test func `Rows are those of the statement, whatever runs beside it, and whoever changes the schema`() throws {
    let file = try FileStore()
    let traced = TracedStatements()
    let factory = try DAOFactory(store: .file(file.url), entities: Zone.self) { traced.add($0) }
    let zones = factory.runtimeDAO(Zone.self)
    try zones.insert(Zone.samples)
    func rows(_ text: String) -> [Int?] { traced.removeAll().filter { $0.sql.contains(text) }.map(\.rowCount) }
    _ = traced.removeAll()
    try factory.write { (session: Session) throws in
      let zones = session.runtimeDAO(Zone.self)
      try zones.withCursor(.where(\.offset == 0)) { cursor in
        while try cursor.next() != nil { try zones.update(.all, set: .set(\.comment, to: "y"), allowUnfiltered: true) }
      }
    }
    #expect(rows("SELECT") == [1])
    #expect(try zones.query("-- all\nSELECT * FROM zone").count == 6)
    #expect(rows("-- all") == [6])
    // A kept statement that SQLite compiles anew.
    #expect(try zones.findAll(.where(\.offset > 0)).count == 4)
    _ = try file.zones.execute("CREATE INDEX later ON zone (offset)")
    _ = traced.removeAll()
    #expect(try zones.findAll(.where(\.offset > 0)).count == 4)
    #expect(rows(#"WHERE "offset" >"#) == [4])
  }

  @Test func `Values in the reports of upgrades and in what refuses an opening are not logged`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StoreLogTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let secret = "s3cret"
    func seed(_ name: String, _ comment: String, _ version: Int32) throws -> URL {
      let url = folder.appendingPathComponent(name)
      let maker = try DAOFactory(store: .inMemory(version: version), entities: Zone.self)
      try maker.runtimeDAO(Zone.self).insert(Zone(id: 1, "zone", 1, comment))
      try syncly { try maker.backUp(to: url) }
      return url
    }
    let (old, new) = (try seed("old.sqlite", "first", 1), try seed("new.sqlite", "second", 2))
    let store = folder.appendingPathComponent("store.sqlite")
    func open(_ seed: URL, _ version: Int32, showsValues: Bool = false) throws -> DAOFactory {
      try factory(
        .trace, showsValues: showsValues, .file(store, seed: .file(seed), policy: .upgrade(conflicts: .keepMine), version: version))
    }
    let first = try open(old, 1)
    try first.runtimeDAO(Zone.self).update(.where(\.id == 1), set: .set(\.comment, to: secret))
    try syncly { try first.close() }
    let upgraded = try open(new, 2)
    let report = try #require(upgraded.report)
    #expect("\(report)".contains(secret), "\(report)")
    #expect(log.entries.contains { $0.text.contains("1 conflicts") } && !"\(log.entries)".contains(secret), "\(log.entries)")
    try syncly { try upgraded.close() }

    let stricter = EntityDescription(
      "zone", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("name", .text), Attribute("offset", .integer), Attribute("comment", .integer, optional: true),
      ])
    let error = #expect(throws: (any Error).self) {
      try DAOFactory(
        store: .file(store, migration: .automatic), describedBy: [stricter], log: StoreLog(log.logger(.trace), showsValues: false))
    }
    #expect(error != nil && log.entries.last?.level == .error && !"\(log.entries)".contains(secret), "\(log.entries)")
  }

  @Test func `The statements that make a store, migrate and upgrade it are traced`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StoreLogTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("store.sqlite")
    let traced = TracedStatements()
    func note(_ attributes: Attribute...) -> EntityDescription {
      EntityDescription("note", key: .generated("id"), attributes: [Attribute("id", .integer)] + attributes)
    }
    func open(_ entity: EntityDescription, _ migration: Migration? = nil, _ version: Int32 = 1) throws -> DAOFactory {
      try DAOFactory(store: .file(store, version: version, migration: migration), describedBy: [entity]) { traced.add($0) }
    }
    func statements(_ part: String) -> [StatementTrace] { traced.removeAll().filter { $0.sql.contains(part) } }

    let (old, new) = (note(), note(Attribute("text", .text, optional: true)))
    try syncly { try open(old).close() }
    #expect(statements("CREATE TABLE").map(\.rowCount) == [0])
    try syncly { try open(new, .automatic).close() }
    #expect(statements("ALTER TABLE").count == 1)
    // A step of your own, with the rows that it changes; and one that is refused.
    let steps = Migration(steps: [.before(2, "notes") { store in _ = try store.execute("INSERT INTO note (id) VALUES (1), (2)") }])
    try syncly { try open(new, steps, 2).close() }
    #expect(statements("INSERT INTO note").map(\.rowCount) == [2])
    let refused = Migration(steps: [.before(3, "again") { store in _ = try store.execute("INSERT INTO note (id) VALUES (1)") }])
    #expect(throws: DAOError.self) { try open(new, refused, 3) }
    #expect(statements("INSERT INTO note").map(\.errorCode) == [1555])
  }

  @Test func `A factory of your own logs what is done to its store`() throws {
    final class OwnFactory: DAOFactory, @unchecked Sendable {}
    let store = try DAOFactory(store: .inMemory(), entities: Zone.self).store
    let own = OwnFactory(over: store, log: StoreLog(log.logger(.info)))
    try syncly { try own.suspend() }
    try own.resume()
    try syncly { try own.compact() }
    #expect(log.removeAll().map(\.text) == ["compacted"])
  }

  @Test func `No value is logged, whatever is asked and whatever fails`() throws {
    let secret = "s3cret"
    for showsValues in [false, true] {
      let factory = try factory(.trace, slowerThan: .zero, showsValues: showsValues)
      let zones = factory.runtimeDAO(Zone.self)
      try zones.insert(Zone(secret, 1, secret))
      _ = try? zones.insert(Zone(secret, 2))
      _ = try zones.findAll(.where { $0.name == secret || .like($0.name, "*\(secret)*") || .in($0.name, [secret, "b"]) })
      try zones.update(.where { $0.name == secret }, set: .set(\.comment, to: secret + "2"))
      _ = try zones.delete(.where { $0.comment == secret + "2" })
      _ = try? zones.execute("INSERT INTO zone (name, \"offset\") VALUES (\(secret), 'east')")
      _ = try? zones.query("SELECT json_extract(\(secret), '$') AS name")
      _ = try? zones.query("SELECT id, name, \(secret) AS \"offset\", comment FROM zone")
      let messages = log.removeAll().filter { "\($0)".contains(secret) }
      #expect(messages.isEmpty == !showsValues, "\(messages)")
    }
  }

  @Test func `A program takes its log from the environment`() throws {
    let handler: (String) -> any LogHandler = { [log] _ in log }
    let none = [StoreLog.environment(label: "x", variable: "DAO_LOG_THAT_NOBODY_SETS"), StoreLog.from("Off", "x", "DAO_LOG", handler)]
    #expect(none.allSatisfy { $0 == nil })
    let (trace, loud) = (StoreLog.from("Trace", "x", "DAO_LOG", handler), StoreLog.from("loud", "x", "DAO_LOG", handler))
    let (traced, wrong) = (try #require(trace), try #require(loud))
    #expect(traced.logger.logLevel == .trace && traced.slowerThan == .seconds(1) && !traced.showsValues)
    #expect(wrong.logger.logLevel == .info)
    #expect(log.removeAll().map(\.text) == ["DAO_LOG is no level; it takes one of trace, debug, info, notice, warning, error, critical"])
  }
}

/// The statements that a factory's closure receives.
private final class TracedStatements: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var statements: [StatementTrace] = []

  func add(_ statement: StatementTrace) { lock.withLock { statements.append(statement) } }

  func removeAll() -> [StatementTrace] {
    lock.withLock {
      defer { statements = [] }
      return statements
    }
  }
}
