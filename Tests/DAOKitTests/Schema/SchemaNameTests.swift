import DAOKit
import DAOSchema
import Foundation
import GRDB
import TestCases
import Testing

@Suite("Names of a schema")
struct SchemaNameTests {
  /// Names that Swift finds equal, or that `lowercased()` folds, and SQLite tells apart; and such as SQLite finds equal.
  private static let names = [
    "k", "\u{212A}", "e\u{301}", "\u{E9}", "E\u{301}", "\u{C9}", "\u{C5}", "\u{212B}", "\u{E5}", "ss", "\u{DF}", "\u{1E9E}", "i", "\u{130}",
    "\u{131}", "a", "z", "@[`{", "\u{3A3}", "\u{3C3}", "\u{3C2}", "\u{FB01}", "fi", "\u{AC00}", "\u{1100}\u{1161}",
  ]

  @Test func `are equal where SQLite finds them equal, tables and columns`() throws {
    let queue = try DatabaseQueue()
    var random = RandomSource(seed: TestCases.seed)
    func name() -> String {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let part = Self.names.randomElement(using: &random) ?? ""
        return Bool.random(using: &random) ? part.uppercased() : part
      }.joined()
    }
    try queue.writeWithoutTransaction { db in
      for _ in 0..<2_000 {
        let first = name()
        let second =
          Bool.random(using: &random)
          ? name() : Bool.random(using: &random) ? first.lowercased() : first.decomposedStringWithCanonicalMapping
        try db.execute(sql: "BEGIN")
        try db.execute(sql: "CREATE TABLE \(first.quotedIdentifier) (\(first.quotedIdentifier))")
        let isSame = (try? db.execute(sql: "CREATE TABLE \(second.quotedIdentifier) (a)")) == nil
        #expect(SchemaName.same(first, second) == isSame, "\(first.debugDescription) \(second.debugDescription)")
        #expect(
          (SchemaName(first) == SchemaName(second)) == isSame && Set([SchemaName(first), SchemaName(second)]).count == (isSame ? 1 : 2))
        let schema = StoreSchema(tables: [.init(name: first, columns: [.init(name: first, declaredType: "")])])
        #expect((schema[second] != nil) == isSame && (schema[first]?[second] != nil) == isSame)
        try db.execute(sql: "ROLLBACK")
      }
    }
  }

  /// One of each that SQLite tells apart.
  private static let distinct = names.reduce(into: [String]()) { found, name in
    if !found.contains(where: { SchemaName.same($0, name) }) { found.append(name) }
  }

  @Test(arguments: [false, true])
  func `tables whose names Swift finds equal are several entities, each with its own rows, rules and keys`(isOfSeed: Bool) throws {
    let folder = try StoreFolder()
    let seed = folder.file("seed")
    let queue = try DatabaseQueue(path: seed.path)
    try queue.write { db in
      for (number, name) in Self.distinct.enumerated() {
        try db.execute(sql: "CREATE TABLE \(name.quotedIdentifier) (id INTEGER PRIMARY KEY, n INTEGER UNIQUE)")
        // Keys of a store of a seed begin at 2^40.
        if isOfSeed { try db.execute(sql: "INSERT INTO \(name.quotedIdentifier) VALUES (\((1 << 40) + number * 100), 0)") }
      }
    }
    try queue.close()
    let factory = try DAOFactory(store: .file(folder.file("store"), seed: isOfSeed ? .file(seed) : .empty))
    if !isOfSeed {
      for name in Self.distinct {
        try factory.runtimeDAO(Zone.self).execute("CREATE TABLE \(identifier: name) (id INTEGER PRIMARY KEY, n INTEGER UNIQUE)")
      }
    }
    for (number, name) in Self.distinct.enumerated() {
      let dao = try factory.runtimeDAO(name)
      #expect(dao.entity.table.utf8.elementsEqual(name.utf8))
      let first = isOfSeed ? (1 << 40) + number * 100 : 0
      let row = try dao.insert(dao.make(["n": .integer(Int64(number + 1))]))
      #expect(row["id"] == .integer(Int64(first + 1)))
      #expect(try dao.upsert(row).outcome == .unchanged)
      #expect(try dao.count() == (isOfSeed ? 2 : 1))
    }
    #expect(try factory.store.entities().count == Self.distinct.count)
    // Compared with entities, a store has each of them or not.
    let wanted = EntityDescription(
      "k", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("n", .integer, optional: true)])
    try factory.runtimeDAO(Zone.self).execute("DROP TABLE k")
    let engine = try #require((factory.store as? EngineStore)?.engine)
    #expect(
      try engine.read(snapshot: true) { try $0.schema().differences(from: [wanted]).map(\.found) } == [
        "neither a table nor a view of this name"
      ])
  }

  @Test func `columns whose names Swift finds equal are several attributes`() throws {
    let columns = Self.distinct.map { $0.quotedIdentifier + " INTEGER" }.joined(separator: ", ")
    let store = try TestStore([], sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))")
    let dao = try store.factory.runtimeDAO("t")
    #expect(dao.entity.problems.isEmpty && dao.entity.attributes.count == Self.distinct.count + 1)
    #expect(Set(dao.entity.attributes.map(\.name)).count == Self.distinct.count + 1)
    let values = Dictionary(
      uniqueKeysWithValues: dao.entity.attributes.dropFirst().enumerated().map { ($1.name, Scalar.integer(Int64($0))) })
    let made = try dao.insert(dao.make(values))
    for (number, attribute) in dao.entity.attributes.dropFirst().enumerated() {
      #expect(try store.stored(attribute.column, in: "t") == ["integer \(number)"])
      #expect(
        try dao.count(.where(.equal(Operand<DynamicEntity, Scalar>(.field(FieldPath(attribute.name))), .integer(Int64(number))))) == 1)
    }
    #expect(try dao.find(1) == made)
    #expect(try dao.query("SELECT * FROM t") == [made])
    let typed = EntityDescription(
      "t", key: .generated("id"),
      attributes: [Attribute("id", .integer)] + Self.distinct.enumerated().map { Attribute("a\($0)", .integer, column: $1, optional: true) }
    )
    #expect(typed.problems.isEmpty)
    #expect(try SchemaSQL.statements(for: [typed]).count == 1)
    #expect(try store.engine.read(snapshot: true) { try $0.schema().differences(from: [typed]).isEmpty })
  }

  @Test(arguments: ["json_each", "JSON_EACH", "pragma_foreign_key_check", "pragma_table_list"])
  func `tables called as SQLite's functions stand in nobody's way`(_ name: String) throws {
    let store = try TestStore(
      sql: """
        CREATE TABLE \(name) (id INTEGER PRIMARY KEY, value INTEGER);
        INSERT INTO \(name) VALUES (1, 5), (2, 7)
        """)
    let dao = try store.factory.runtimeDAO(name)
    #expect(try dao.findAllIDs(.where { .in($0["value"], [5, 6]) }) == [[.integer(1)]])
    #expect(try dao.count(.where { .notIn($0["value"], [5]) }) == 1)
    try store.zones.insert(Zone.samples)
    #expect(try store.zones.findAllIDs(.where(.in(\.id, [2, 3]))) == [2, 3])
    #expect(try store.zones.find([1, 2]).count == 2)
    #expect(try store.zones.upsert(Zone(id: 1, "x", 1)).outcome == .updated)
    #expect(try StoreDoctor().examine(store.engine).findings.filter { $0.severity < .note } == [])
  }

  @Test func `what an upsert knows of a table is forgotten when somebody changes the schema`() throws {
    let store = try FileStore()
    let zones = store.zones
    let other = try DatabaseQueue(path: store.url.path)
    func change(_ sql: String) throws { try other.writeWithoutTransaction { try $0.execute(sql: sql) } }
    for round in 0..<3 {
      #expect(try zones.upsert(Zone("yes \(round)", 1)).outcome == .inserted)
      #expect(try zones.upsert(Zone("yes \(round)", 1), on: ["name"]).outcome == .unchanged)
      let (before, name) = (try zones.count(), "no \(round)")
      try change("CREATE TRIGGER no BEFORE INSERT ON Zone BEGIN SELECT RAISE(IGNORE); END")
      #expect(throws: DAOError.self) { try zones.upsert(Zone(name, 1)) }
      #expect(throws: DAOError.self) { try zones.upsert([Zone(name, 1)]) }
      #expect(try zones.count() == before)
      try change("DROP TRIGGER no")
      // And by one's own SQL, in the transaction and after it was taken back.
      var wasIgnored = false
      try? store.factory.write { session in
        let zones = session.runtimeDAO(Zone.self)
        try zones.execute("CREATE TRIGGER own BEFORE INSERT ON zone BEGIN SELECT RAISE(IGNORE); END")
        do { _ = try zones.upsert(Zone(name, 1)) } catch { wasIgnored = true }
        throw CancellationError()
      }
      #expect(wasIgnored)
      #expect(try zones.upsert(Zone(name, 1)).outcome == .inserted)
    }
  }
}
