import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Rows of the user's that have keys as the seed's rows have them: own SQL and other tools insert them so, and so does an app that merged
/// no seeds yet.
@Suite struct UserKeyTests {
  let scratch: Scratch
  static let first: Int64 = 1 << 40

  init() throws { scratch = try Scratch() }

  private static let policies: [(name: String, policy: ConflictPolicy)] = [
    ("keepMine", .keepMine), ("takeSeed", .takeSeed), ("byColumn", .byColumn),
    ("decide", .decide { conflict in throw DAOError.unsupported("asked about \(conflict)") }),
  ]

  @Test(
    "no policy decides about them: they move to the user's range, and are reported", arguments: policies.indices, ["", " AUTOINCREMENT"])
  func moves(policy: Int, rule: String) throws {
    let found = try scratch.merge(
      "CREATE TABLE note (id INTEGER PRIMARY KEY\(rule), text TEXT)", base: "INSERT INTO note VALUES (1, 'one')",
      mine: "INSERT INTO note (text) VALUES ('mine'), ('mine too'), ('and this')",
      seed: "INSERT INTO note VALUES (1, 'one'), (2, 'two'), (3, 'three')", Self.policies[policy].policy,
      asking: "SELECT id, text FROM note ORDER BY id", "INSERT INTO note (text) VALUES ('next') RETURNING id")
    #expect(
      found.answers == ["1 'one', 2 'two', 3 'three', 4 'and this', 1099511627776 'mine', 1099511627777 'mine too'", "\(Self.first + 2)"])
    #expect(found.report.map(\.moved) == [[2: Self.first, 3: Self.first + 1]])
    #expect(found.report.map(\.added) == [2] && found.report.flatMap(\.conflicts).isEmpty)
  }

  @Test("what is the same as the seed's row is the seed's, and a key that an entity calls natural is the policy's")
  func others() throws {
    func merge(_ mine: String, naturalKeys: Set<SchemaName> = []) throws -> Scratch.Merged {
      try scratch.merge(
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)", base: "INSERT INTO note VALUES (1, 'one')",
        mine: "INSERT INTO note VALUES (2, '\(mine)')", seed: "INSERT INTO note VALUES (1, 'one'), (2, 'two')", .takeSeed,
        naturalKeys: naturalKeys, asking: "SELECT id, text FROM note ORDER BY id")
    }
    let same = try merge("two")
    #expect(same.answers == ["1 'one', 2 'two'"] && same.report.isEmpty)
    let natural = try merge("mine", naturalKeys: [SchemaName("note")])
    #expect(natural.answers == ["1 'one', 2 'two'"] && natural.report.flatMap(\.conflicts).count == 1)
  }

  @Test(
    "what references them goes along: to many, through pairs, to themselves, by a key that is a reference itself, from the user's own tables"
  )
  func references() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, parent INTEGER REFERENCES note (id), UNIQUE (id, text));
      CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL, note INTEGER REFERENCES note (id));
      CREATE TABLE pair (note INTEGER REFERENCES note, tag TEXT REFERENCES tag, PRIMARY KEY (note, tag)) WITHOUT ROWID;
      CREATE TABLE detail (note INTEGER PRIMARY KEY REFERENCES note (id), text TEXT);
      CREATE TABLE line (id INTEGER PRIMARY KEY, detail INTEGER REFERENCES detail (note));
      CREATE TABLE mark (note INTEGER, tag TEXT, FOREIGN KEY (note, tag) REFERENCES pair (note, tag));
      CREATE TABLE quote (note INTEGER, text TEXT, FOREIGN KEY (note, text) REFERENCES note (id, text));
      """,
      base: "INSERT INTO note VALUES (1, 'one', NULL); INSERT INTO tag VALUES ('red', 1)",
      mine: """
        INSERT INTO note VALUES (2, 'mine', NULL), (3, 'child', 2); INSERT INTO tag VALUES ('blue', 2); UPDATE tag SET note = 2 WHERE name = 'red';
        INSERT INTO pair VALUES (2, 'red'), (3, 'red'), (1, 'red'); INSERT INTO detail VALUES (2, 'of mine'); INSERT INTO line VALUES (10, 2);
        INSERT INTO mark VALUES (2, 'red'), (1, 'red'); INSERT INTO quote VALUES (2, 'mine'), (1, 'one');
        CREATE TABLE own (note INTEGER REFERENCES note); INSERT INTO own VALUES (2), (1)
        """,
      seed: """
        INSERT INTO note VALUES (1, 'one', NULL), (2, 'two', 1); INSERT INTO tag VALUES ('red', 2), ('green', 2); INSERT INTO detail VALUES (2, 'of two')
        """,
      .takeSeed, asking: "SELECT id, text, parent FROM note ORDER BY id", "SELECT name, note FROM tag ORDER BY name",
      "SELECT note, tag FROM pair",
      "SELECT note, text FROM detail", "SELECT id, detail FROM line", "SELECT note, tag FROM mark ORDER BY note",
      "SELECT note, text FROM quote ORDER BY note",
      "SELECT note FROM own ORDER BY note", "SELECT count(*) FROM pragma_foreign_key_check")
    let mine = "\(Self.first)"
    #expect(
      found.answers == [
        "1 'one' NULL, 2 'two' 1, 3 'child' \(mine), \(mine) 'mine' NULL",
        // The user and the seed both changed the red one: the policy's.
        "'blue' \(mine), 'green' 2, 'red' 2", "1 'red', 3 'red', \(mine) 'red'", "2 'of two', \(mine) 'of mine'", "10 \(mine)",
        "1 'red', \(mine) 'red'", "1 'one', \(mine) 'mine'", "1, \(mine)", "0",
      ])
    #expect(found.report.first { $0.name == "note" }?.moved == [2: Self.first])
    #expect(found.report.first { $0.name == "tag" }?.conflicts.map(\.conflict.mine?["note"]) == [.integer(Self.first)])
  }

  @Test(
    "a key that is a reference is the row's that it leads to, in whatever order the tables are", arguments: ["detail", "zone_detail"],
    policies.indices)
  func keysThatAreReferences(name: String, policy: Int) throws {
    let tables = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE \(name) (id INTEGER PRIMARY KEY REFERENCES zone, text TEXT);
      CREATE TABLE zoom (id INTEGER PRIMARY KEY REFERENCES \(name), text TEXT)
      """
    let asked = ["zone", name, "zoom"].map { "SELECT id, text FROM \($0) ORDER BY id" } + ["SELECT count(*) FROM pragma_foreign_key_check"]
    let mine = """
      INSERT INTO zone VALUES (2, 'mine A'), (3, 'mine B'); INSERT INTO \(name) VALUES (3, 'of mine B'); INSERT INTO zoom VALUES (3, 'at mine B')
      """
    let seed = """
      INSERT INTO zone VALUES (1, 'a'), (2, 's2'), (3, 's3'); INSERT INTO \(name) VALUES (1, 'x'), (3, 'sx3'); INSERT INTO zoom VALUES (3, 'sz3')
      """
    let found = try scratch.merge(
      tables, base: "INSERT INTO zone VALUES (1, 'a'); INSERT INTO \(name) VALUES (1, 'x')", mine: mine, seed: seed,
      Self.policies[policy].policy, naturalKeys: [], asking: asked)
    let (a, b) = (Self.first, Self.first + 1)
    #expect(
      found.answers == [
        "1 'a', 2 's2', 3 's3', \(a) 'mine A', \(b) 'mine B'", "1 'x', 3 'sx3', \(b) 'of mine B'", "3 'sz3', \(b) 'at mine B'", "0",
      ])
    #expect(found.report.filter { !$0.moved.isEmpty }.map(\.moved) == [[2: a, 3: b]] && found.report.flatMap(\.conflicts).isEmpty)
  }

  /// Both made a detail of one row of the seed's: the policy's.
  @Test(arguments: [(ConflictPolicy.keepMine, "my note"), (.takeSeed, "the seed")])
  func aKeyThatReferencesTheSeedsRowIsInConflict(policy: ConflictPolicy, expected: String) throws {
    let found = try scratch.merge(
      "CREATE TABLE zone (id INTEGER PRIMARY KEY); CREATE TABLE detail (id INTEGER PRIMARY KEY REFERENCES zone, text TEXT)",
      base: "INSERT INTO zone VALUES (1), (2)", mine: "INSERT INTO detail VALUES (2, 'my note')",
      seed: "INSERT INTO zone VALUES (1), (2); INSERT INTO detail VALUES (2, 'the seed')", policy,
      asking: "SELECT id, text FROM detail", "SELECT count(*) FROM pragma_foreign_key_check")
    #expect(found.answers == ["2 '\(expected)'", "0"] && found.report.flatMap(\.conflicts).count == 1)
  }

  @Test("what looks like the seed's row only since it references the same number moves too", arguments: policies.indices)
  func rowsThatLookAlike(policy: Int) throws {
    let found = try scratch.merge(
      """
      CREATE TABLE x (id INTEGER PRIMARY KEY, y INTEGER REFERENCES y); CREATE TABLE y (id INTEGER PRIMARY KEY, z INTEGER REFERENCES z);
      CREATE TABLE z (id INTEGER PRIMARY KEY, text TEXT)
      """,
      base: "INSERT INTO z VALUES (1, 'one')",
      mine: "INSERT INTO z VALUES (2, 'mine'); INSERT INTO y VALUES (2, 2); INSERT INTO x VALUES (2, 2)",
      seed: "INSERT INTO z VALUES (1, 'one'), (2, 'two'); INSERT INTO y VALUES (2, 2); INSERT INTO x VALUES (2, 2)",
      Self.policies[policy].policy,
      asking: "SELECT x.id, y.id, z.text FROM x JOIN y ON x.y = y.id JOIN z ON y.z = z.id ORDER BY 1", "SELECT count(*) FROM x")
    #expect(found.answers == ["2 2 'two', \(Self.first) \(Self.first) 'mine'", "2"])
    #expect(found.report.flatMap(\.conflicts).isEmpty && found.report.map(\.moved).sorted { $0.count < $1.count }.last == [2: Self.first])
  }

  @Test func aColumnOfTwoReferencesStaysWithTheRowThatDoesNotMove() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE m (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE c (r INTEGER REFERENCES n REFERENCES m)
      """,
      base: "", mine: "INSERT INTO n VALUES (2, 'mine'); INSERT INTO m VALUES (2, 'mine'); INSERT INTO c VALUES (2)",
      seed: "INSERT INTO n VALUES (2, 'two')", asking: "SELECT id, text FROM n ORDER BY id", "SELECT r FROM c",
      "SELECT count(*) FROM pragma_foreign_key_check")
    #expect(found.answers == ["2 'two', \(Self.first) 'mine'", "2", "0"])
  }

  @Test(
    "a table that takes no key of the user's range gives the next one; where it takes none, the user's row stays, whatever the policy",
    arguments: policies.indices)
  func keysThatATableDoesNotTake(policy: Int) throws {
    for (rule, expected) in [
      ("CHECK (id < 1000000)", "2 'two', 3 'mine'"), ("CHECK (id < 3)", "2 'mine'"),
      ("UNIQUE, twice INTEGER AS (id * 9000000) STORED CHECK (twice < 9000000000)", "2 'two', 3 'mine'"),
    ] {
      let found = try scratch.merge(
        "CREATE TABLE note (id INTEGER PRIMARY KEY \(rule), text TEXT); CREATE TABLE tag (note INTEGER REFERENCES note)", base: "",
        mine: "INSERT INTO note (id, text) VALUES (2, 'mine'); INSERT INTO tag VALUES (2)",
        seed: "INSERT INTO note (id, text) VALUES (2, 'two')", Self.policies[policy].policy,
        asking: "SELECT id, text FROM note ORDER BY id", "SELECT text FROM note JOIN tag ON note = id")
      #expect(found.answers == [expected, "'mine'"], "\(rule)")
    }
    let hash = Int64(3_000_000_000_000_000_000)
    let found = try scratch.merge(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)", base: "", mine: "INSERT INTO note VALUES (2, 'mine'), (\(hash), 'a hash')",
      seed: "INSERT INTO note VALUES (2, 'two')", Self.policies[policy].policy, asking: "SELECT id, text FROM note ORDER BY id")
    #expect(found.answers == ["2 'two', \(Self.first) 'mine', \(hash) 'a hash'"])
  }

  @Test(
    "a search table whose triggers do not look at updates of the key stays in step", arguments: ["", ", content='n', content_rowid='id'"])
  func searchTablesOfOthers(content: String) throws {
    let delete =
      content.isEmpty ? "DELETE FROM f WHERE rowid = old.id" : "INSERT INTO f (f, rowid, t) VALUES ('delete', old.id, old.t)"
    let found = try scratch.merge(
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, t TEXT); CREATE VIRTUAL TABLE f USING fts5(t\(content));
      CREATE TRIGGER ai AFTER INSERT ON n BEGIN INSERT INTO f (rowid, t) VALUES (new.id, new.t); END;
      CREATE TRIGGER ad AFTER DELETE ON n BEGIN \(delete); END;
      CREATE TRIGGER au AFTER UPDATE OF t ON n BEGIN \(delete); INSERT INTO f (rowid, t) VALUES (new.id, new.t); END
      """,
      base: "INSERT INTO n VALUES (1, 'one')", mine: "INSERT INTO n VALUES (2, 'usertwo')",
      seed: "INSERT INTO n VALUES (1, 'one'), (2, 'seedtwo')", asking: "SELECT rowid FROM f('usertwo')", "SELECT rowid FROM f('seedtwo')",
      "INSERT INTO f (f, rank) VALUES ('integrity-check', 1)")
    #expect(found.answers == ["\(Self.first)", "2", ""])
  }

  /// The user's row is no answer to what the seed has left open.
  @Test func whatTheSeedReferencesStaysTheSeeds() throws {
    let found = try scratch.merge(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL, note INTEGER REFERENCES note)",
      base: "INSERT INTO tag VALUES ('red', 2)", mine: "INSERT INTO note VALUES (2, 'mine'); INSERT INTO tag VALUES ('blue', 2)",
      seed: "INSERT INTO note VALUES (2, 'two'); INSERT INTO tag VALUES ('red', 2)", asking: "SELECT name, note FROM tag ORDER BY name")
    #expect(found.answers == ["'blue' \(Self.first), 'red' 2"])
  }

  @Test func theKeysThatAreGivenAreNobodys() throws {
    for (taken, expected) in [(Self.first + 5, Self.first + 6), (Int64.max, Self.first), (Int64(1) << 62, Self.first)] {
      let found = try scratch.merge(
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)", base: "",
        mine: "INSERT INTO note VALUES (1, 'mine'), (\(taken), 'there')", seed: "INSERT INTO note VALUES (1, 'one'), (7, 'seven')",
        asking: "SELECT id FROM note WHERE text IN ('mine', 'there') ORDER BY text")
      #expect(found.answers == ["\(expected), \(taken)"])
    }
    let other = try scratch.merge(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)", base: "INSERT INTO note VALUES (\(Self.first + 1), 'base')",
      mine: "DELETE FROM note; INSERT INTO note VALUES (1, 'mine')",
      seed: "INSERT INTO note VALUES (1, 'one'), (\(Self.first + 1), 'base'), (\(Self.first + 3), 'more')",
      asking: "SELECT id FROM note WHERE text = 'mine'")
    #expect(other.answers == ["\(Self.first + 4)"])
  }

  @Test func searchTablesStayInStepAndNoTriggerFires() throws {
    let note = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)])
    let schema =
      try SchemaSQL.statements(for: [note]) + [
        "CREATE TABLE log (text TEXT)", "CREATE TRIGGER logged AFTER UPDATE ON note BEGIN INSERT INTO log VALUES ('never'); END",
      ]
    let found = try scratch.merge(
      schema.joined(separator: ";\n"), base: "INSERT INTO note VALUES (1, 'red apple')", mine: "INSERT INTO note VALUES (2, 'my apple')",
      seed: "INSERT INTO note VALUES (1, 'red apple'), (2, 'green pear')", asking: "SELECT rowid FROM note_search('apple') ORDER BY 1",
      "SELECT rowid FROM note_search('pear')", "INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)",
      "SELECT count(*) FROM log", "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
    #expect(found.answers == ["1, \(Self.first)", "2", "", "0", "4"])
  }

  // MARK: Policies that change

  private let item = EntityDescription(
    "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)])

  private func seed(_ version: Int32, _ names: String...) throws -> URL { try seed(version, names) }

  private func seed(_ version: Int32, _ names: [String]) throws -> URL {
    let url = scratch.url("seed \(version)")
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql:
          "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name TEXT); CREATE TABLE about (item INTEGER REFERENCES item, note TEXT); PRAGMA user_version = \(version)"
      )
      for name in names { try db.execute(sql: "INSERT INTO item (name) VALUES (?)", arguments: [name]) }
    }
    try queue.close()
    return url
  }

  /// Opens the store as a release of the app does, and inserts a row.
  private func launch(_ seed: URL, _ policy: SeedPolicy, inserting name: String) throws -> (report: BootstrapReport, key: Int64?) {
    let (engine, report) = try SQLiteStore.file(scratch.url("store"), seed: .file(seed), policy: policy).open([item])
    let store = SQLEntityStore(engine)
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

  @Test("an app that begins to merge seeds, stops, and begins again", arguments: [ConflictPolicy.keepMine, .takeSeed, .byColumn])
  func switches(conflicts: ConflictPolicy) throws {
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
    try queue.write { try $0.execute(sql: "INSERT INTO item VALUES (4, 'by SQL'); INSERT INTO about VALUES (4, 'by SQL')") }
    try queue.close()
    let third = try launch(three, .upgrade(conflicts: conflicts), inserting: "mine 5")
    guard case .upgraded(let last) = third.report.outcome else { return #expect(Bool(false), "\(third.report)") }
    #expect(last.tables.first { $0.name == "item" }?.moved == [4: Self.first + 4])
    #expect(try rows().prefix(4) == ["1 'a' NULL", "2 'B' NULL", "3 'c' NULL", "4 'd' NULL"])
    #expect(try rows().suffix(2) == ["\(Self.first + 4) 'by SQL' 'by SQL'", "\(Self.first + 5) 'mine 5' 'mine 5'"])
  }

  @Test("an app that replaced its store, and merges seeds now: what it took over of its own has low keys")
  func switchesFromReplacing() throws {
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

  @Test("an app that merges seeds now, and ships another than the store's: no row of the user's becomes the seed's")
  func adoptsAnotherSeed() throws {
    let (one, two, three) = (try seed(1, "a", "b"), try seed(2, "a", "B", "c", "d"), try seed(3, "A", "B", "C", "D", "E"))
    for name in ["mine 1", "mine 2", "mine 3"] { _ = try launch(one, .copyIfMissing, inserting: name) }
    let queue = try DatabaseQueue(path: scratch.url("store").path)
    try queue.write { try $0.execute(sql: "UPDATE item SET name = 'my b' WHERE id = 2; INSERT INTO about VALUES (2, 'my b')") }
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

  @Test("a store that does not say which keys its seed had is taken as it is", arguments: [true, false])
  func adoptsWithoutHighestKeys(hasStamp: Bool) throws {
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

  @Test("whatever the user and the seeds add: after the adoption and any upgrade each row of the user's is there, with what it had")
  func adoptsAnything() throws {
    for number in 0..<60 {
      var random = Random(seed: UInt64(number))
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
  @Test("an adoption moves what references a row, and what looked like the seed's row until then; keys of its own seed stay")
  func adoptsReferences() throws {
    let schema = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE detail (id INTEGER PRIMARY KEY REFERENCES zone, text TEXT);
      CREATE TABLE favourite (id INTEGER PRIMARY KEY, zone INTEGER REFERENCES zone);
      CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT); CREATE TABLE m (id INTEGER PRIMARY KEY);
      CREATE TABLE c (r INTEGER REFERENCES n REFERENCES m)
      """
    func make(_ name: String, _ version: Int, _ rows: String) throws -> URL {
      let queue = try DatabaseQueue(path: scratch.url(name).path)
      try queue.write { try $0.execute(sql: "\(schema); \(rows); PRAGMA user_version = \(version)") }
      try queue.close()
      return scratch.url(name)
    }
    for isShared in [false, true] {
      let store = self.scratch.url("store \(isShared)")
      let one = try make("one \(isShared)", 1, "INSERT INTO zone VALUES (1, 'a'); INSERT INTO favourite VALUES (1, 1)")
      let two = try make(
        "two \(isShared)", 2,
        "INSERT INTO zone VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO favourite VALUES (1, 1), (2, 2); INSERT INTO detail VALUES (3, 'sc'); INSERT INTO n VALUES (2, 'two')"
      )
      try SQLiteStore.file(store, seed: .file(one), policy: .copyIfMissing).open([]).0.close(within: .seconds(3600))
      let queue = try DatabaseQueue(path: store.path)
      try queue.write {
        try $0.execute(
          sql:
            "INSERT INTO zone VALUES (2, 'mine A'), (3, 'mine B'); INSERT INTO detail VALUES (3, 'of mine B'); INSERT INTO favourite VALUES (2, 2)"
        )
        if isShared { try $0.execute(sql: "INSERT INTO n VALUES (2, 'mine'); INSERT INTO m VALUES (2); INSERT INTO c VALUES (2)") }
      }
      try queue.close()
      let (engine, report) = try SQLiteStore.file(store, seed: .file(two), policy: .upgrade(conflicts: .takeSeed, adopting: true)).open([])
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
          "SELECT z.text || d.text FROM zone z JOIN detail d USING (id) UNION ALL SELECT f.id || z.text FROM favourite f JOIN zone z ON f.zone = z.id"
        )
          == ["mine Bof mine B", "1a", isShared ? "2mine A" : "\(a)mine A"])
      #expect(try Items.texts(store, "SELECT CAST(count(*) AS TEXT) FROM pragma_foreign_key_check") == ["0"])
    }
  }
}
