import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// What is noted of tables and statements of all kinds, by the hook and by triggers.
@Suite("Captured changes")
struct CapturedChangesTests {
  /// A store whose tables are followed, with their changed attributes.
  private struct Followed {
    let factory: DAOFactory
    let entities: [String: EntityDescription]
    private var changes: ChangeSequence.Iterator

    /// - Parameter names: the entities that are followed.
    init(_ names: String..., sql: String, byTriggers: Bool = false) throws {
      let store = try TestStore([], sql: sql + "; CREATE TABLE mark (id INTEGER PRIMARY KEY)", notesByTriggers: byTriggers)
      factory = store.factory
      let all = Dictionary(uniqueKeysWithValues: try factory.store.entities().map { ($0.name, $0) })
      let followed = try (names + ["mark"]).map { try #require(all[$0]) }
      entities = all
      changes = try factory.changes(of: followed, attributes: true).makeAsyncIterator()
    }

    /// Runs statements in one session, and tells what is reported: `+` and the keys of new rows, `~` of changed ones with their attributes,
    /// `-` of those that are gone, `?` for unknown rows.
    mutating func report(_ entity: String, _ statements: String..., failing: Bool = false) async throws -> [String] {
      let description = try #require(entities[entity])
      let (factory, mark) = (self.factory, try #require(entities["mark"]))
      func run() throws {
        try factory.write { session in for sql in statements { try session.runtimeDAO(mark).execute(SQL(stringLiteral: sql)) } }
      }
      try syncly {
        if failing { #expect(throws: DAOError.self) { try run() } } else { try run() }
        try factory.runtimeDAO(mark).execute("INSERT INTO mark DEFAULT VALUES")
      }
      var result: [String] = []
      while let set = await changes.next() {
        if !set[mark].inserted.isEmpty { break }
        let rows = set[description]
        func list(_ sign: String, _ keys: [[Scalar]]) -> [String] { keys.map { "\(sign)\($0.map(Self.word).joined(separator: " "))" } }
        var words = list("+", rows.inserted)
        words += zip(rows.updated, rows.updatedAttributes ?? []).map { key, names in
          "~\(key.map(Self.word).joined(separator: " ")):\(names.sorted().joined(separator: ","))"
        }
        words += list("-", rows.deleted)
        if rows.needsReload { words.append("?") }
        if !words.isEmpty { result.append(words.joined(separator: " ")) }
      }
      return result
    }

    private static func word(_ key: Scalar) -> String { "\(key)".replacing("\"", with: "") }
  }

  @Test(arguments: [false, true], ["", " WITHOUT ROWID"])
  func `a key that is a whole number in a REAL column is one key`(byTriggers: Bool, tail: String) async throws {
    var store = try Followed("r", sql: "CREATE TABLE r (x REAL NOT NULL PRIMARY KEY, v)" + tail, byTriggers: byTriggers)
    #expect(try await store.report("r", "INSERT INTO r VALUES (5, 1)", "DELETE FROM r") == [])
    #expect(try await store.report("r", "INSERT INTO r VALUES (5, 1), (6.5, 2)") == ["+5.0 +6.5"])
    #expect(try await store.report("r", "UPDATE r SET v = 3, x = x") == ["~5.0:v ~6.5:v"])
    #expect(try await store.report("r", "UPDATE r SET x = 7 WHERE x = 5") == ["+7.0 -5.0"])
    #expect(try await store.report("r", "DELETE FROM r") == [tail.isEmpty ? "-7.0 -6.5" : "-6.5 -7.0"])
  }

  @Test(arguments: [false, true])
  func `a column with a default that was added later changes from the default`(byTriggers: Bool) async throws {
    var store = try Followed(
      "item",
      sql: """
        CREATE TABLE item (id INTEGER PRIMARY KEY, a);
        INSERT INTO item VALUES (1, 1), (2, 2);
        ALTER TABLE item ADD COLUMN n INTEGER DEFAULT 5
        """, byTriggers: byTriggers)
    #expect(try await store.report("item", "UPDATE item SET n = NULL WHERE id = 1") == ["~1:n"])
    #expect(try await store.report("item", "UPDATE item SET a = 7 WHERE id = 1").first?.hasPrefix("~1:a") == true)
  }

  @Test(arguments: [false, true])
  func `a change of the schema asks to reload the entities that are followed`(byTriggers: Bool) async throws {
    var store = try Followed(
      "item", sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, a); INSERT INTO item VALUES (1, 1), (2, 2)", byTriggers: byTriggers)
    let make = "CREATE TABLE item (id INTEGER PRIMARY KEY, a)"
    #expect(try await store.report("item", "DROP TABLE item", make, "INSERT INTO item VALUES (1, 3)").last?.hasSuffix("?") == true)
    #expect(try await store.report("item", "ALTER TABLE item DROP COLUMN a", "ALTER TABLE item ADD COLUMN a DEFAULT 9") == ["?"])
    #expect(try await store.report("item", "CREATE TABLE other AS SELECT id, 7 AS a FROM item").last == "?")
    #expect(try await store.report("item", "DROP TABLE item", "ALTER TABLE other RENAME TO item").last?.hasSuffix("?") == true)
    // A change that fails changes nothing, and what comes later is noted.
    #expect(try await store.report("item", "ALTER TABLE item DROP COLUMN nothing", failing: true) == [])
    #expect(try await store.report("item", "DROP TABLE item", make, "INSERT INTO nothing VALUES (1)", failing: true) == [])
    #expect(try await store.report("item", "DROP TABLE item", make).last?.hasSuffix("?") == true)
    #expect(try await store.report("item", "INSERT INTO item VALUES (1, 1)") == ["+1"])
    #expect(try await store.report("item", "UPDATE item SET a = 2") == ["~1:a"])
  }

  @Test(arguments: [false, true])
  func `keys of another form within one commit leave unknown rows`(byTriggers: Bool) async throws {
    var store = try Followed(
      "item", sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, a); INSERT INTO item VALUES (1, 1), (2, 2)", byTriggers: byTriggers)
    let report = try await store.report(
      "item", "DELETE FROM item", "DROP TABLE item", "CREATE TABLE item (a, id INT NOT NULL PRIMARY KEY)", "INSERT INTO item VALUES (1, 40)"
    )
    #expect(report.last?.hasSuffix("?") == true)
    #expect(try await store.report("item", "INSERT INTO item VALUES (1, 41)") == ["+41"])
  }

  @Test(arguments: [false, true])
  func `what a statement leaves that fails half-way is unknown`(byTriggers: Bool) async throws {
    let sql = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, a);
      CREATE TABLE log (id INTEGER PRIMARY KEY, t)
      """
    let failing = " BEFORE INSERT ON item BEGIN INSERT INTO log (t) VALUES ('kept'); SELECT RAISE(FAIL, 'f'); END"
    for trigger in ["CREATE TRIGGER f", "CREATE TEMP TRIGGER f"] {
      var store = try Followed("log", sql: sql, byTriggers: byTriggers)
      let dao = store.factory.runtimeDAO(try #require(store.entities["log"]))
      try syncly { try dao.execute(SQL(stringLiteral: trigger + failing)) }
      _ = try await store.report("log", "SELECT 1")
      _ = try? syncly { try dao.execute("INSERT INTO item VALUES (1, 1)") }
      let kept = try syncly { try dao.count() }
      #expect(try await store.report("log", "SELECT 1") == (kept == 0 ? [] : ["?"]), "\(trigger)")
    }
  }

  @Test(arguments: [false, true])
  func `a view over two tables is reloaded after changes of each`(byTriggers: Bool) async throws {
    var store = try Followed(
      "both", "a",
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT);
        CREATE TABLE b (id INTEGER PRIMARY KEY, v TEXT);
        CREATE VIEW both AS SELECT a.id AS id, b.v AS v FROM a JOIN b USING (id)
        """, byTriggers: byTriggers)
    #expect(try await store.report("both", "INSERT INTO a VALUES (1, 'x')") == ["?"])
    #expect(try await store.report("both", "INSERT INTO b VALUES (1, 'x')") == ["?"])
    #expect(try await store.report("a", "INSERT INTO a VALUES (2, 'x')") == ["+2"])
    #expect(try await store.report("a", "INSERT INTO b VALUES (2, 'x')") == [])
  }

  @Test func `a store in memory that was reset is noted by its new schema`() async throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self)
    let zones = factory.runtimeDAO(Zone.self)
    var changes = try factory.changes().makeAsyncIterator()
    try syncly {
      try zones.execute("ALTER TABLE zone ADD COLUMN more TEXT")
      _ = try factory.resetToSeed()
      try zones.insert(Zone("b", 1))
    }
    #expect(try #require(await changes.next())[Zone.self].needsReload)
    #expect(try #require(await changes.next())[Zone.self].needsReload)
    #expect(await changes.next()?[Zone.self].inserted == [1])
  }
}
