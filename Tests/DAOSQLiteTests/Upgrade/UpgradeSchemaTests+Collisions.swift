import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

// Rows that are in the way of others.
extension UpgradeSchemaTests {
  /// Under the seed's rule a row of the user's is as the seed has it, where the seed has one under its key.
  @Test func `a row in the way is as the seed has it where the seed has it`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT)",
      base: "INSERT INTO t VALUES (1, 'x', 'old'), (2, 'y', 'old')",
      mine: """
        UPDATE t SET a = NULL WHERE id = 1;
        UPDATE t SET a = 'x' WHERE id = 2;
        UPDATE t SET a = 'y' WHERE id = 1
        """,
      seed: "INSERT INTO t VALUES (1, 'x', 'new'), (2, 'y', 'old')", .takeSeed, asking: "SELECT id, a, b FROM t ORDER BY id")
    #expect(found.answers == ["1 'x' 'new', 2 'y' 'old'"])
    #expect(found.report.map(\.changed) == [2] && found.report.map(\.deleted) == [0])
  }

  @Test func `a row of both sides that cannot be is reported`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT)",
      base: "INSERT INTO t VALUES (1, 'x', 'old'), (2, 'y', 'old')",
      mine: "UPDATE t SET a = 'z' WHERE id = 1; UPDATE t SET b = 'my' WHERE id = 2",
      seed: "INSERT INTO t VALUES (1, 'x', 'new'), (2, 'z', 'old')",
      .byColumn, asking: "SELECT id, a, b FROM t ORDER BY id")
    #expect(found.answers == ["1 'z' 'new', 2 'y' 'my'"])
    let conflict = try #require(found.report.flatMap(\.conflicts).first)
    #expect(
      conflict.conflict.key == ["id": .integer(2)] && conflict.conflict.cause == .unique(columns: ["a"]) && conflict.decision == .mine)
    #expect(conflict.conflict.mine?["id"] == .integer(1) && conflict.conflict.theirs?["a"] == .text("z"))
  }

  /// The user did what the seed did, and more.
  @Test func `what is there already is no change`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)", base: "INSERT INTO t VALUES (1, 'x', 'y')",
      mine: "UPDATE t SET a = 'X', b = 'mine'", seed: "INSERT INTO t VALUES (1, 'X', 'y')", .byColumn, asking: "SELECT a, b FROM t")
    #expect(found.answers == ["'X' 'mine'"] && found.report.isEmpty)
  }

  /// In the trial, rows that go back to their place are not to find it taken by new ones.
  @Test func `only the row that collides stays out`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE w (code TEXT PRIMARY KEY NOT NULL, name TEXT);
      CREATE UNIQUE INDEX folded ON w (lower(name))
      """,
      base: "INSERT INTO w VALUES ('a', 'A'), ('b', 'B')", mine: "UPDATE w SET name = 'new' WHERE code = 'a'",
      seed: "INSERT INTO w VALUES ('a', 'A'), ('n', 'N'), ('c', 'NEW'), ('b', 'B2')", asking: "SELECT code, name FROM w ORDER BY code")
    #expect(found.answers == ["'a' 'new', 'b' 'B2', 'n' 'N'"])
    #expect(found.report.flatMap(\.conflicts).map(\.conflict.key) == [["code": .text("c")]])
  }

  /// The key tells apart what its column does not.
  @Test func `a row is deleted by its key alone`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (a TEXT COLLATE NOCASE, v, PRIMARY KEY (a COLLATE BINARY)) WITHOUT ROWID",
      base: "INSERT INTO t VALUES ('x', 1), ('y', 1)",
      mine: "INSERT INTO t VALUES ('X', 'mine')", seed: "INSERT INTO t VALUES ('y', 2)", asking: "SELECT a, v FROM t ORDER BY a")
    #expect(found.answers == ["'X' 'mine', 'y' 2"])
    #expect(found.report.map(\.deleted) == [1])
  }

  /// SQLite refuses to check any foreign key where one leads to columns that are no key.
  @Test func `a foreign key that nothing can meet is in nobody's way`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);
      CREATE TABLE c (code TEXT REFERENCES p (code));
      CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id));
      """, base: "INSERT INTO p VALUES (1, 'a')", mine: "", seed: "INSERT INTO p VALUES (1, 'a'), (2, 'b'); INSERT INTO t VALUES (1, 2)",
      asking: "SELECT id FROM p", "SELECT p FROM t")
    #expect(found.answers == ["1, 2", "2"])
  }

  /// A cascade would take the user's rows along.
  @Test func `what the user has hanging on a row stays`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (code) ON DELETE CASCADE ON UPDATE CASCADE)
      """,
      base: "INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO c VALUES (1, 'a')",
      mine: "INSERT INTO c VALUES (100, 'a'), (101, 'b')",
      seed: """
        INSERT INTO p VALUES (2, 'B'), (3, 'b'), (4, 'd');
        INSERT INTO c VALUES (2, 'B')
        """, .keepMine,
      asking: "SELECT * FROM p ORDER BY id",
      "SELECT * FROM c ORDER BY id")
    // The value 'b' is there still, with another row.
    #expect(found.answers == ["1 'a', 2 'B', 3 'b', 4 'd'", "2 'B', 100 'a', 101 'b'"])
    #expect(found.report.flatMap(\.referenced) == [["id": .integer(1)]])
  }

  @Test func `damage of foreign keys that was there before is no concern of the merge`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p)
      """,
      base: "INSERT INTO p VALUES (1)", mine: "INSERT INTO c VALUES (100, 99)", seed: "INSERT INTO p VALUES (1), (2)", .keepMine,
      asking: "SELECT id FROM p", "SELECT p FROM c")
    #expect(found.answers == ["1, 2", "99"])
  }
}
