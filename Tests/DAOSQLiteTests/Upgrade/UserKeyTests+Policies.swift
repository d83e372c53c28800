import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

// Apps whose policy changes: stores that were not upgraded so far, or have no base.
extension UserKeyTests {
  private var item: EntityDescription {
    EntityDescription(
      "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)])
  }

  private func seed(_ version: Int32, _ names: String...) throws -> URL { try seed(version, names) }

  private func seed(_ version: Int32, _ names: [String]) throws -> URL {
    let url = scratch.url("seed \(version)")
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name TEXT);
          CREATE TABLE about (item INTEGER REFERENCES item, note TEXT);
          PRAGMA user_version = \(version)
          """)
      for name in names { try db.execute(sql: "INSERT INTO item (name) VALUES (?)", arguments: [name]) }
    }
    try queue.close()
    return url
  }

  /// Opens the store as a release of the app does, and inserts a row.
  private func launch(_ seed: URL, _ policy: SeedPolicy, inserting name: String) throws -> (report: BootstrapReport, key: Int64?) {
    let (engine, report) = try StoreDescription.file(scratch.url("store"), seed: .file(seed), policy: policy).open([item])
    let store = EngineStore(engine)
    let inserted = try store.insert([DynamicEntity(item, ["name": .text(name)])], in: EntityTarget(item))
    guard case .integer(let key)? = inserted.first?.primaryKey?.first else { return (report, nil) }
    _ = try store.execute("INSERT INTO about VALUES (\(key), \(name))")
    return (report, key)
  }

  private func rows() throws -> [String] {
    let queue = try DatabaseQueue(path: scratch.url("store").path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT item.id, name, note FROM item LEFT JOIN about ON item = item.id ORDER BY item.id")
        .map { $0.databaseValues.map { $0.stored.description }.joined(separator: " ") }
    }
  }

  @Test(arguments: [SeedConflict.Policy.keepMine, .takeSeed, .byColumn])
  func `an app that begins to merge seeds, stops, and begins again`(conflicts: SeedConflict.Policy) throws {
    let (one, two, three) = (try seed(1, "a", "b"), try seed(2, "a", "b", "c"), try seed(3, "a", "B", "c", "d"))
    #expect(try launch(one, .copyIfMissing, inserting: "mine 1").key == 3)
    // The base is kept from now on, since the store is of the shipped seed.
    #expect(try launch(one, .upgrade(conflicts: conflicts), inserting: "mine 2").key == Self.first)
    let second = try launch(two, .upgrade(conflicts: conflicts), inserting: "mine 3")
    guard case .upgraded(let upgrade) = second.report.outcome else { return #expect(Bool(false), "\(second.report)") }
    #expect(upgrade.tables.map(\.moved) == [[3: Self.first + 1], [:]] || upgrade.tables.map(\.moved) == [[3: Self.first + 1]])
    #expect(second.key == Self.first + 2)
    #expect(
      try rows() == [
        "1 'a' NULL", "2 'b' NULL", "3 'c' NULL", "\(Self.first) 'mine 2' 'mine 2'", "\(Self.first + 1) 'mine 1' 'mine 1'",
        "\(Self.first + 2) 'mine 3' 'mine 3'",
      ])
    // SQLite's own numbers follow the highest.
    #expect(try launch(three, .copyIfMissing, inserting: "mine 4").key == Self.first + 3)
    let queue = try DatabaseQueue(path: scratch.url("store").path)
    try queue.write {
      try $0.execute(
        sql: """
          INSERT INTO item VALUES (4, 'by SQL');
          INSERT INTO about VALUES (4, 'by SQL')
          """)
    }
    try queue.close()
    let third = try launch(three, .upgrade(conflicts: conflicts), inserting: "mine 5")
    guard case .upgraded(let last) = third.report.outcome else { return #expect(Bool(false), "\(third.report)") }
    #expect(last.tables.first { $0.name == "item" }?.moved == [4: Self.first + 4])
    #expect(try rows().prefix(4) == ["1 'a' NULL", "2 'B' NULL", "3 'c' NULL", "4 'd' NULL"])
    #expect(try rows().suffix(2) == ["\(Self.first + 4) 'by SQL' 'by SQL'", "\(Self.first + 5) 'mine 5' 'mine 5'"])
  }

  @Test func `an app that replaced its store, and merges seeds now: what it took over of its own has low keys`() throws {
    let (one, two, three) = (try seed(1, "a"), try seed(2, "a", "b"), try seed(3, "a", "b", "c", "d"))
    #expect(try launch(one, .replace, inserting: "lost").key == 2)
    #expect(try launch(two, .replace, inserting: "mine").key == 3)
    // Without a base, by the word; the store's rows are what they are.
    let adopted = try launch(two, .upgrade(conflicts: .takeSeed, adopting: true), inserting: "more")
    guard case .reused = adopted.report.outcome else { return #expect(Bool(false), "\(adopted.report)") }
    #expect(adopted.key == Self.first)
    let third = try launch(three, .upgrade(conflicts: .takeSeed), inserting: "last")
    guard case .upgraded(let upgrade) = third.report.outcome else { return #expect(Bool(false), "\(third.report)") }
    #expect(upgrade.tables.first { $0.name == "item" }?.moved == [3: Self.first + 1])
    #expect(try rows().prefix(4) == ["1 'a' NULL", "2 'b' NULL", "3 'c' NULL", "4 'd' NULL"])
  }

  @Test func `an app that merges seeds now, and ships another than the store's: no row of the user's becomes the seed's`() throws {
    let (one, two, three) = (try seed(1, "a", "b"), try seed(2, "a", "B", "c", "d"), try seed(3, "A", "B", "C", "D", "E"))
    for name in ["mine 1", "mine 2", "mine 3"] { _ = try launch(one, .copyIfMissing, inserting: name) }
    let queue = try DatabaseQueue(path: scratch.url("store").path)
    try queue.write {
      try $0.execute(
        sql: """
          UPDATE item SET name = 'my b' WHERE id = 2;
          INSERT INTO about VALUES (2, 'my b')
          """)
    }
    try queue.close()
    let adopted = try launch(two, .upgrade(conflicts: .takeSeed, adopting: true), inserting: "mine 4")
    #expect(adopted.report.outcome == .adopted(moved: ["item": [3: Self.first, 4: Self.first + 1]]))
    #expect(adopted.report.description.contains("item: 2 of the user's moved to other keys"), "\(adopted.report)")
    // The others stay where they are; nothing of the seed is merged.
    #expect(
      try rows() == [
        "1 'a' NULL", "2 'my b' 'my b'", "5 'mine 3' 'mine 3'", "\(Self.first) 'mine 1' 'mine 1'", "\(Self.first + 1) 'mine 2' 'mine 2'",
        "\(Self.first + 2) 'mine 4' 'mine 4'",
      ])
    let third = try launch(three, .upgrade(conflicts: .takeSeed), inserting: "last")
    guard case .upgraded(let upgrade) = third.report.outcome else { return #expect(Bool(false), "\(third.report)") }
    #expect(upgrade.tables.first { $0.name == "item" }?.moved == [5: Self.first + 3])
    #expect(
      try rows() == [
        "1 'A' NULL", "2 'my b' 'my b'", "3 'C' NULL", "4 'D' NULL", "5 'E' NULL", "\(Self.first) 'mine 1' 'mine 1'",
        "\(Self.first + 1) 'mine 2' 'mine 2'", "\(Self.first + 2) 'mine 4' 'mine 4'", "\(Self.first + 3) 'mine 3' 'mine 3'",
        "\(Self.first + 4) 'last' 'last'",
      ])
  }

  @Test(arguments: [true, false])
  func `a store that does not say which keys its seed had is taken as it is`(hasStamp: Bool) throws {
    let (one, two) = (try seed(1, "a"), try seed(2, "a", "b"))
    #expect(try launch(one, .copyIfMissing, inserting: "mine").key == 2)
    let queue = try DatabaseQueue(path: scratch.url("store").path)
    try queue.write { try $0.execute(sql: hasStamp ? "ALTER TABLE dao_seed DROP COLUMN highest_keys" : "DROP TABLE dao_seed") }
    try queue.close()
    let report = try launch(two, .upgrade(conflicts: .takeSeed, adopting: true), inserting: "more").report
    #expect(report.outcome == .adopted(moved: [:]))
    #expect(try rows() == ["1 'a' NULL", "2 'mine' 'mine'", "\(Self.first) 'more' 'more'"])
    #expect(try Items.stamp(scratch.url("store"))?.highestKeys == [SchemaName("item"): 2])
  }

  @Test func `a reference that led nowhere before does not keep a store from being adopted`() throws {
    let (one, two) = (try seed(1, "a"), try seed(2, "A"))
    #expect(try launch(one, .copyIfMissing, inserting: "mine").key == 2)
    try Items.run(
      scratch.url("store"),
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO about VALUES (99, 'nothing')
      """)
    #expect(try launch(two, .upgrade(conflicts: .takeSeed, adopting: true), inserting: "more").report.outcome == .adopted(moved: [:]))
    #expect(try rows() == ["1 'a' NULL", "2 'mine' 'mine'", "\(Self.first) 'more' 'more'"])
  }

  @Test func `whatever is added: after the adoption and any upgrade each row of the user's is there, with what it had`() throws {
    for number in TestCases.seeds(60, inSuite: 10) {
      var random = RandomSource(seed: number)
      let test = try UserKeyTests()
      var names = (0..<Int.random(in: 0...4, using: &random)).map { "seed \($0)" }
      let first = try test.seed(1, names)
      let count = Int.random(in: 1...5, using: &random)
      for row in 0..<count { _ = try test.launch(first, .copyIfMissing, inserting: "mine \(row)") }
      for version in Int32(2)...4 {
        for index in names.indices where Bool.random(using: &random) { names[index] += "!" }
        names += (0..<Int.random(in: 0...4, using: &random)).map { "new \(version) \($0)" }
        let policy = SeedPolicy.upgrade(
          conflicts: [.keepMine, .takeSeed, .byColumn].randomElement(using: &random) ?? .takeSeed, adopting: version == 2)
        _ = try test.launch(test.seed(version, names), policy, inserting: "mine in \(version)")
        let rows = try test.rows()
        let mine = rows.filter { $0.contains("'mine") }.map { $0.split(separator: "'").filter { $0.contains("mine") } }
        #expect(mine.allSatisfy { $0.count == 2 && $0[0] == $0[1] }, "\(number): \(rows)")
        #expect(
          Set(mine.map { $0[0] }) == Set((0..<count).map { "mine \($0)" } + (2...version).map { "mine in \($0)" }), "\(number)")
      }
    }
  }

  /// As an upgrade, for a store without a base.
  @Test func `an adoption moves what references a row, and what looked like the seed's until then; keys of its own seed stay`() throws {
    let schema = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE detail (id INTEGER PRIMARY KEY REFERENCES zone, text TEXT);
      CREATE TABLE favourite (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone);
      CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE m (id INTEGER PRIMARY KEY);
      CREATE TABLE c (r INTEGER REFERENCES n REFERENCES m)
      """
    func make(_ name: String, _ version: Int, _ rows: String) throws -> URL {
      let queue = try DatabaseQueue(path: scratch.url(name).path)
      try queue.write {
        try $0.execute(
          sql: """
            \(schema); \(rows);
            PRAGMA user_version = \(version)
            """)
      }
      try queue.close()
      return scratch.url(name)
    }
    for isShared in [false, true] {
      let store = self.scratch.url("store \(isShared)")
      let one = try make(
        "one \(isShared)", 1,
        """
        INSERT INTO zone VALUES (1, 'a');
        INSERT INTO favourite VALUES (1, 1)
        """)
      let two = try make(
        "two \(isShared)", 2,
        """
        INSERT INTO zone VALUES (1, 'a'), (2, 'b'), (3, 'c');
        INSERT INTO favourite VALUES (1, 1), (2, 2);
        INSERT INTO detail VALUES (3, 'sc');
        INSERT INTO n VALUES (2, 'two')
        """)
      try StoreDescription.file(store, seed: .file(one), policy: .copyIfMissing).open([]).0.close(within: .seconds(3600))
      let queue = try DatabaseQueue(path: store.path)
      try queue.write {
        try $0.execute(
          sql: """
            INSERT INTO zone VALUES (2, 'mine A'), (3, 'mine B');
            INSERT INTO detail VALUES (3, 'of mine B');
            INSERT INTO favourite VALUES (2, 2)
            """)
        if isShared {
          try $0.execute(
            sql: """
              INSERT INTO n VALUES (2, 'mine');
              INSERT INTO m VALUES (2);
              INSERT INTO c VALUES (2)
              """)
        }
      }
      try queue.close()
      let (engine, report) = try StoreDescription.file(store, seed: .file(two), policy: .upgrade(conflicts: .takeSeed, adopting: true))
        .open([])
      try engine.close(within: .seconds(3600))
      let (a, b) = (Self.first, Self.first + 1)
      // What can't move without breaking a foreign key leaves the store as it is.
      #expect(report.outcome == .adopted(moved: isShared ? [:] : ["zone": [2: a, 3: b], "favourite": [2: a]]))
      #expect(
        try Items.texts(store, "SELECT zone.id || text FROM zone ORDER BY id")
          == ["1a"] + (isShared ? ["2mine A", "3mine B"] : ["\(a)mine A", "\(b)mine B"]))
      #expect(
        try Items.texts(
          store,
          """
          SELECT z.text || d.text FROM zone z JOIN detail d USING (id)
          UNION ALL SELECT f.id || z.text FROM favourite f JOIN zone z ON f.zone = z.id
          """)
          == ["mine Bof mine B", "1a", isShared ? "2mine A" : "\(a)mine A"])
      #expect(try Items.texts(store, "SELECT CAST(count(*) AS TEXT) FROM pragma_foreign_key_check") == ["0"])
    }
  }
}
