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

  private static let policies: [(name: String, policy: SeedConflict.Policy)] = [
    ("keepMine", .keepMine), ("takeSeed", .takeSeed), ("byColumn", .byColumn),
    ("decide", .decide { conflict in throw DAOError.unsupported("asked about \(conflict)") }),
  ]

  @Test(arguments: policies.indices, ["", " AUTOINCREMENT"])
  func `no policy decides about them: they move to the user's range, and are reported`(policy: Int, rule: String) throws {
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

  @Test func `what is the same as the seed's row is the seed's, and a key that an entity calls natural is the policy's`() throws {
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
    """
    what references them goes along: to many, through pairs, to themselves, by a key that is a reference itself, \
    from the user's own tables
    """
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
        INSERT INTO note VALUES (2, 'mine', NULL), (3, 'child', 2);
        INSERT INTO tag VALUES ('blue', 2); UPDATE tag SET note = 2 WHERE name = 'red';
        INSERT INTO pair VALUES (2, 'red'), (3, 'red'), (1, 'red');
        INSERT INTO detail VALUES (2, 'of mine');
        INSERT INTO line VALUES (10, 2);
        INSERT INTO mark VALUES (2, 'red'), (1, 'red');
        INSERT INTO quote VALUES (2, 'mine'), (1, 'one');
        CREATE TABLE own (note INTEGER REFERENCES note);
        INSERT INTO own VALUES (2), (1)
        """,
      seed: """
        INSERT INTO note VALUES (1, 'one', NULL), (2, 'two', 1);
        INSERT INTO tag VALUES ('red', 2), ('green', 2);
        INSERT INTO detail VALUES (2, 'of two')
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
    arguments: ["detail", "zone_detail"],
    policies.indices)
  func `a key that is a reference is the row's that it leads to, in whatever order the tables are`(name: String, policy: Int) throws {
    let tables = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE \(name) (id INTEGER PRIMARY KEY REFERENCES zone, text TEXT);
      CREATE TABLE zoom (id INTEGER PRIMARY KEY REFERENCES \(name), text TEXT)
      """
    let asked = ["zone", name, "zoom"].map { "SELECT id, text FROM \($0) ORDER BY id" } + ["SELECT count(*) FROM pragma_foreign_key_check"]
    let mine = """
      INSERT INTO zone VALUES (2, 'mine A'), (3, 'mine B');
      INSERT INTO \(name) VALUES (3, 'of mine B');
      INSERT INTO zoom VALUES (3, 'at mine B')
      """
    let seed = """
      INSERT INTO zone VALUES (1, 'a'), (2, 's2'), (3, 's3');
      INSERT INTO \(name) VALUES (1, 'x'), (3, 'sx3');
      INSERT INTO zoom VALUES (3, 'sz3')
      """
    let found = try scratch.merge(
      tables,
      base: """
        INSERT INTO zone VALUES (1, 'a');
        INSERT INTO \(name) VALUES (1, 'x')
        """, mine: mine, seed: seed,
      Self.policies[policy].policy, naturalKeys: [], asking: asked)
    let (a, b) = (Self.first, Self.first + 1)
    #expect(
      found.answers == [
        "1 'a', 2 's2', 3 's3', \(a) 'mine A', \(b) 'mine B'", "1 'x', 3 'sx3', \(b) 'of mine B'", "3 'sz3', \(b) 'at mine B'", "0",
      ])
    #expect(found.report.filter { !$0.moved.isEmpty }.map(\.moved) == [[2: a, 3: b]] && found.report.flatMap(\.conflicts).isEmpty)
  }

  /// Both made a detail of one row of the seed's: the policy's.
  @Test(arguments: [(SeedConflict.Policy.keepMine, "my note"), (.takeSeed, "the seed")])
  func `a key that references the seed's row is in conflict`(policy: SeedConflict.Policy, expected: String) throws {
    let found = try scratch.merge(
      """
      CREATE TABLE zone (id INTEGER PRIMARY KEY);
      CREATE TABLE detail (id INTEGER PRIMARY KEY REFERENCES zone, text TEXT)
      """,
      base: "INSERT INTO zone VALUES (1), (2)", mine: "INSERT INTO detail VALUES (2, 'my note')",
      seed: "INSERT INTO zone VALUES (1), (2); INSERT INTO detail VALUES (2, 'the seed')", policy,
      asking: "SELECT id, text FROM detail", "SELECT count(*) FROM pragma_foreign_key_check")
    #expect(found.answers == ["2 '\(expected)'", "0"] && found.report.flatMap(\.conflicts).count == 1)
  }

  @Test(arguments: policies.indices)
  func `what looks like the seed's row only since it references the same number moves too`(policy: Int) throws {
    let found = try scratch.merge(
      """
      CREATE TABLE x (id INTEGER PRIMARY KEY, y INTEGER REFERENCES y);
      CREATE TABLE y (id INTEGER PRIMARY KEY, z INTEGER REFERENCES z);
      CREATE TABLE z (id INTEGER PRIMARY KEY, text TEXT)
      """,
      base: "INSERT INTO z VALUES (1, 'one')",
      mine: """
        INSERT INTO z VALUES (2, 'mine');
        INSERT INTO y VALUES (2, 2);
        INSERT INTO x VALUES (2, 2)
        """,
      seed: """
        INSERT INTO z VALUES (1, 'one'), (2, 'two');
        INSERT INTO y VALUES (2, 2);
        INSERT INTO x VALUES (2, 2)
        """,
      Self.policies[policy].policy,
      asking: "SELECT x.id, y.id, z.text FROM x JOIN y ON x.y = y.id JOIN z ON y.z = z.id ORDER BY 1", "SELECT count(*) FROM x")
    #expect(found.answers == ["2 2 'two', \(Self.first) \(Self.first) 'mine'", "2"])
    #expect(found.report.flatMap(\.conflicts).isEmpty && found.report.map(\.moved).sorted { $0.count < $1.count }.last == [2: Self.first])
  }

  @Test func `a column of two references stays with the row that does not move`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE m (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE c (r INTEGER REFERENCES n REFERENCES m)
      """,
      base: "",
      mine: """
        INSERT INTO n VALUES (2, 'mine');
        INSERT INTO m VALUES (2, 'mine');
        INSERT INTO c VALUES (2)
        """,
      seed: "INSERT INTO n VALUES (2, 'two')", asking: "SELECT id, text FROM n ORDER BY id", "SELECT r FROM c",
      "SELECT count(*) FROM pragma_foreign_key_check")
    #expect(found.answers == ["2 'two', \(Self.first) 'mine'", "2", "0"])
  }

  @Test(arguments: policies.indices)
  func `a table that takes no key of the user's range gives the next one, or the user's row stays, whatever the policy`(policy: Int) throws
  {
    for (rule, expected) in [
      ("CHECK (id < 1000000)", "2 'two', 3 'mine'"), ("CHECK (id < 3)", "2 'mine'"),
      ("UNIQUE, twice INTEGER AS (id * 9000000) STORED CHECK (twice < 9000000000)", "2 'two', 3 'mine'"),
    ] {
      let found = try scratch.merge(
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY \(rule), text TEXT);
        CREATE TABLE tag (note INTEGER REFERENCES note)
        """, base: "",
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

  @Test(arguments: ["", ", content='n', content_rowid='id'"])
  func `a search table whose triggers do not look at updates of the key stays in step`(content: String) throws {
    let delete =
      content.isEmpty ? "DELETE FROM f WHERE rowid = old.id" : "INSERT INTO f (f, rowid, t) VALUES ('delete', old.id, old.t)"
    let found = try scratch.merge(
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, t TEXT);
      CREATE VIRTUAL TABLE f USING fts5(t\(content));
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
  @Test func `what the seed references stays the seed's`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);
      CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL, note INTEGER REFERENCES note)
      """,
      base: "INSERT INTO tag VALUES ('red', 2)",
      mine: """
        INSERT INTO note VALUES (2, 'mine');
        INSERT INTO tag VALUES ('blue', 2)
        """,
      seed: """
        INSERT INTO note VALUES (2, 'two');
        INSERT INTO tag VALUES ('red', 2)
        """, asking: "SELECT name, note FROM tag ORDER BY name")
    #expect(found.answers == ["'blue' \(Self.first), 'red' 2"])
  }

  @Test func `the keys that are given are nobody's`() throws {
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

  @Test func `search tables stay in step and no trigger fires`() throws {
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
}
