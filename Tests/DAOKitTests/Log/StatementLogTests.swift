import CriteriaTesting
import Foundation
import InMemoryLogging
import Logging
import TestCases
import Testing

@testable import DAOKit

/// Which statements a store reports, and what it says of them.
struct StatementLogTests {
  private let log = InMemoryLogHandler()

  @Test func `Every statement is traced, with its time and its rows`() throws {
    let zones = try log.factory(.trace).runtimeDAO(Zone.self)
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
    let slow = try log.factory(.warning, slowerThan: .zero)
    #expect(log.removeAll().filter { $0.level < .warning }.isEmpty)
    _ = try slow.runtimeDAO(Zone.self).count()
    let messages = log.removeAll()
    #expect(messages.map(\.text) == [#"slow statement: SELECT COUNT(*) FROM "zone""#] && messages[0].level == .warning)

    let quiet = try log.factory(.info, slowerThan: .seconds(3600))
    _ = log.removeAll()
    _ = try quiet.runtimeDAO(Zone.self).count()
    #expect(log.removeAll().isEmpty)
    #expect(StoreObservation(of: .inMemory(), StoreLog(log.logger(.info), slowerThan: nil), nil).statements == nil)
    #expect(StoreObservation(of: .inMemory(), nil, nil).statements == nil)
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
}
