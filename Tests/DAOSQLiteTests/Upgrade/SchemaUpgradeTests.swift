import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What of the new seed's schema comes into the store: indexes, views, triggers and columns on tables that are there.
@Suite struct SchemaUpgradeTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  static let zone = "CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT, n INTEGER)"
  static let rows = "INSERT INTO zone (id, name, n) VALUES (1, 'a', 1), (2, 'b', 2)"
  private static let objects = "SELECT type, name, tbl_name FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY name"

  /// The base with some statements after its table, the seed with others, and the store with the base's and its user's.
  func merge(
    old: String = "", new: String, mine: String = "", seed: String = rows, table: String = zone, asking queries: String...
  ) throws -> (answer: String, schema: [String]) {
    let found = try scratch.merge(
      "\(Self.zone); \(old)", new: "\(table); \(new)", base: Self.rows, mine: mine, seed: seed, .takeSeed, naturalKeys: [],
      asking: queries.isEmpty ? [Self.objects] : queries)
    return (found.answers.last ?? "", found.schema)
  }

  @Test func `what the seed changed and the store did not follows the seed`() throws {
    let found = try merge(
      old: """
        CREATE INDEX by_name ON zone (name);
        CREATE INDEX gone ON zone (n);
        CREATE VIEW early AS SELECT name FROM zone WHERE n < 2;
        CREATE TRIGGER counted AFTER INSERT ON zone BEGIN UPDATE zone SET n = 1 WHERE id = NEW.id; END; CREATE VIEW past AS SELECT 1;
        CREATE TRIGGER on_early INSTEAD OF INSERT ON early BEGIN INSERT INTO zone (name) VALUES (NEW.name); END
        """,
      new: """
        CREATE UNIQUE INDEX by_name ON zone (name DESC);
        CREATE VIEW early AS SELECT name, n FROM zone WHERE n < 3;
        CREATE TRIGGER counted AFTER INSERT ON zone BEGIN UPDATE zone SET n = 2 WHERE id = NEW.id; END;
        CREATE TRIGGER on_early INSTEAD OF INSERT ON early BEGIN INSERT INTO zone (name) VALUES (NEW.name); END;
        CREATE INDEX by_n ON zone (n) WHERE n > 0; CREATE TRIGGER other AFTER DELETE ON zone BEGIN SELECT 1; END
        """)
    #expect(
      found.answer == """
        'index' 'by_n' 'zone', 'index' 'by_name' 'zone', 'trigger' 'counted' 'zone', 'view' 'early' 'early', \
        'trigger' 'on_early' 'early', 'trigger' 'other' 'zone'
        """)
    #expect(
      found.schema == [
        "index gone of zone dropped", "index by_name of zone replaced", "index by_n of zone added", "view past dropped",
        "view early replaced",
        "trigger counted of zone replaced", "trigger other of zone added",
      ])
    let answer = try merge(
      old: "CREATE TRIGGER t AFTER INSERT ON zone BEGIN UPDATE zone SET n = 1 WHERE id = NEW.id; END",
      new: "CREATE TRIGGER t AFTER INSERT ON zone BEGIN UPDATE zone SET n = 2 WHERE id = NEW.id; END",
      seed: Self.rows + ", (3, 'c', 7); UPDATE zone SET n = 7", asking: "INSERT INTO zone (name) VALUES ('x')",
      "SELECT name, n FROM zone ORDER BY id"
    ).answer
    // It has not fired for the seed's row.
    #expect(answer == "'a' 7, 'b' 7, 'c' 7, 'x' 2")
  }

  @Test func `what the store has otherwise or dropped stays so and is reported`() throws {
    let found = try merge(
      old: "CREATE INDEX by_name ON zone (name); CREATE VIEW early AS SELECT 1; CREATE TRIGGER t AFTER INSERT ON zone BEGIN SELECT 1; END",
      new: """
        CREATE INDEX by_name ON zone (name, n); CREATE VIEW early AS SELECT 2; CREATE TRIGGER t AFTER INSERT ON zone BEGIN SELECT 2; END;
        CREATE VIEW mine AS SELECT 3;
        CREATE INDEX own ON zone (n, name);
        CREATE VIEW taken AS SELECT 4
        """,
      mine: """
        DROP INDEX by_name; DROP VIEW early; CREATE VIEW early AS SELECT 'mine'; DROP TRIGGER t;
        CREATE TRIGGER t AFTER INSERT ON zone BEGIN SELECT 'mine'; END; CREATE VIEW mine AS SELECT 'mine'; CREATE INDEX own ON zone (name);
        CREATE TABLE taken (id INTEGER)
        """)
    #expect(
      found.schema == [
        "index by_name of zone not brought: the store has dropped it", "index own of zone added",
        "view early not brought: the store has another view of this name", "view mine not brought: the store has another view of this name",
        "view taken not brought: the store has something else of this name",
        "trigger t of zone not brought: the store has another trigger of this name",
      ])
    #expect(
      found.answer == "'view' 'early' 'early', 'view' 'mine' 'mine', 'index' 'own' 'zone', 'index' 'own_2' 'zone', 'trigger' 't' 'zone'")
  }

  @Test func `what is there already is no news`() throws {
    let found = try merge(
      new: "CREATE INDEX by_name ON zone (name); CREATE VIEW v AS SELECT name FROM zone",
      mine: """
        CREATE INDEX "other name" ON "zone" ( "name" ) -- as others write it
        ; CREATE VIEW v AS select "name" FROM zone
        """)
    #expect(found.schema.isEmpty)
    let same = try merge(old: "CREATE INDEX i ON zone (n)", new: "CREATE INDEX i ON zone (n)", mine: "DROP INDEX i")
    #expect(same.schema.isEmpty && same.answer.isEmpty)
  }

  /// Made before the rows, it lets the policy decide; where the store's rows have the value twice now, the seed's may have repaired that.
  @Test func `a unique index comes with the rows that fit it or is reported`() throws {
    let unique = "CREATE UNIQUE INDEX u ON zone (n)"
    let decided = try merge(
      new: unique, mine: "INSERT INTO zone VALUES (9, 'mine', 3)", seed: Self.rows + ", (3, 'c', 3)", asking: "SELECT id, n FROM zone")
    #expect(decided.answer == "1 1, 2 2, 3 3" && decided.schema == ["index u of zone added"])
    let twice = "UPDATE zone SET n = 1"
    let found = try scratch.merge(
      Self.zone, new: "\(Self.zone); \(unique)", base: "\(Self.rows); \(twice)", mine: "", seed: Self.rows, asking: "SELECT n FROM zone",
      Self.objects)
    #expect(found.answers == ["1, 2", "'index' 'u' 'zone'"] && found.schema == ["index u of zone added"])
    let left = try merge(new: unique, mine: twice)
    #expect(left.schema == ["index u of zone not brought: UNIQUE constraint failed: zone.n"] && left.answer.isEmpty)
  }

  @Test func `what cannot work here stays away and is reported`() throws {
    let found = try merge(
      old: "CREATE TABLE log (text TEXT)",
      new: """
        CREATE TABLE log (text TEXT);
        CREATE VIEW logged AS SELECT text FROM log;
        CREATE TRIGGER logging AFTER INSERT ON zone BEGIN INSERT INTO log VALUES (NEW.name); END; CREATE INDEX i ON log (text)
        """, mine: "DROP TABLE log")
    #expect(
      found.schema == [
        "index i of log not brought: the store does not have the table log", "view logged not brought: no such table: main.log",
        "trigger logging of zone not brought: no such table: main.log",
      ])
    #expect(found.answer.isEmpty)
  }

  /// What needs another is brought after it, in whatever order the seed has them.
  @Test func `views and triggers come in the order in which they need each other`() throws {
    let found = try merge(
      old: "CREATE VIEW shown AS SELECT name FROM zone",
      new: """
        CREATE VIEW va AS SELECT * FROM vb;
        CREATE VIEW vb AS SELECT * FROM vc;
        CREATE VIEW vc AS SELECT name FROM zone;
        CREATE VIEW shown AS SELECT * FROM vd;
        CREATE VIEW vd AS SELECT name, n FROM zone;
        CREATE TABLE nt (id INTEGER PRIMARY KEY); CREATE TRIGGER tr AFTER INSERT ON nt BEGIN INSERT INTO nv VALUES (NEW.id); END;
        CREATE VIEW nv AS SELECT id FROM zone; CREATE TRIGGER nv_in INSTEAD OF INSERT ON nv BEGIN INSERT INTO zone (id) VALUES (NEW.id); END
        """, asking: "INSERT INTO nt VALUES (77)", "SELECT count(*) FROM zone, va, shown WHERE zone.id = 77")
    #expect(found.schema.count == 9 && found.schema.allSatisfy { !$0.contains("not brought") }, "\(found.schema)")
    #expect(found.answer == "9")
  }

  @Test func `a trigger of a view that cannot work stays away`() throws {
    let found = try merge(
      old: "CREATE TABLE log (text TEXT)",
      new: """
        CREATE TABLE log (text TEXT);
        CREATE VIEW v AS SELECT name FROM zone;
        CREATE TRIGGER v_in INSTEAD OF INSERT ON v BEGIN INSERT INTO log VALUES (NEW.name); END;
        CREATE TRIGGER v_out INSTEAD OF DELETE ON v BEGIN DELETE FROM zone WHERE name = OLD.name; END
        """, mine: "DROP TABLE log")
    #expect(
      found.schema == ["view v added", "trigger v_out of v added", "trigger v_in of v not brought: no such table: main.log"]
        || found.schema == ["view v added", "trigger v_in of v not brought: no such table: main.log", "trigger v_out of v added"],
      "\(found.schema)")
  }

  /// What the user has made of a view of the seed's goes on working.
  @Test(arguments: [
    ("", "CREATE VIEW mine AS SELECT n FROM past", "mine would not work any more: no such table: main.past"),
    (
      "CREATE VIEW past AS SELECT name FROM zone", "CREATE VIEW mine AS SELECT n FROM past",
      "mine would not work any more: no such column: n"
    ),
    (
      "", "CREATE TABLE log (n); CREATE TRIGGER mine AFTER INSERT ON zone BEGIN INSERT INTO log SELECT n FROM past; END",
      "mine would not work any more: no such table: main.past"
    ),
    (
      "", "CREATE TRIGGER mine INSTEAD OF DELETE ON past BEGIN SELECT 1; END", "the store has the trigger mine of its own on it"
    ),
  ])
  func `a view that the store needs stays`(new: String, mine: String, reason: String) throws {
    let found = try merge(
      old: "CREATE VIEW past AS SELECT name, n FROM zone", new: new, mine: mine,
      asking: "INSERT INTO zone VALUES (9, 'x', 9)", "SELECT n FROM past WHERE n = 9")
    #expect(found.schema == ["view past not brought: \(reason)"])
    #expect(found.answer == "9")
    // Where the seed brings what needs it no more, it follows.
    let both = try merge(
      old: "CREATE VIEW past AS SELECT name, n FROM zone; CREATE VIEW over AS SELECT n FROM past",
      new: "\(new); CREATE VIEW over AS SELECT name AS n FROM zone")
    #expect(both.schema.count == 2 && both.schema.allSatisfy { !$0.contains("not brought") }, "\(both.schema)")
  }

  @Test func `a search table over a table that is there is filled`() throws {
    let words = """
      CREATE VIRTUAL TABLE words USING fts5 (name, content='zone', content_rowid='id');
      CREATE TRIGGER word_in AFTER INSERT ON zone BEGIN INSERT INTO words (rowid, name) VALUES (NEW.id, NEW.name); END;
      CREATE VIRTUAL TABLE apart USING fts5 (name);
      CREATE TRIGGER apart_in AFTER INSERT ON zone BEGIN INSERT INTO apart (rowid, name) VALUES (NEW.id, NEW.name); END;
      """
    let found = try merge(
      new: words, mine: "INSERT INTO zone VALUES (9, 'mine', 3)", seed: Self.rows + ", (3, 'c', 3)",
      asking: "INSERT INTO zone (name) VALUES ('late')", "SELECT rowid FROM words('mine OR c OR late') ORDER BY 1")
    #expect(found.answer == "3, 9, 10")
    #expect(
      found.schema == [
        "trigger word_in of zone added", "trigger apart_in of zone not brought: apart holds rows of its own, which are not merged",
        "table apart not brought: it holds rows of its own, which are not merged",
      ])
  }

  @Test func `a trigger that fills a table that the store has dropped stays away`() throws {
    let words = "CREATE VIRTUAL TABLE words USING fts5 (name, content='zone', content_rowid='id')"
    func trigger(_ name: String, _ event: String) -> String {
      "CREATE TRIGGER \(name) AFTER \(event) ON zone BEGIN INSERT INTO words (rowid, name) VALUES (NEW.id, NEW.name); END"
    }
    let old = "\(words); \(trigger("word_in", "INSERT"))"
    let found = try merge(old: old, new: "\(old); \(trigger("word_up", "UPDATE"))", mine: "DROP TRIGGER word_in; DROP TABLE words")
    #expect(found.answer == "" && found.schema == ["trigger word_up of zone not brought: the store has dropped words"], "\(found)")
  }

  /// An index whose name was taken is the seed's still; one of the user's own that says the same is not.
  @Test(arguments: [("by_name_2", true), ("by_name_x", false), ("my_name", false)])
  func `an index under another name follows the seed`(name: String, isSeeds: Bool) throws {
    let found = try merge(
      old: "CREATE INDEX by_name ON zone (name)", new: "",
      mine: """
        DROP INDEX by_name;
        CREATE TABLE own (a);
        CREATE INDEX by_name ON own (a);
        CREATE INDEX \(name) ON zone (name)
        """)
    #expect(found.answer.contains("'\(name)'") == !isSeeds && found.answer.contains("'by_name' 'own'"))
    #expect(found.schema == (isSeeds ? ["index by_name of zone dropped"] : []))
  }

  @Test func `entities are asked when all is there: a unique index that only the merged rows fit is one of theirs`() throws {
    func seed(_ version: Int32, _ sql: String) throws -> URL {
      let url = scratch.url("seed \(version)")
      let queue = try DatabaseQueue(path: url.path)
      try queue.write {
        try $0.execute(
          sql: """
            \(Self.zone); \(sql);
            PRAGMA user_version = \(version)
            """)
      }
      try queue.close()
      return url
    }
    let store = scratch.url("store/store")
    let one = try seed(1, Self.rows + "; UPDATE zone SET n = 1")
    _ = try bootstrapper(one, entities: [], applicationID: nil).bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    let entity = EntityDescription(
      "zone", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true), Attribute("n", .integer, optional: true)],
      indexes: [Index(on: ["n"], unique: true)])
    let two = try seed(2, Self.rows + "; CREATE UNIQUE INDEX u ON zone (n)")
    let report = try bootstrapper(two, entities: [entity], applicationID: nil).bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    guard case .upgraded(let upgrade) = report.outcome else { return #expect(Bool(false), "\(report)") }
    #expect(upgrade.schema.map(\.outcome) == [.added])
  }
}
