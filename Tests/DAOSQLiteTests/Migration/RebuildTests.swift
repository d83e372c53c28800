import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("Migration: a table that is made anew loses nothing")
struct RebuildTests {
  private static func parent(_ attributes: Attribute...) -> EntityDescription {
    EntityDescription("parent", key: .generated("id"), attributes: [Attribute("id", .integer)] + attributes)
  }

  private static let sql = """
    CREATE TABLE parent (
      id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, -- the key
      name TEXT COLLATE NOCASE CHECK (length(name) < 20), "odd, (name" TEXT DEFAULT ')',
      size INTEGER NOT NULL ON CONFLICT FAIL DEFAULT (1 + 1), half AS (size / 2) STORED,
      note TEXT, CONSTRAINT one UNIQUE (name, size), CHECK (size > 0 OR note IS NOT NULL)
    );
    CREATE TABLE child (id INTEGER PRIMARY KEY NOT NULL, parent INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE);
    CREATE TABLE log (text TEXT);
    CREATE INDEX by_note ON parent (note DESC) WHERE note IS NOT NULL;
    CREATE INDEX by_length ON parent (length(name));
    CREATE TRIGGER logged AFTER INSERT ON parent BEGIN INSERT INTO log VALUES (new.name); END;
    CREATE TRIGGER followed AFTER DELETE ON child BEGIN UPDATE parent SET note = 'alone' WHERE id = old.parent; END;
    CREATE VIEW noted AS SELECT name, half FROM parent WHERE note IS NOT NULL;
    INSERT INTO parent (id, name, size, note) VALUES (5, 'a', 4, 'n'), (9, 'b', 6, NULL), (30, 'c', 2, NULL);
    DELETE FROM parent WHERE id = 30;
    INSERT INTO child VALUES (1, 5), (2, 5), (3, 9);
    ANALYZE;
    """

  @Test func `children, indexes, triggers, views, checks, uniques, computed columns, counters, statistics and row ids stay`() throws {
    let store = try Migrated(Self.sql)
    let before = try store.schema()
    // `note` becomes a number, which makes the table anew; the name is compared by its bytes from now on.
    let entity = Self.parent(
      Attribute("name", .text, optional: true), Attribute("size", .integer), Attribute("note", .integer, optional: true))
    let report = try #require(
      try store.migrate([entity], Migration(.convert("parent", "note") { $0.isNull ? .null : .integer(1) })))
    #expect(report.rows == ["parent": 2])
    #expect(try store.rows("SELECT id, name, size, half, note FROM parent") == ["5 'a' 4 2 1", "9 'b' 6 3 NULL"])
    #expect(try store.rows("SELECT id, parent FROM child") == ["1 5", "2 5", "3 9"])
    #expect(try store.rows("SELECT * FROM noted") == ["'a' 2"])
    let after = try store.schema()
    for name in ["child", "log", "noted"] { #expect(after[name] == before[name]) }
    #expect(after["parent"]?.indexes.map(\.name).sorted() == before["parent"]?.indexes.map(\.name).sorted())
    #expect(try store.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name") == ["'followed'", "'logged'"])
    #expect(try store.rows("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'parent'") != ["0"])
    #expect(try store.rows("PRAGMA foreign_key_check").isEmpty && store.rows("PRAGMA integrity_check") == ["'ok'"])
    // The rules still hold, and keys go on behind the last that was given.
    try store.write { db in
      try db.execute(sql: "INSERT INTO parent (name, size) VALUES ('d', 1)")
      #expect(db.lastInsertedRowID == 31)
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO parent (name, size) VALUES ('d', 1)") }
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO parent (name, size) VALUES ('e', 0)") }
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO parent (name) VALUES ('a name of more than twenty')") }
      try db.execute(sql: "DELETE FROM parent WHERE id = 5")
    }
    #expect(try store.rows("SELECT id FROM child") == ["3"])
    #expect(try store.rows("SELECT text FROM log").last == "'d'")
  }

  @Test func `a table without a key that is a column keeps its row ids, and one WITHOUT ROWID and STRICT stays so`() throws {
    let store = try Migrated(
      """
      CREATE TABLE word (text TEXT, count TEXT);
      INSERT INTO word (rowid, text, count) VALUES (4, 'a', '1'), (40, 'b', '2');
      CREATE TABLE pair (a TEXT NOT NULL, b TEXT NOT NULL, n INTEGER, PRIMARY KEY (a, b)) STRICT, WITHOUT ROWID;
      INSERT INTO pair VALUES ('x', 'y', 3);
      """)
    let word = EntityDescription(
      "word", key: .generated("rowid"),
      attributes: [Attribute("rowid", .integer), Attribute("text", .text, optional: true), Attribute("count", .integer, optional: true)])
    let pair = EntityDescription(
      "pair", key: .assigned(["a", "b"]),
      attributes: [
        Attribute("a", .text), Attribute("b", .text), Attribute("n", .text), Attribute("at", .date(.unixSeconds), optional: true),
        Attribute("code", .uuid(.blob), optional: true),
      ])
    try store.migrate([word, pair])
    #expect(try store.rows("SELECT rowid, text, count FROM word") == ["4 'a' 1", "40 'b' 2"])
    #expect(try store.rows("SELECT * FROM pair") == ["'x' 'y' '3' NULL NULL"])
    #expect(try store.rows("SELECT wr, strict FROM pragma_table_list WHERE name = 'pair'") == ["1 1"])
    #expect(try store.schema().differences(from: [word, pair]).isEmpty)
  }

  @Test func `words are found in a table that was made anew or renamed`() throws {
    func item(_ name: String, _ attributes: Attribute..., renamedFrom: [String] = []) -> EntityDescription {
      EntityDescription(name, key: .generated("id"), attributes: [Attribute("id", .integer)] + attributes, renamedFrom: renamedFrom)
    }
    let first = item("item", Attribute("name", .text, searchable: true), Attribute("size", .text, optional: true))
    let sql = try SchemaSQL.statements(for: [first]).joined(separator: ";")
    let store = try Migrated(sql + "; INSERT INTO item VALUES (4, 'red house', '1'), (6, 'blue car', NULL)")
    let second = item(
      "thing", Attribute("title", .text, searchable: true, renamedFrom: ["name"]), Attribute("size", .integer, optional: true),
      renamedFrom: ["item"])
    try store.migrate([second])
    #expect(try store.rows("SELECT rowid FROM thing_search WHERE thing_search MATCH 'car'") == ["6"])
    try store.write { db in try db.execute(sql: "UPDATE thing SET title = 'green car' WHERE id = 4") }
    #expect(try store.rows("SELECT rowid FROM thing_search WHERE thing_search MATCH 'car' ORDER BY 1") == ["4", "6"])
    #expect(try store.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'item%'").isEmpty)
    // No longer searchable, when the next migration comes.
    let third = item(
      "thing", Attribute("title", .text), Attribute("size", .integer, optional: true), Attribute("more", .text, optional: true))
    try store.migrate([third], version: 3)
    #expect(try store.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'thing_%'").isEmpty)
  }

  @Test func `a column that goes takes its index along; a rule, view or trigger that names it is a problem`() throws {
    let entity = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true)])
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b TEXT);
      CREATE INDEX i ON t (a, b); CREATE INDEX j ON t (a);
      INSERT INTO t VALUES (1, 'x', 'y');
      """
    let drop = Migration(.drop("t", "b"))
    let store = try Migrated(sql)
    let report = try #require(try store.migrate([entity], drop))
    #expect(try store.rows("SELECT * FROM t") == ["1 'x'"] && store.schema()["t"]?.indexes.map(\.name) == ["j"])
    // What was dropped is in the backup.
    let backup = try #require(report.backup)
    let queue = try DatabaseQueue(path: backup.path)
    #expect(try queue.read { try String.fetchAll($0, sql: "SELECT b FROM t") } == ["y"])
    try queue.close()
    for more in [
      "CREATE VIEW v AS SELECT b FROM t;", "CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = new.b; END;",
      "CREATE INDEX k ON t (upper(b));",
    ] {
      let problems = try Migrated(sql + more).problems([entity], drop)
      #expect(problems.count == 1 && problems.first?.message.contains("b") == true, "\(more) \(problems)")
    }
  }

  @Test(
    arguments: [
      ("b TEXT, CHECK (a <> b)", ["CHECK (a <> b)"]),
      // SQLite would take the name for a text then.
      (#"b TEXT, CHECK ("a" <> "b")"#, [#"CHECK ("a" <> "b")"#]), ("b TEXT, CHECK (t.[B] IS NOT NULL)", ["CHECK (t.[B] IS NOT NULL)"]),
      ("b TEXT, CONSTRAINT c CHECK (b > '' OR a > ''), UNIQUE (a, b)", ["CONSTRAINT c CHECK (b > '' OR a > '')", "UNIQUE (a, b)"]),
      ("b TEXT, more TEXT CHECK (more <> b)", ["CHECK (more <> b)"]), ("b TEXT, half AS (b || a)", ["AS (b || a)"]),
      ("b TEXT, FOREIGN KEY (b) REFERENCES o (x)", ["FOREIGN KEY (b) REFERENCES o (x)"]),
      // None of these is about the column.
      ("b TEXT CHECK (b <> '')", []), ("b TEXT, CHECK (a <> 'b')", []), ("b TEXT, CONSTRAINT b CHECK (a <> '')", []),
      ("b TEXT, FOREIGN KEY (a) REFERENCES o (b)", []), ("b TEXT UNIQUE, CHECK (CAST(a AS b) <> 1)", []),
    ])
  func `a column that a rule names can't be dropped, and each such rule is named`(columns: String, rules: [String]) throws {
    let entity = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true)])
    let store = try Migrated(
      """
      CREATE TABLE o (x TEXT PRIMARY KEY, b TEXT UNIQUE);
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, \(columns))
      """)
    let problems = try store.problems([entity], Migration(.drop("t", "b")))
    #expect(problems.map(\.message) == rules.map { "the column can't be dropped while the table's rule \($0) names it" })
    #expect(problems.allSatisfy { $0.entity == "t" && $0.element == "b" && $0.hints.last == #".keep("t", "b")"# })
    let made = bootstrapper(nil, entities: [entity], applicationID: nil, version: 2, migration: Migration(.drop("t", "b")))
    if rules.isEmpty {
      #expect(try store.schema()["t"]?["b"] == nil)
    } else {
      #expect(throws: DAOError.self) { try made.rehearseMigration(store.url) }
    }
  }

  @Test func `rules go with the last of their columns, and stay while one that is dropped is named by another's`() throws {
    let entity = EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer)])
    let store = try Migrated("CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT CHECK (a <> b), b TEXT)")
    #expect(try store.problems([entity], Migration(.drop("t", "b"))).count == 1)
    #expect(try store.steps([entity], Migration(.drop("t", "a"), .drop("t", "b"))).count == 2)
  }

  @Test(arguments: ["\"\u{301}x\"", "\"x\u{600}\"", "\"a\"\"\u{301}b\"", "[\u{301}]", "\"É\""])
  func `each name is told by its scalars, as SQLite does`(_ name: String) throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, size TEXT, \(name) TEXT, "é" TEXT);
      CREATE UNIQUE INDEX precious ON t (\(name));
      INSERT INTO t VALUES (1, '7', 'precious', 'x');
      """)
    let before = try #require(try store.schema()["t"])
    let entity = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("size", .integer, optional: true)])
    try store.migrate([entity], Migration(.drop("t", "é")))
    #expect(try store.rows("SELECT * FROM t") == ["1 7 'precious'"])
    let after = try #require(try store.schema()["t"])
    #expect(after.columns.map { Array($0.name.unicodeScalars) } == before.columns.dropLast().map { Array($0.name.unicodeScalars) })
    #expect(after.indexes.map(\.name) == ["precious"])
  }

  @Test func `a table whose name is a number keeps the numbers of its rules, and a new column may be called as the row id`() throws {
    let store = try Migrated(
      """
      CREATE TABLE "1" (code TEXT PRIMARY KEY NOT NULL, size TEXT, x REAL DEFAULT 1.5 CHECK (x < 1.75 AND "1".x > 0));
      INSERT INTO "1" (rowid, code, size) VALUES (40, 'a', '7')
      """)
    let entity = EntityDescription(
      "t", table: "1", key: .assigned(["code"]),
      attributes: [Attribute("code", .text), Attribute("size", .integer, optional: true), Attribute("rowid", .integer, optional: true)])
    try store.migrate([entity])
    #expect(try store.rows("SELECT _rowid_, code, size, x, rowid FROM \"1\"") == ["40 'a' 7 1.5 NULL"])
    try store.write { db in
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO \"1\" (code, x) VALUES ('b', 1.8)") }
      try db.execute(sql: "INSERT INTO \"1\" (code, x) VALUES ('b', 1.7)")
    }
  }

  @Test(
    arguments: [
      ("b INTEGER REFERENCES o (x) ON UPDATE CASCADE ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED CHECK (b <> 5)", true),
      ("b INTEGER REFERENCES o (x) ON UPDATE CASCADE NOT NULL DEFERRABLE INITIALLY DEFERRED CHECK (t.b <> 5)", true),
      ("b INTEGER, FOREIGN KEY (b) REFERENCES o (x) ON UPDATE CASCADE CHECK (b <> 5)", false),
      ("b INTEGER, CHECK (\"t\".b <> 5) CONSTRAINT k FOREIGN KEY (b) REFERENCES o ON DELETE SET NULL ON UPDATE CASCADE", false),
    ])
  func `a foreign key that becomes another keeps its other rules, and those beside it`(_ column: String, _ isDeferred: Bool) throws {
    let store = try Migrated(
      """
      CREATE TABLE o (x INTEGER PRIMARY KEY NOT NULL);
      INSERT INTO o VALUES (1);
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, \(column));
      CREATE INDEX ib ON t (b);
      INSERT INTO t VALUES (1, 1);
      """)
    let b = Attribute(
      "b", .integer, optional: !column.contains("NOT NULL"), references: ForeignKey(table: "o", column: "x", onDelete: .cascade))
    try store.migrate([
      EntityDescription("t", key: .generated("id"), attributes: [Attribute("id", .integer), b]),
      EntityDescription("o", key: .generated("x"), attributes: [Attribute("x", .integer)]),
    ])
    #expect(try store.rows("SELECT on_update, on_delete FROM pragma_foreign_key_list('t')") == ["'CASCADE' 'CASCADE'"])
    try store.write { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (2, 5)") }
      try db.execute(sql: "PRAGMA foreign_keys = ON; BEGIN")
      if isDeferred {
        try db.execute(sql: "INSERT INTO t VALUES (3, 7); DELETE FROM t WHERE id = 3")
      } else {
        #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (3, 7)") }
      }
      try db.execute(sql: "COMMIT")
    }
    #expect(try store.rows("SELECT * FROM t") == ["1 1"])
  }

  @Test func `an index that is not needed any more goes by name`() throws {
    let entity = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true)])
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT UNIQUE);
      CREATE UNIQUE INDEX t_on_a ON t (a);
      """)
    #expect(try store.steps([entity], Migration(.dropIndex("t_on_a"))) == ["t: drop the index t_on_a"])
    #expect(try store.problems([entity], Migration(.dropIndex("sqlite_autoindex_t_1"))).count == 1)
  }

  @Test(arguments: ["IGNORE", "REPLACE"])
  func `a rule that passes over rows, or replaces them, loses none`(_ rule: String) throws {
    let store = try Migrated(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY NOT NULL, size TEXT UNIQUE ON CONFLICT \(rule));
      INSERT INTO parent VALUES (1, NULL), (2, NULL), (3, '7')
      """)
    let problems = try store.problems([Self.parent(Attribute("size", .integer))], Migration(.fill("parent", "size", with: 0)))
    #expect(problems.map(\.message) == ["parent: turn size from TEXT into INTEGER: 1 of 3 rows would be lost to the table's own rules"])
    #expect(try store.rows("SELECT size FROM parent ORDER BY id") == ["NULL", "NULL", "'7'"])
  }
}

extension Migrated {
  func write(_ body: (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction(body)
    try queue.close()
  }
}
