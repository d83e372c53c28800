import DAOCriteria
import Testing

@testable import DAOSQLite

/// Columns and rules of tables that are there.
extension SchemaUpgradeTests {
  @Test(arguments: [
    ("more TEXT", "'x'", "NULL", [String]()), ("more TEXT NOT NULL DEFAULT 'd'", "'x'", "'d'", []),
    ("more TEXT COLLATE NOCASE DEFAULT NULL", "'x'", "NULL", []),
    ("more INTEGER REFERENCES zone (id)", "1", "NULL", []), ("more INTEGER CHECK (more < 5)", "1", "NULL", []),
    ("more TEXT NOT NULL", "'x'", "NULL", ["rule NOT NULL of zone.more not brought: rows have no value"]),
    ("more INTEGER UNIQUE", "id", "NULL", ["index zone_on_more of zone added"]),
  ])
  func `a new column is added with the seed's values`(column: String, value: String, users: String, more: [String]) throws {
    let found = try merge(
      new: "",
      mine: """
        INSERT INTO zone VALUES (9, 'mine', 9);
        UPDATE zone SET name = 'edited' WHERE id = 2
        """,
      seed: """
        INSERT INTO zone VALUES (1, 'a', 1, 1), (2, 'b', 2, 2);
        UPDATE zone SET more = \(value)
        """,
      table: "CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, \(column))",
      asking:
        "SELECT id, quote(more) = quote(\(value)), typeof(more) FROM zone WHERE id < 9 UNION ALL SELECT id, more, '' FROM zone WHERE id = 9"
    )
    let type = value == "'x'" ? "'text'" : "'integer'"
    #expect(found.answer == "1 1 \(type), 2 1 \(type), 9 \(users) ''")
    #expect(found.schema == ["column more of zone added"] + more)
  }

  @Test(arguments: [
    ("more TEXT DEFAULT CURRENT_TIMESTAMP", "Cannot add a column with non-constant default"),
    ("more TEXT AS (name || '!') STORED", "cannot add a STORED column"),
    ("more INTEGER DEFAULT 7 CHECK (more < 5)", "CHECK constraint failed"),
  ])
  func `a column that cannot be added is reported and refuses nothing`(column: String, reason: String) throws {
    let found = try merge(
      new: "CREATE INDEX i ON zone (more)", seed: "INSERT INTO zone (id, name, n) SELECT 1, 'A', 1 WHERE 0; \(Self.zoneRows)",
      table: "CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, \(column))", asking: "SELECT id, name FROM zone")
    #expect(found.answer == "1 'A', 2 'b'")
    #expect(found.schema.count == 2 && found.schema[0] == "column more of zone not brought: \(reason)", "\(found.schema)")
    #expect(found.schema.last?.hasPrefix("index i of zone not brought: no such column") == true, "\(found.schema)")
  }

  private static let zoneRows = """
    PRAGMA ignore_check_constraints = ON;
    INSERT INTO zone (id, name, n) VALUES (1, 'A', 1), (2, 'b', 2)
    """

  @Test func `a column that the store has dropped stays away and a rule about a new one is reported`() throws {
    let dropped = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)", base: "INSERT INTO t VALUES (1, 'a', 'b')",
      mine: "ALTER TABLE t DROP COLUMN b",
      seed: "INSERT INTO t VALUES (1, 'A', 'B'), (2, 'c', 'd')", asking: "SELECT * FROM t")
    #expect(dropped.answers == ["1 'A', 2 'c'"] && dropped.schema.isEmpty)
    let ruled = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)",
      new: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, UNIQUE (a, b), CHECK (a <> 'z'))",
      base: "", mine: "", seed: "INSERT INTO t VALUES (1, 'A', 'B')", asking: "SELECT * FROM t")
    #expect(ruled.answers == ["1 'A' 'B'"])
    let noRule = "not brought: a table that is there gets no new rule; a migration can make the table anew"
    #expect(
      ruled.schema == ["column b of t added", "rule UNIQUE (a, b) of t \(noRule)", "rule CHECK (a <> 'z') of t \(noRule)"])
  }

  @Test func `rules that the seed has got or lost are reported`() throws {
    func found(_ old: String, _ new: String, mine: String = "") throws -> [String] {
      try scratch.merge(
        "CREATE TABLE t \(old)", new: "CREATE TABLE t \(new)", base: "INSERT INTO t (id, a) VALUES (1, 'a')", mine: mine,
        seed: "INSERT INTO t (id, a) VALUES (1, 'A')", asking: "SELECT id, a FROM t"
      ).schema.map { $0.replacing(/; a migration can make the table anew$/, with: "") }
    }
    let new = "not brought: a table that is there gets no new rule"
    let lost = "not brought: the seed has lost it, and a table that is there keeps its rules"
    let plain = "(id INTEGER PRIMARY KEY, a TEXT)"
    #expect(try found(plain, "(id INTEGER PRIMARY KEY, a text /* the name */)") == [])
    #expect(try found(plain, "(id INTEGER PRIMARY KEY, a TEXT NOT NULL)") == ["rule NOT NULL of t.a \(new)"])
    #expect(try found(plain, "(id INTEGER PRIMARY KEY, a TEXT UNIQUE)") == ["rule UNIQUE of t.a \(new)"])
    #expect(
      try found(plain, "(id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'z') DEFAULT 'x')") == [
        "rule CHECK (a <> 'z') of t.a \(new)", "rule DEFAULT 'x' of t.a \(new)",
      ])
    #expect(
      try found(plain, "(id INTEGER PRIMARY KEY, a VARCHAR(9)) STRICT".replacing("VARCHAR(9)", with: "ANY")) == [
        "rule ANY of t.a \(new)", "rule STRICT of t \(new)", "rule TEXT of t.a \(lost)",
      ])
    #expect(try found("(id INTEGER PRIMARY KEY, a TEXT CHECK (a <> 'z'))", plain) == ["rule CHECK (a <> 'z') of t.a \(lost)"])
    #expect(
      try found("(id INTEGER PRIMARY KEY, a TEXT)", "(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT)") == [
        "rule AUTOINCREMENT of t.id \(new)"
      ])
    // What says the same in other words is no news.
    let strict = "(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b INT AS (id) STORED) STRICT, WITHOUT ROWID"
    let same = "(id INTEGER PRIMARY KEY, a TEXT CONSTRAINT named NOT NULL, b INT GENERATED ALWAYS AS (id) STORED) WITHOUT ROWID, STRICT"
    #expect(try found(strict, same) == [])
    #expect(try found(plain, "(id INTEGER PRIMARY KEY, a TEXT NULL)") == [])
    #expect(
      try found(plain, "(id INTEGER PRIMARY KEY, a TEXT, CHECK (a <> 'z'), CHECK (a <> 'z'))") == ["rule CHECK (a <> 'z') of t \(new)"])
    let ofColumn = "(id INTEGER PRIMARY KEY, a TEXT UNIQUE ON CONFLICT IGNORE CHECK (a <> 'z') REFERENCES t (a))"
    let ofTable = """
      (id INTEGER PRIMARY KEY, a TEXT, CHECK (a <> 'z'), UNIQUE ("A") ON CONFLICT IGNORE, \
      CONSTRAINT up FOREIGN KEY (a) REFERENCES t (a))
      """
    #expect(try found(ofColumn, ofTable) == [] && found(ofTable, ofColumn) == [])
    #expect(
      try found("(id INTEGER PRIMARY KEY, a TEXT UNIQUE)", "(id INTEGER PRIMARY KEY, a TEXT, UNIQUE (a, id))") == [
        "rule UNIQUE (a, id) of t \(new)", "rule UNIQUE of t.a \(lost)",
      ])
    // The user's table has the rule already, or has lost it too.
    let mine = "INSERT INTO u SELECT id, a FROM t; DROP TABLE t; ALTER TABLE u RENAME TO t"
    let unique = "(id INTEGER PRIMARY KEY, a TEXT UNIQUE)"
    #expect(try found(plain, unique, mine: "CREATE TABLE u \(unique); \(mine)") == [])
    #expect(try found(unique, plain, mine: "CREATE TABLE u \(plain); \(mine)") == [])
  }
}
