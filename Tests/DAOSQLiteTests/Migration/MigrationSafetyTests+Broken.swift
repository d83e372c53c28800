import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

// What is broken before, or would break.
extension MigrationSafetyTests {
  @Test func `rows that point to nothing are told apart, whatever was broken before`() throws {
    let t = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("b", .text, optional: true)])
    // One is repaired and another made.
    let moved = try Migrated(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE o (x TEXT PRIMARY KEY NOT NULL);
      INSERT INTO o VALUES ('a');
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, b TEXT REFERENCES o (x));
      INSERT INTO t VALUES (1, 'a'), (2, 'b');
      """)
    let step = Migration(steps: [.before(2, "keys") { _ = try $0.execute("UPDATE o SET x = 'b'") }])
    let problems = try moved.problems([t], step)
    #expect(problems.map(\.entity) == ["t"] && problems.map(\.element) == ["b"])
    #expect(problems.first?.message == "1 row points to rows of o that are not there")
    // Those of before stay, under the table's new name.
    let renamed = try Migrated(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE country (id INTEGER PRIMARY KEY NOT NULL);
      CREATE TABLE place (id INTEGER PRIMARY KEY NOT NULL, size TEXT, country INTEGER REFERENCES country (id));
      INSERT INTO place VALUES (1, '7', 99);
      """)
    let zone = EntityDescription(
      "zone", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("size", .integer, optional: true)],
      renamedFrom: ["place"])
    #expect(try renamed.migrate([zone]) != nil)
    let column = try Migrated(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE parent (id INTEGER PRIMARY KEY NOT NULL);
      CREATE TABLE child (id INTEGER PRIMARY KEY NOT NULL, parent_id INTEGER REFERENCES Parent (id), size TEXT);
      CREATE INDEX i ON child (parent_id);
      INSERT INTO child VALUES (1, 99, '7');
      """)
    let child = EntityDescription(
      "child", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("size", .integer, optional: true),
        Attribute(
          "owner_id", .integer, optional: true, references: ForeignKey(table: "parent", column: "id", onDelete: .cascade),
          renamedFrom: ["parent_id"]),
      ])
    #expect(try column.migrate([child]) != nil)
    #expect(try column.rows("SELECT owner_id, size FROM child") == ["99 7"])
    // A key that leads to no key, of a table that nobody asks about, hides no other.
    let odd = try Migrated(
      """
      CREATE TABLE o (x INTEGER PRIMARY KEY NOT NULL, n TEXT);
      CREATE TABLE odd (n TEXT REFERENCES o (n));
      CREATE TABLE country (id INTEGER PRIMARY KEY NOT NULL);
      INSERT INTO country VALUES (1);
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, c INTEGER);
      INSERT INTO t VALUES (1, 1), (2, 9);
      """)
    let country = EntityDescription("country", key: .generated("id"), attributes: [Attribute("id", .integer)])
    let pointing = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("c", .integer, optional: true)],
      relationships: [.toOne("country", country, by: "c")])
    #expect(try odd.problems([pointing, country]).map(\.element) == ["c"])
  }

  @Test func `a trigger that was broken before hides none that breaks now`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b TEXT);
      CREATE TABLE log (b TEXT);
      CREATE TRIGGER one AFTER DELETE ON t BEGIN DELETE FROM nowhere; END;
      CREATE TRIGGER two AFTER DELETE ON t BEGIN INSERT INTO log VALUES (old.b); END;
      """)
    let t = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true)])
    #expect(try store.problems([t], Migration(.drop("t", "b"))).map(\.entity) == ["two"])
  }

  @Test func `a trigger of a view that breaks is named, and one that is sound is not in the way`() throws {
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b TEXT);
      CREATE VIEW v AS SELECT id, a FROM t;
      CREATE TRIGGER with_b INSTEAD OF INSERT ON v BEGIN INSERT INTO t (a, b) VALUES (new.a, 'x'); END;
      CREATE TRIGGER without INSTEAD OF DELETE ON v BEGIN DELETE FROM t WHERE id = old.id; END;
      """
    let t = EntityDescription(
      "t", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true)])
    #expect(try Migrated(sql).problems([t], Migration(.drop("t", "b"))).map(\.entity) == ["with_b"])
    let store = try Migrated(sql + "DROP TRIGGER with_b;")
    try store.migrate([t], Migration(.drop("t", "b")))
    try store.write { try $0.execute(sql: "INSERT INTO t (id, a) VALUES (7, 'a'); DELETE FROM v") }
    #expect(try store.rows("SELECT count(*) FROM t") == ["0"])
  }

  @Test func `a step between fires no trigger for what a hint fills`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, dirty INTEGER);
      CREATE TRIGGER touched AFTER UPDATE ON t WHEN new.dirty IS old.dirty BEGIN UPDATE t SET dirty = 1 WHERE id = new.id; END;
      INSERT INTO t VALUES (1, 0);
      """)
    let t = EntityDescription(
      "t", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("dirty", .integer, optional: true), Attribute("size", .integer)])
    try store.migrate([t], Migration(.fill("t", "size", with: 7), steps: [.between(2, "nothing") { _ in }]))
    #expect(try store.rows("SELECT dirty, size FROM t") == ["0 7"])
    try store.write { try $0.execute(sql: "UPDATE t SET size = 8") }
    #expect(try store.rows("SELECT dirty, size FROM t") == ["1 8"])
  }

  @Test func `what others left broken is not in the way, and is not made worse`() throws {
    let store = try Migrated(
      Self.sql + """
        PRAGMA foreign_keys = OFF;
        CREATE TABLE child (item INTEGER REFERENCES item (id));
        INSERT INTO child VALUES (99);
        CREATE VIEW lost AS SELECT * FROM nowhere;
        """)
    #expect(try store.migrate([Self.wanted]) != nil)
    #expect(try store.rows("PRAGMA foreign_key_check").count == 1)
  }
}
