import DAOCriteria
import Foundation
import GRDB
import Testing

@testable import DAOSQL
@testable import DAOSQLite

@Suite("CREATE TABLE in its parts")
struct CreateTableTests {
  private static let definitions = [
    "CREATE TABLE t (a)",
    "CREATE TABLE main . t(a,b,c)",
    "CREATE TABLE IF NOT EXISTS \"t\" (a INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, b VARCHAR ( 20 ) , c DECIMAL(10, -2) DEFAULT -1.5)",
    "CREATE TABLE [t] ([a b] TEXT, `c``d` TEXT, \"e\"\"f\" TEXT, 'g''h' TEXT)",
    """
    CREATE TABLE t (a TEXT DEFAULT 'it''s, (', b TEXT DEFAULT (')' || 'x'), c DEFAULT CURRENT_TIMESTAMP, \
    d DEFAULT NULL NOT NULL, e DEFAULT +5 UNIQUE)
    """,
    "CREATE TABLE t (a -- one, (\n , b /* two, ( */ TEXT /* three */ NOT NULL, c /* not closed)",
    "CREATE TABLE t (a INT CHECK (a IN (1, 2)) CONSTRAINT named CHECK (a <> 3), b TEXT COLLATE NOCASE UNIQUE ON CONFLICT IGNORE)",
    """
    CREATE TABLE t (a INTEGER NOT NULL ON CONFLICT FAIL, b TEXT NULL, c INT GENERATED ALWAYS AS (a + 1) STORED, \
    d AS (a * 2), e INT AS (1) VIRTUAL UNIQUE)
    """,
    "CREATE TABLE t (a INT REFERENCES o (x) ON DELETE SET NULL ON UPDATE SET DEFAULT NOT DEFERRABLE INITIALLY IMMEDIATE NOT NULL, b INT)",
    "CREATE TABLE t (a INT REFERENCES o ON DELETE CASCADE MATCH FULL DEFERRABLE INITIALLY DEFERRED DEFAULT 3, b)",
    "CREATE TABLE t (a, b, PRIMARY KEY (a, b DESC)) WITHOUT ROWID",
    """
    CREATE TABLE t (a TEXT, b INT, CONSTRAINT p PRIMARY KEY (a), UNIQUE (b) ON CONFLICT REPLACE, \
    CHECK (a <> ',') FOREIGN KEY (b) REFERENCES o (x)) STRICT
    """,
    "CREATE TABLE t (\"primary\" TEXT, \"check\" INT, 'unique' TEXT, [foreign] TEXT, `constraint` TEXT)",
    "CREATE TABLE t (a \"odd type\" NOT NULL, b [another] , c LONG LONG INT UNSIGNED)",
    "CREATE TABLE t (ž TEXT, \"🙂\" INTEGER DEFAULT 0x1F, e REAL DEFAULT 1e-3)",
    "CREATE TABLE t(a INT,b INT,c INT AS(a+b)STORED,CHECK(a<b))STRICT",
  ]

  @Test(arguments: definitions)
  func `put together again, the table is the same`(_ sql: String) throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE o (x INTEGER PRIMARY KEY)")
      try db.execute(sql: sql + (sql.contains("not closed") ? "*/)" : ""))
      let kept = try #require(try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 't'"))
      let table = try #require(CreateTable(kept))
      let before = try Self.facts(db)
      #expect(table.columns.map(\.name) == before.names)
      try db.execute(sql: "DROP TABLE t")
      try db.execute(sql: table.sql(named: "t"))
      #expect(try Self.facts(db).all == before.all)
      // And once more, from what that has left.
      let left = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 't'") ?? ""
      #expect(CreateTable(left)?.sql(named: "t") == table.sql(named: "t"))
    }
  }

  @Test func `each rule of a column is a clause of its own`() throws {
    let table = try #require(
      CreateTable(
        """
        CREATE TABLE t (a INT CONSTRAINT n NOT NULL DEFAULT (1) REFERENCES o ON DELETE SET NULL NOT DEFERRABLE \
        COLLATE NOCASE UNIQUE NULL CHECK (1) AS (1))
        """))
    #expect(
      table.columns[0].clauses.map(\.kind) == [.notNull, .defaultValue, .references, .collate, .unique, .null, .check, .generated])
    #expect(table.columns[0].clauses[2].text == "REFERENCES o ON DELETE SET NULL NOT DEFERRABLE" && table.columns[0].type == "INT")
  }

  /// Everything that SQLite knows of the table.
  private static func facts(_ db: Database) throws -> (names: [String], all: [String]) {
    var all: [String] = []
    for pragma in ["table_xinfo(t)", "foreign_key_list(t)", "index_list(t)", "index_xinfo(sqlite_autoindex_t_1)"] {
      all += try Row.fetchAll(db, sql: "PRAGMA \(pragma)").map { $0.databaseValues.map { "\($0.stored)" }.joined(separator: " ") }
    }
    all += try Row.fetchAll(db, sql: "SELECT type, wr, strict FROM pragma_table_list WHERE name = 't'").map { "\($0)" }
    return (try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo('t') WHERE hidden <> 1"), all)
  }

  @Test(arguments: ["", "CREATE TABLE t", "CREATE TABLE t (", "CREATE TABLE t ()", "CREATE VIRTUAL TABLE t USING x", "((", "-- (a)"])
  func `what is no such statement has no parts`(_ sql: String) { #expect(CreateTable(sql) == nil) }
}
