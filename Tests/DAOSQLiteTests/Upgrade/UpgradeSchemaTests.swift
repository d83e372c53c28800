import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What a merge does with the parts of a schema that are more than rows.
@Suite struct UpgradeSchemaTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// One by one, either would meet the other's old value. The rows keep their row ids, by which an index of words may know them.
  @Test func `rows that change unique values with each other do so`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (code TEXT PRIMARY KEY NOT NULL, name TEXT UNIQUE, rank INTEGER UNIQUE)",
      base: "INSERT INTO t (rowid, code, name, rank) VALUES (10, 'a', 'one', 1), (20, 'b', 'two', 2), (30, 'c', 'three', 3)", mine: "",
      seed: "INSERT INTO t VALUES ('a', 'two', 2), ('b', 'three', 3), ('c', 'one', 1), ('d', 'four', 4)", .keepMine,
      asking: "SELECT rowid, code, name, rank FROM t ORDER BY code")
    #expect(found.answers == ["10 'a' 'two' 2, 20 'b' 'three' 3, 30 'c' 'one' 1, 31 'd' 'four' 4"])
    #expect(found.report.map(\.changed) == [3])
  }

  @Test func `search tables stay in step`() throws {
    let note = EntityDescription(
      "note", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)], indexes: [Index(on: ["name"], unique: true)])
    let schema = try SchemaSQL.statements(for: [note]).joined(separator: ";\n")
    let found = try scratch.merge(
      schema, base: "INSERT INTO note VALUES (1, 'red apple'), (2, 'green pear'), (3, 'blue plum')",
      mine: """
        UPDATE note SET name = 'ripe plum' WHERE id = 3;
        INSERT INTO note VALUES (100, 'my apple')
        """,
      seed: "INSERT INTO note VALUES (1, 'green pear'), (2, 'red apple'), (4, 'dried fig')", .keepMine,
      asking: "SELECT rowid FROM note_search('apple') ORDER BY 1", "SELECT rowid FROM note_search('plum')",
      "SELECT rowid FROM note_search('fig')",
      "INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)")
    #expect(found.answers == ["2, 100", "3", "4", ""])
  }

  /// Of a seed of which the app has made more: a table, with what belongs to it.
  @Test func `a table that only the new seed has is made with its indexes, triggers and rows`() throws {
    let note = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)],
      indexes: [Index(on: ["name"], unique: false)])
    let old = """
      CREATE TABLE t (id INTEGER PRIMARY KEY);
      CREATE TABLE dropped (id INTEGER PRIMARY KEY)
      """
    let new = [old] + (try SchemaSQL.statements(for: [note]))
    let found = try scratch.merge(
      old, new: new.joined(separator: ";\n"), base: "", mine: "DROP TABLE dropped",
      seed: """
        INSERT INTO t VALUES (1);
        INSERT INTO note VALUES (7, 'dried fig');
        INSERT INTO dropped VALUES (1)
        """, .keepMine,
      asking: "SELECT id FROM t", "SELECT name FROM note", "SELECT rowid FROM note_search('fig')",
      "SELECT name FROM sqlite_schema WHERE name LIKE 'dropped' OR name = 'note_on_name'")
    #expect(found.answers == ["1", "'dried fig'", "7", "'note_on_name'"])
    #expect(found.report.map(\.name) == ["note", "t"])
  }

  /// As the first tool's seed had them, and the next one's has them for another table.
  @Test func `indexes and triggers of a new table get free names`() throws {
    let old = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT);
      CREATE INDEX by_name ON zone (name);
      CREATE TRIGGER noted AFTER UPDATE ON zone BEGIN SELECT 1; END
      """
    let new = """
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, n INTEGER DEFAULT 0);
      CREATE UNIQUE INDEX "by_name" ON place (name) WHERE id > 0;
      CREATE TRIGGER noted AFTER UPDATE OF name ON place BEGIN UPDATE place SET n = n + 1 WHERE id = NEW.id; END
      """
    let found = try scratch.merge(
      old, new: new, base: "INSERT INTO zone VALUES (1, 'a')", mine: "", seed: "INSERT INTO place (id, name) VALUES (1, 'a'), (2, 'b')",
      asking: "SELECT name, tbl_name FROM sqlite_schema WHERE type IN ('index', 'trigger') ORDER BY rowid",
      "UPDATE place SET name = 'c' WHERE id = 2 RETURNING id", "SELECT name, n FROM place",
      "SELECT name FROM pragma_index_list('place') WHERE \"unique\" AND partial")
    #expect(
      found.answers == [
        "'by_name' 'zone', 'noted' 'zone', 'by_name_2' 'place', 'noted_2' 'place'", "2", "'a' 0, 'c' 1", "'by_name_2'",
      ])
  }

  @Test func `virtual tables that a new table fills are made with it`() throws {
    let new = """
      CREATE TABLE article (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE words USING fts5 (body, content='article', content_rowid='id');
      CREATE VIRTUAL TABLE apart USING fts5 (body);
      CREATE TRIGGER word_in AFTER INSERT ON article BEGIN INSERT INTO words (rowid, body) VALUES (NEW.id, NEW.body); END
      """
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY)", new: new, base: "", mine: "", seed: "INSERT INTO article VALUES (1, 'red house')",
      asking: "INSERT INTO article VALUES (7, 'red door') RETURNING id", "SELECT rowid FROM words('red') ORDER BY 1",
      "SELECT name FROM sqlite_schema WHERE name = 'apart'")
    #expect(found.answers == ["7", "1, 7", ""])
  }

  /// It would stop each write of the table's.
  @Test func `a trigger that names what the store has dropped stays away`() throws {
    let old = "CREATE TABLE log (text TEXT)"
    let new = """
      \(old);
      CREATE TABLE article (id INTEGER PRIMARY KEY, body TEXT);
      CREATE TRIGGER logged AFTER INSERT ON article BEGIN INSERT INTO log VALUES (NEW.body); END;
      CREATE TRIGGER trimmed AFTER INSERT ON article BEGIN UPDATE article SET body = trim(body) WHERE id = NEW.id; END
      """
    let found = try scratch.merge(
      old, new: new, base: "", mine: "DROP TABLE log", seed: "INSERT INTO article VALUES (1, 'one')",
      asking: "INSERT INTO article VALUES (2, ' two ') RETURNING id", "SELECT body FROM article ORDER BY id",
      "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    #expect(found.answers == ["2", "'one', 'two'", "'trimmed'"])
  }

  /// A rule that the new seed has no more. One row of its is no reason for the whole upgrade not to be.
  @Test(
    arguments: [
      ("kind TEXT CHECK (kind IN ('a', 'b')))", "kind TEXT)", "'c'"), ("kind TEXT NOT NULL)", "kind TEXT)", "NULL"),
      ("kind INTEGER) STRICT", "kind ANY) STRICT", "'c'"),
    ])
  func `a row that a rule of the store stands against stays out and is reported`(now: String, then: String, value: String) throws {
    let start = "CREATE TABLE t (id INTEGER PRIMARY KEY, "
    let allowed = now.contains("INTEGER)") ? "1" : "'a'"
    let found = try scratch.merge(
      start + now, new: start + then, base: "INSERT INTO t VALUES (1, \(allowed)), (2, \(allowed))", mine: "",
      seed: "INSERT INTO t VALUES (1, \(value)), (2, \(allowed)), (3, \(value)), (4, \(allowed))", .takeSeed,
      asking: "SELECT id, kind FROM t ORDER BY id")
    #expect(found.answers == ["1 \(allowed), 2 \(allowed), 4 \(allowed)"])
    let conflicts = found.report.flatMap(\.conflicts)
    #expect(conflicts.map(\.conflict.key) == [["id": .integer(1)], ["id": .integer(3)]])
    #expect(conflicts.allSatisfy { if case .rule = $0.conflict.cause { $0.decision == .mine } else { false } })
  }

  @Test func `a table that the new seed lacks stays and so do ones of the user's`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY);
      CREATE TABLE gone (id INTEGER PRIMARY KEY)
      """, new: "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      base: "INSERT INTO t VALUES (1); INSERT INTO gone VALUES (1)",
      mine: """
        CREATE TABLE own (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t);
        INSERT INTO own VALUES (1, 1)
        """,
      seed: "INSERT INTO t VALUES (2)",
      .takeSeed, asking: "SELECT id FROM t", "SELECT id FROM gone", "SELECT id FROM own")
    #expect(found.answers == ["1, 2", "1", "1"])
    // A table of the user's own references it.
    #expect(found.report.map(\.referenced) == [[["id": .integer(1)]]])
  }

  /// A column that the seed does not know holds what the user gave it, or its default.
  @Test func `a column that the seed lacks is the user's`() throws {
    let wide = """
      ALTER TABLE t ADD COLUMN note TEXT DEFAULT 'none';
      UPDATE t SET note = 'mine' WHERE id IN (2, 3)
      """
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", base: "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')", mine: wide,
      seed: "INSERT INTO t VALUES (1, 'A'), (2, 'B'), (5, 'E')", .byColumn, asking: "SELECT id, name, note FROM t ORDER BY id")
    #expect(found.answers == ["1 'A' 'none', 2 'B' 'mine', 3 'c' 'mine', 5 'E' 'none'"])
    #expect(found.report.flatMap(\.conflicts).map(\.conflict.key) == [["id": .integer(3)]])
  }

  /// A name that stands alone in a DEFAULT clause is a text; so hand-made databases have them.
  @Test(arguments: [
    ("\"none\"", "'none'"), ("none", "'none'"), ("\"name\"", "'name'"), ("[a b]", "'a b'"), ("TRUE", "1"), ("-1", "-1"),
    ("0x1F", "31"), ("'it''s'", "'it''s'"), ("NULL", "NULL"),
  ])
  func `a default is what it is in the table`(sql: String, value: String) throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", base: "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
      mine: "ALTER TABLE t ADD COLUMN note DEFAULT \(sql)", seed: "INSERT INTO t VALUES (1, 'A'), (2, 'b'), (3, 'c')",
      asking: "SELECT id, name, note FROM t ORDER BY id")
    #expect(found.answers == ["1 'A' \(value), 2 'b' \(value), 3 'c' \(value)"])
  }

  /// Equal rows without a key are counted.
  @Test func `rows without a key are added and deleted by their number`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (name TEXT COLLATE NOCASE, n)", base: "INSERT INTO t VALUES ('a', 1), ('a', 1), ('A', 1), ('b', 1), (NULL, NULL)",
      mine: "INSERT INTO t VALUES ('a', 1), ('mine', 1); UPDATE t SET n = 2 WHERE name = 'b'",
      seed: "INSERT INTO t VALUES ('a', 1), ('A', 1), ('b', 3), ('new', 1), ('new', 1), (NULL, NULL), (NULL, NULL)", .takeSeed,
      asking: "SELECT name, n, count(*) FROM t GROUP BY name COLLATE BINARY, n ORDER BY name COLLATE BINARY, n")
    #expect(
      found.answers == ["NULL NULL 2, 'A' 1 1, 'a' 1 2, 'b' 2 1, 'b' 3 1, 'mine' 1 1, 'new' 1 2"])
    #expect(found.report.map { [$0.added, $0.changed, $0.deleted] } == [[4, 0, 1]])
    #expect(throws: DAOError.self) {
      try scratch.merge(
        "CREATE TABLE t (rowid TEXT, oid TEXT, _rowid_ TEXT)", base: "", mine: "", seed: "INSERT INTO t VALUES ('a', 'b', 'c')")
    }
  }

  /// Only SQLite knows of the collision; one row of the seed's is no reason for the whole upgrade not to be.
  @Test(
    arguments: [
      "name TEXT, live INTEGER); CREATE UNIQUE INDEX live ON t (name) WHERE live",
      "name TEXT, live INTEGER); CREATE UNIQUE INDEX folded ON t (lower(name))",
      "name TEXT, live INTEGER, folded TEXT AS (lower(name)) STORED UNIQUE)",
    ])
  func `what only SQLite finds to collide stays out and is reported`(columns: String) throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns)",
      base: "INSERT INTO t (id, name, live) VALUES (1, 'x', 1), (2, 'y', 1), (3, 'z', 1)",
      mine: "INSERT INTO t (id, name, live) VALUES (100, 'a', 1), (101, 'b', 1)",
      seed: "INSERT INTO t (id, name, live) VALUES (1, 'y', 1), (2, 'x', 1), (3, 'a', 1), (4, 'b', 1), (5, 'c', 1)", .takeSeed,
      asking: "SELECT id, name FROM t ORDER BY id")
    #expect(found.answers == ["1 'y', 2 'x', 3 'z', 5 'c', 100 'a', 101 'b'"])
    let conflicts = found.report.flatMap(\.conflicts)
    #expect(conflicts.map(\.conflict.key) == [["id": .integer(3)], ["id": .integer(4)]])
    #expect(conflicts.allSatisfy { $0.conflict.cause == .unique(columns: []) && $0.decision == .mine && $0.conflict.mine == nil })
  }

  /// What triggers made of the seed's rows is in the seed, and what they made of the user's in the store.
  @Test func `no trigger fires but those that keep virtual tables in step`() throws {
    let schema = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE note (id INTEGER PRIMARY KEY, zone INTEGER, text TEXT);
      CREATE TABLE stat (name TEXT PRIMARY KEY NOT NULL, n INTEGER);
      INSERT INTO stat VALUES ('zones', 0);
      CREATE TRIGGER taken AFTER DELETE ON zone BEGIN DELETE FROM note WHERE zone = OLD.id; END;
      CREATE TRIGGER counted AFTER INSERT ON zone BEGIN UPDATE stat SET n = n + 1 WHERE name = 'zones'; END;
      CREATE TRIGGER forbidden BEFORE UPDATE ON zone WHEN NEW.id < 1000 BEGIN SELECT RAISE(ABORT, 'never'); END;
      CREATE VIRTUAL TABLE words USING fts5 (name, content=zone, content_rowid=id);
      CREATE TRIGGER word_in AFTER INSERT ON zone BEGIN INSERT INTO words (rowid, name) VALUES (NEW.id, NEW.name); END;
      CREATE TRIGGER word_out AFTER DELETE ON zone BEGIN INSERT INTO words (words, rowid, name) VALUES ('delete', OLD.id, OLD.name); END;
      CREATE TRIGGER word_on AFTER UPDATE ON zone BEGIN
        INSERT INTO "Words" (words, rowid, name) VALUES ('delete', OLD.id, OLD.name); \
      INSERT INTO words (rowid, name) VALUES (NEW.id, NEW.name);
      END;
      """
    let rows = "INSERT INTO zone VALUES (1, 'a'), (2, 'b'), (3, 'c')"
    for policy in [SeedConflict.Policy.keepMine, .takeSeed, .byColumn] {
      let found = try scratch.merge(
        schema, base: rows, mine: "INSERT INTO note VALUES (1, 1, 'mine'), (2, 2, 'too'), (3, 3, 'and')",
        seed: "INSERT INTO zone VALUES (1, 'b'), (2, 'a'), (4, 'd')", policy, asking: "SELECT id, name FROM zone ORDER BY id",
        "SELECT count(*) FROM note", "SELECT n FROM stat", "SELECT rowid FROM words WHERE words MATCH 'a OR d' ORDER BY rowid",
        "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name)")
      #expect(
        found.answers == ["1 'b', 2 'a', 4 'd'", "3", "3", "2, 4", "'counted forbidden taken word_in word_on word_out'"])
      #expect(found.report.first { $0.name == "zone" }.map { [$0.added, $0.changed, $0.deleted] } == [1, 2, 1])
    }
  }

  /// Bytes that no `String` can hold, texts with a zero inside and blobs without a byte.
  @Test func `each byte stays of the sides that are kept`() throws {
    let odd = ["CAST(x'ff61' AS TEXT)", "CAST(x'610062' AS TEXT)", "x''", "''", "9e999", "-0.0"]
    let columns = odd.indices.map { "c\($0)" }.joined(separator: ", ")
    let hexes = "hex(seen), " + odd.indices.map { "typeof(c\($0)) || hex(c\($0))" }.joined(separator: ", ")
    let decide = SeedConflict.Policy.decide { _ in .row(["seen": .text("asked")]) }
    for (policy, edit) in [(SeedConflict.Policy.byColumn, ""), (decide, ""), (.keepMine, ""), (.byColumn, ", other = 'mine'")] {
      let found = try scratch.merge(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, seen TEXT, other TEXT, \(columns));
        CREATE TABLE expected AS SELECT \(odd.enumerated().map { "\($1) AS c\($0)" }.joined(separator: ", "))
        """,
        base: "INSERT INTO t (id, seen, other) VALUES (1, 'old', 'old')",
        mine: "UPDATE t SET \(odd.enumerated().map { "c\($0) = \($1)" }.joined(separator: ", "))\(edit)",
        seed: "INSERT INTO t (id, seen, other) VALUES (1, 'new', 'seed')", policy,
        asking: "SELECT \(hexes.dropFirst("hex(seen), ".count)) FROM t", "SELECT \(hexes.dropFirst("hex(seen), ".count)) FROM expected",
        "SELECT seen FROM t")
      #expect(found.answers[0] == found.answers[1])
      if case .byColumn = policy { #expect(found.answers[2] == "'new'") }
      if case .decide = policy { #expect(found.answers[2] == "'asked'") }
    }
    // A closure sees them as they are.
    _ = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)", base: "INSERT INTO t VALUES (1, 1, 1)",
      mine: "UPDATE t SET a = CAST(x'610062' AS TEXT), b = x''", seed: "INSERT INTO t VALUES (1, 2, 2)",
      .decide { conflict in
        guard conflict.mine == ["id": .integer(1), "a": .text("a\0b"), "b": .blob(Data())] else {
          throw DAOError.unsupported("\(String(describing: conflict.mine))")
        }
        return .mine
      }, asking: "SELECT * FROM t")
  }
}
