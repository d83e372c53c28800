import DAOSQL
import Testing

@testable import DAOSQLite

/// New tables of the seed, whatever of the store's has their names, and what belongs to tables that the store has dropped.
@Suite struct NewTableTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let zone = "CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT, n INTEGER)"
  private static let w = "CREATE TABLE w (id INTEGER PRIMARY KEY, q TEXT)"
  private static let search = "CREATE VIRTUAL TABLE words USING fts5 (name, content='zone', content_rowid='id')"

  private func merge(
    old: String = "", new: String = "", mine: String = "", seed: String = "SELECT 1", asking query: String
  ) throws -> (answer: String, schema: [String]) {
    let found = try scratch.merge(
      "\(Self.zone); \(old)", new: "\(Self.zone); \(new)", base: "SELECT 1", mine: mine, seed: seed, .takeSeed, naturalKeys: [],
      asking: [query])
    return (found.answers[0], found.schema)
  }

  // MARK: Names

  @Test func `a table takes the place of the seed's own view, and others still read it`() throws {
    let found = try merge(
      old: "CREATE VIEW w AS SELECT id, name AS q FROM zone",
      new: """
        \(Self.w);
        CREATE INDEX by_q ON w (q)
        """,
      mine: "CREATE VIEW own AS SELECT q FROM w", seed: "INSERT INTO w VALUES (7, 'seven')", asking: "SELECT q FROM own")
    #expect(found.answer == "'seven'")
    #expect(found.schema == ["table w added", "view w dropped"])
  }

  @Test(
    arguments: [
      ("CREATE VIEW own AS SELECT n FROM w", "own would not work any more: no such column: n"),
      ("CREATE TRIGGER own INSTEAD OF INSERT ON w BEGIN SELECT 1; END", "the store has the trigger own of its own on it"),
      ("DROP VIEW w; CREATE VIEW w AS SELECT 5 AS n, 6 AS m", "the store has a view of this name"),
    ])
  func `a view that the store needs stays, and the table is reported with all that belongs to it`(mine: String, reason: String) throws {
    let found = try merge(
      old: "CREATE VIEW w AS SELECT 5 AS n",
      new: "\(Self.w); CREATE INDEX by_q ON w (q); CREATE TRIGGER t AFTER INSERT ON w BEGIN SELECT 1; END", mine: mine,
      seed: "INSERT INTO w VALUES (7, 'seven')", asking: "SELECT n FROM w")
    #expect(found.answer == "5")
    #expect(
      found.schema == [
        "table w not brought: \(reason)", "index by_q of w not brought: the store does not have the table w",
        "trigger t of w not brought: the store does not have the table w",
      ])
  }

  @Test func `a view of the user's with a new table's name refuses no start`() throws {
    let found = try merge(
      new: Self.w, mine: "CREATE VIEW w AS SELECT 5 AS n", seed: "INSERT INTO w VALUES (7, 's')", asking: "SELECT n FROM w")
    #expect(found.answer == "5" && found.schema == ["table w not brought: the store has a view of this name"], "\(found)")
    // One in the place of a table of both seeds: the store has dropped that.
    let dropped = try merge(
      old: Self.w, new: Self.w,
      mine: """
        DROP TABLE w;
        CREATE VIEW w AS SELECT 5 AS n
        """, seed: "INSERT INTO w VALUES (7, 's')",
      asking: "SELECT n FROM w")
    #expect(dropped.answer == "5" && dropped.schema.isEmpty, "\(dropped)")
  }

  @Test(arguments: [w, "CREATE VIEW w AS SELECT 's' AS q"], [true, false])
  func `an index gives its name to a new table or view`(new: String, isOfSeed: Bool) throws {
    let index = "CREATE UNIQUE INDEX w ON zone (n)"
    let found = try merge(
      old: isOfSeed ? index : "", new: new, mine: isOfSeed ? "" : index, seed: new == Self.w ? "INSERT INTO w VALUES (7, 's')" : "SELECT 1",
      asking: "SELECT (SELECT q FROM w), (SELECT group_concat(name) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'zone')")
    #expect(found.answer == "'s' " + (isOfSeed ? "NULL" : "'w_2'"))
    let added = "\(new == Self.w ? "table" : "view") w added"
    let dropped = "index w of zone dropped"
    #expect(found.schema == (!isOfSeed ? [added] : new == Self.w ? [added, dropped] : [dropped, added]))
  }

  @Test func `an index of the seed's that the seed's own view named gives its name away with it`() throws {
    let found = try merge(
      old: """
        CREATE INDEX w ON zone (n);
        CREATE VIEW cheap AS SELECT name FROM zone INDEXED BY w WHERE n < 3
        """,
      new: """
        \(Self.w);
        CREATE VIEW cheap AS SELECT name FROM zone WHERE n < 3
        """, seed: "INSERT INTO w VALUES (7, 'seven')",
      asking: "SELECT q FROM w")
    #expect(found.answer == "'seven'")
    #expect(found.schema.contains("table w added") && found.schema.contains("view cheap replaced"), "\(found.schema)")
  }

  @Test(
    arguments: [
      "CREATE TRIGGER w AFTER INSERT ON zone BEGIN SELECT count(*) FROM zone INDEXED BY w WHERE n < 3; END",
      "CREATE VIEW cheap AS SELECT name FROM zone INDEXED BY w WHERE n < 3",
      "CREATE TRIGGER cheap AFTER INSERT ON zone BEGIN SELECT count(*) FROM zone INDEXED BY w WHERE n < 3; END",
    ], [w, "CREATE VIEW w AS SELECT 's' AS q", search.replacing("words", with: "w")])
  func `an index that a view or trigger of the user's names keeps its name`(user: String, new: String) throws {
    let found = try merge(
      new: new, mine: "CREATE INDEX w ON zone (n); \(user)",
      seed: "INSERT INTO zone VALUES (1, 'a', 2)",
      asking: """
        SELECT (SELECT count(*) FROM zone), (SELECT type FROM sqlite_schema WHERE name = 'w' AND type <> 'trigger'),
          (SELECT max(type) FROM sqlite_schema WHERE name IN ('cheap', 'w') AND sql LIKE '% INDEXED BY w %')
        """)
    let (name, type) = user.hasPrefix("CREATE TRIGGER w") ? ("w", "trigger") : ("cheap", user.hasPrefix("CREATE VIEW") ? "view" : "trigger")
    #expect(found.answer == "1 'index' '\(type)'")
    #expect(
      found.schema.count == 1 && found.schema[0].contains("w not brought: \(name) would not work any more: no such index: w"),
      "\(found.schema)")
  }

  @Test(arguments: [true, false])
  func `a new table with the name of a part of the user's virtual table is reported, and neither filled nor changed`(isInBase: Bool) throws
  {
    let table = "CREATE TABLE doc_content (id INTEGER PRIMARY KEY, q TEXT)"
    let found = try merge(
      old: isInBase ? table : "", new: table.replacing("q TEXT", with: "q TEXT, more TEXT"),
      mine: (isInBase ? "DROP TABLE doc_content; " : "") + "CREATE VIRTUAL TABLE doc USING fts5 (body); INSERT INTO doc VALUES ('mine')",
      seed: "INSERT INTO doc_content VALUES (7, 'seven', 'x')", asking: "SELECT body FROM doc")
    #expect(found.answer == "'mine'")
    #expect(
      found.schema == ["table doc_content not brought: the store has a table of this name, in which a virtual table keeps what it has"])
  }

  @Test(arguments: [true, false])
  func `a new table comes though a trigger has its name, the seed's or the user's`(isOfSeed: Bool) throws {
    let old = "CREATE TABLE z (id INTEGER PRIMARY KEY)"
    let trigger = "CREATE TRIGGER w AFTER INSERT ON z BEGIN SELECT 1; END"
    let new = "CREATE TABLE w (id INTEGER PRIMARY KEY, q); CREATE VIEW v AS SELECT q FROM w"
    let found = try scratch.merge(
      isOfSeed ? "\(old); \(trigger)" : old, new: isOfSeed ? "\(old); \(trigger); \(new)" : "\(old); \(new)", base: "",
      mine: isOfSeed ? "" : trigger, seed: "INSERT INTO w VALUES (1, 2)", asking: "SELECT q FROM v",
      "SELECT count(*) FROM sqlite_schema WHERE name = 'w'")
    #expect(found.answers == ["2", "2"] && found.schema == ["table w added", "view v added"], "\(found)")
  }

  @Test(arguments: [true, false])
  func `an index gives its name to a search table, whether triggers fill it or none does`(isFilled: Bool) throws {
    let trigger = "CREATE TRIGGER word_in AFTER INSERT ON zone BEGIN INSERT INTO words (rowid, name) VALUES (NEW.id, NEW.name); END"
    let found = try merge(
      new: isFilled ? "\(Self.search); \(trigger)" : Self.search, mine: "CREATE INDEX words ON zone (n)",
      seed: "INSERT INTO zone VALUES (1, 'seeds', 1)",
      asking: "SELECT rowid, (SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'zone') FROM words('seeds')")
    #expect(found.answer == "1 'words_2'")
    #expect(found.schema == [isFilled ? "trigger word_in of zone added" : "table words added"])
  }

  @Test func `a view comes though a trigger has its name`() throws {
    let found = try merge(
      new: "CREATE VIEW w AS SELECT 's' AS q", mine: "CREATE TRIGGER w AFTER INSERT ON zone BEGIN SELECT 1; END", asking: "SELECT q FROM w")
    #expect(found.answer == "'s'" && found.schema == ["view w added"], "\(found)")
  }

  @Test func `a trigger comes with its view, though the view comes last`() throws {
    let found = try merge(
      new: """
        \(Self.search); CREATE TRIGGER word_in AFTER INSERT ON zone BEGIN INSERT INTO words (rowid, name) VALUES (NEW.id, NEW.name); END;
        CREATE VIEW found AS SELECT rowid AS id FROM words WHERE words MATCH 'late';
        CREATE TRIGGER on_found INSTEAD OF INSERT ON found BEGIN INSERT INTO zone (id, name) VALUES (NEW.id, 'late'); END
        """, asking: "INSERT INTO found VALUES (4) RETURNING (SELECT count(*) FROM sqlite_schema WHERE name = 'on_found')")
    #expect(found.answer == "1")
    #expect(found.schema == ["trigger word_in of zone added", "view found added", "trigger on_found of found added"])
  }

  // MARK: Virtual tables

  @Test func `a search table that no trigger fills comes with the merged rows; one with rows of its own is reported`() throws {
    let found = try merge(
      new: """
        \(Self.search);
        CREATE VIRTUAL TABLE apart USING fts5 (name);
        CREATE VIRTUAL TABLE none USING fts5 (name, content='')
        """,
      mine: "INSERT INTO zone VALUES (9, 'mine', 3)", seed: "INSERT INTO zone VALUES (1, 'seeds', 1)",
      asking: "SELECT rowid FROM words('mine OR seeds') ORDER BY 1")
    #expect(found.answer == "1, 9")
    #expect(
      found.schema == [
        "table words added", "table apart not brought: it holds rows of its own, which are not merged",
        "table none not brought: it holds rows of its own, which are not merged",
      ])
  }

  @Test func `a virtual table that is there stays as it is, and what the seed has otherwise is reported`() throws {
    let other = Self.search.replacing("name,", with: "name, n,")
    func schema(_ old: String, _ new: String, mine: String = "") throws -> [String] {
      try merge(old: old, new: new, mine: mine, asking: "SELECT 1").schema
    }
    #expect(try schema(Self.search, Self.search) == [])
    #expect(try schema(Self.search, other) == ["table words not brought: a virtual table that is there stays as it is"])
    #expect(try schema(Self.search, other, mine: "DROP TABLE words; \(other)") == [])
    #expect(try schema("", other, mine: Self.search) == ["table words not brought: a virtual table that is there stays as it is"])
    #expect(try schema(Self.search, other, mine: "DROP TABLE words") == ["table words not brought: the store has dropped it"])
  }

  // MARK: Dropped tables

  @Test func `what is new of a table that the user has dropped is reported`() throws {
    let found = try merge(
      old: "\(Self.w); CREATE INDEX by_q ON w (q)",
      new: """
        CREATE TABLE w (id INTEGER PRIMARY KEY, q TEXT, more TEXT);
        CREATE INDEX by_q ON w (q);
        CREATE INDEX by_more ON w (more);
        CREATE TRIGGER t AFTER INSERT ON w BEGIN SELECT 1; END
        """, mine: "DROP TABLE w", asking: "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'w'")
    #expect(found.answer == "0")
    #expect(
      found.schema == [
        "column more of w not brought: the store does not have the table",
        "index by_more of w not brought: the store does not have the table w",
        "trigger t of w not brought: the store does not have the table w",
      ])
  }

  @Test func `a table that the seed lacks stays with its indexes and triggers`() throws {
    let found = try merge(
      old: "\(Self.w); CREATE INDEX by_q ON w (q); CREATE TRIGGER t AFTER INSERT ON w BEGIN SELECT 1; END",
      asking: "SELECT group_concat(name) FROM sqlite_schema WHERE tbl_name = 'w'")
    #expect(found.answer == "'w,by_q,t'" && found.schema.isEmpty, "\(found)")
  }
}
