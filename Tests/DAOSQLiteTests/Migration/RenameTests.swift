import DAOCriteria
import DAOSQL
import Foundation
import Testing

@testable import DAOSQLite

@Suite("Migration: names that others had before")
struct RenameTests {
  static let id = Attribute("id", .integer)

  func entity(_ name: String, _ attributes: Attribute..., renamedFrom: [String] = []) -> EntityDescription {
    EntityDescription(name, key: .generated("id"), attributes: [Self.id] + attributes, renamedFrom: renamedFrom)
  }

  @Test func `columns in a chain: a and b are b and c now`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a INTEGER, b TEXT, d TEXT);
      INSERT INTO t VALUES (1, 11, '22', 'd')
      """)
    let now = entity(
      "t", Attribute("b", .integer, optional: true, renamedFrom: ["a"]), Attribute("c", .text, optional: true, renamedFrom: ["b"]),
      Attribute("d", .text, optional: true))
    #expect(try store.steps([now]) == ["t: rename b to c", "t: rename a to b"])
    #expect(try store.rows("SELECT b, c, d FROM t") == ["11 '22' 'd'"])
    #expect(try store.steps([now]) == [])
  }

  @Test func `columns in a chain whose values change their type on the way`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b INTEGER);
      INSERT INTO t VALUES (1, '11', 22)
      """)
    let now = entity(
      "t", Attribute("b", .integer, optional: true, renamedFrom: ["a"]), Attribute("c", .text, optional: true, renamedFrom: ["b"]))
    try store.migrate([now])
    #expect(try store.rows("SELECT b, c FROM t") == ["11 '22'"])
  }

  @Test func `a name that is kept or dropped, or whose holder never had another, is not free`() throws {
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b TEXT);
      INSERT INTO t VALUES (1, 'a', 'b')
      """
    let b = Attribute("b", .text, optional: true, renamedFrom: ["a"])
    let c = Attribute("c", .text, optional: true, renamedFrom: ["b"])
    for hint in [Migration.Hint.keep("t", "a"), .drop("t", "a")] {
      let store = try Migrated(sql)
      try store.migrate([entity("t", b, c)], Migration(hint))
      #expect(try store.rows("SELECT b, c FROM t") == ["'b' NULL"])
    }
    let store = try Migrated(sql)
    try store.migrate([entity("t", Attribute("b", .text, optional: true), c)], Migration(.keep("t", "a"), .add("t", "c")))
    #expect(try store.rows("SELECT a, b, c FROM t") == ["'a' 'b' NULL"])
  }

  @Test func `a name that a new attribute has since: a store that skipped a release keeps its values under the new name`() throws {
    let store = try Migrated(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
      INSERT INTO person VALUES (1, 'Ann'), (2, 'Bob')
      """)
    let now = entity(
      "person", Attribute("displayName", .text, renamedFrom: ["name"]), Attribute("name", .text, optional: true))
    #expect(try store.steps([now]) == ["person: rename name to displayName", "person: add name"])
    #expect(try store.rows("SELECT id, displayName, name FROM person") == ["1 'Ann' NULL", "2 'Bob' NULL"])
    #expect(try store.steps([now]) == [])
    // The store of the release between.
    let between = try Migrated("CREATE TABLE person (id INTEGER PRIMARY KEY NOT NULL, displayName TEXT NOT NULL)")
    #expect(try between.steps([now]) == ["person: add name"])
  }

  @Test(arguments: [false, true])
  func `a chain whose middle the store skipped: what has just got its name keeps it, in whichever order`(_ isReversed: Bool) throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT);
      INSERT INTO t VALUES (1, 'a');
      CREATE TABLE x (id INTEGER PRIMARY KEY NOT NULL, n INTEGER);
      INSERT INTO x VALUES (1, 1)
      """)
    let b = Attribute("b", .text, optional: true, renamedFrom: ["a"])
    let c = Attribute("c", .text, optional: true, renamedFrom: ["b"])
    let tables = [
      isReversed ? entity("t", c, b) : entity("t", b, c), entity("y", Attribute("n", .integer, optional: true), renamedFrom: ["x"]),
      entity("z", Attribute("m", .integer, optional: true), renamedFrom: ["y"]),
    ]
    try store.migrate(isReversed ? tables.reversed() : tables)
    #expect(try store.rows("SELECT b, c FROM t") == ["'a' NULL"])
    #expect(try store.rows("SELECT n FROM y") == ["1"])
    #expect(try store.rows("SELECT m FROM z") == [])
  }

  @Test func `of several former names, one that nobody has comes before one that something new has`() throws {
    let store = try Migrated(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY NOT NULL, displayName TEXT, name TEXT);
      INSERT INTO person VALUES (1, 'Ann', 'new');
      CREATE TABLE place (id INTEGER PRIMARY KEY NOT NULL, n INTEGER);
      INSERT INTO place VALUES (1, 5);
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, k INTEGER)
      """)
    let now = [
      entity(
        "person", Attribute("title", .text, optional: true, renamedFrom: ["name", "displayName"]),
        Attribute("name", .text, optional: true)),
      entity("spot", Attribute("n", .integer, optional: true), renamedFrom: ["zone", "place"]),
      entity("zone", Attribute("k", .integer, optional: true)),
    ]
    #expect(try store.steps(now) == ["rename the table place to spot", "person: rename displayName to title"])
    #expect(try store.rows("SELECT title, name FROM person") == ["'Ann' 'new'"])
    #expect(try store.rows("SELECT n FROM spot") == ["5"])
  }

  @Test func `a former name that another was given by name is an error that asks which of the two is new`() throws {
    func store() throws -> Migrated {
      try Migrated(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY NOT NULL, name TEXT);
        INSERT INTO person VALUES (1, 'Ann');
        CREATE TABLE zones (id INTEGER PRIMARY KEY NOT NULL, k INTEGER);
        INSERT INTO zones VALUES (1, 5)
        """)
    }
    let person = entity(
      "person", Attribute("fullName", .text, column: "name", optional: true),
      Attribute("alias", .text, optional: true, renamedFrom: ["name"]))
    func zone(_ name: String, _ table: String, _ former: [String] = []) -> EntityDescription {
      EntityDescription(
        name, table: table, key: .generated("id"), attributes: [Self.id, Attribute("k", .integer, optional: true)], renamedFrom: former)
    }
    let now = [person, zone("place", "places", ["zones"]), zone("zone", "zones")]
    #expect(
      try store().problems(now).map(\.hints) == [
        [".add(\"person\", \"alias\")", ".add(\"person\", \"fullName\")"], [".create(\"place\")", ".create(\"zone\")"],
      ])
    let (first, second) = (try store(), try store())
    try first.migrate(now, Migration(.add("person", "alias"), .create("place")))
    #expect(try first.rows("SELECT name, alias FROM person") == ["'Ann' NULL"])
    #expect(try first.rows("SELECT 'zones', id FROM zones UNION ALL SELECT 'places', id FROM places") == ["'zones' 1"])
    try second.migrate(now, Migration(.add("person", "fullName"), .create("zone")))
    #expect(try second.rows("SELECT name, alias FROM person") == ["NULL 'Ann'"])
    #expect(try second.rows("SELECT 'zones', id FROM zones UNION ALL SELECT 'places', id FROM places") == ["'places' 1"])
  }

  @Test(arguments: [false, true])
  func `columns are renamed in the tables that have their names by then, in whichever order`(_ isReversed: Bool) throws {
    let store = try Migrated(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY NOT NULL, p TEXT);
      INSERT INTO a VALUES (1, 'ap');
      CREATE TABLE b (id INTEGER PRIMARY KEY NOT NULL, q TEXT);
      INSERT INTO b VALUES (1, 'bq')
      """)
    let now = [
      entity("b", Attribute("q", .text, optional: true, renamedFrom: ["p"]), Attribute("p", .text, optional: true), renamedFrom: ["a"]),
      entity("c", Attribute("q", .text, optional: true), renamedFrom: ["b"]),
    ]
    try store.migrate(isReversed ? now.reversed() : now)
    #expect(try store.rows("SELECT q, p FROM b") == ["'ap' NULL"])
    #expect(try store.rows("SELECT q FROM c") == ["'bq'"])
  }

  @Test func `a chain that ends at something new comes after what nobody has`() throws {
    let store = try Migrated(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, a TEXT, b TEXT, c INTEGER);
      INSERT INTO t VALUES (1, 'a', 'b', 3)
      """)
    let now = entity(
      "t", Attribute("a", .text, optional: true), Attribute("b", .text, optional: true, renamedFrom: ["a"]),
      Attribute("d", .integer, optional: true, renamedFrom: ["b", "c"]))
    #expect(try store.steps([now]) == ["t: rename c to d"])
    #expect(try store.rows("SELECT a, b, d FROM t") == ["'a' 'b' 3"])
  }

  @Test func `a view whose columns are named anew is made anew where a step runs between`() throws {
    let store = try Migrated(
      """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, name TEXT);
      INSERT INTO zone VALUES (1, 'red');
      """
        + "CREATE VIEW shown AS SELECT id, name AS name FROM zone")
    let shown = EntityDescription(
      "shown", source: .view(definition: "SELECT id, name AS name FROM zone"), key: .assigned(["id"]),
      attributes: [Self.id, Attribute("name", .text, optional: true)])
    let zone = entity(
      "zone", Attribute("displayName", .text, optional: true, renamedFrom: ["name"]), Attribute("name", .text, optional: true))
    try store.migrate([zone, shown], Migration(steps: [.between(2, "nothing") { _ in }]))
    #expect(try store.rows("SELECT name FROM shown") == ["NULL"])
  }

  @Test func `two entities over one table, of which one is searched`() throws {
    let searched = entity("zone", Attribute("name", .text, optional: true, searchable: true))
    let brief = EntityDescription(
      "brief", table: "zone", key: .generated("id"), attributes: [Self.id, Attribute("name", .text, optional: true)])
    let store = try Migrated("CREATE TABLE old (x)")
    try store.migrate([searched, brief], Migration(.create("zone")))
    let more = entity("zone", Attribute("name", .text, optional: true, searchable: true), Attribute("n", .integer, optional: true))
    #expect(try store.steps([more, brief]) == ["zone: add n"])
    try Items.run(store.url, "INSERT INTO zone (name) VALUES ('red')")
    #expect(try store.rows("SELECT rowid FROM zone_search('red')") == ["1"])
  }

  @Test func `names exchanged in other letters are asked about too; the answer says what a store with one of them has`() throws {
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, b TEXT);
      INSERT INTO t VALUES (1, 'b')
      """
    let now = entity(
      "t", Attribute("a", .text, optional: true, renamedFrom: ["B"]), Attribute("b", .text, optional: true, renamedFrom: ["A"]))
    #expect(try Migrated(sql).problems([now]).map(\.element) == ["b, a"])
    for (hint, row) in [(Migration.Hint.keep("t", "a"), "'b' NULL"), (.add("t", "b"), "'b' NULL"), (.keep("t", "b"), "NULL 'b'")] {
      let store = try Migrated(sql)
      try store.migrate([now], Migration(hint))
      #expect(try store.rows("SELECT a, b FROM t") == [row], "\(hint)")
    }
  }

  @Test func `a new attribute that is searched and shown in a view as the old one was`() throws {
    let store = try Migrated("CREATE TABLE old (x)")
    func names(_ isOld: Bool) -> [EntityDescription] {
      let name = Attribute("name", .text, optional: true, searchable: true)
      return [
        isOld ? entity("zone", name) : entity("zone", Attribute("displayName", .text, optional: true, renamedFrom: ["name"]), name),
        EntityDescription(
          "shown", source: .view(definition: isOld ? "SELECT id, name FROM zone" : "SELECT id, name, displayName FROM zone"),
          key: .assigned(["id"]),
          attributes: [Self.id, Attribute("name", .text, optional: true)]
            + (isOld ? [] : [Attribute("displayName", .text, optional: true)])),
        EntityDescription(
          "brief", source: .view(definition: "SELECT id, name FROM zone"), key: .assigned(["id"]),
          attributes: [Self.id, Attribute("name", .text, optional: true)]),
      ]
    }
    try store.migrate(names(true))
    try Items.run(store.url, "INSERT INTO zone (name) VALUES ('red')")
    try store.migrate(names(false))
    try Items.run(store.url, "INSERT INTO zone (displayName, name) VALUES ('blue', 'green')")
    #expect(try store.rows("SELECT displayName, name FROM shown ORDER BY id") == ["'red' NULL", "'blue' 'green'"])
    #expect(try store.rows("SELECT name FROM brief ORDER BY id") == ["NULL", "'green'"])
    #expect(try store.rows("SELECT rowid FROM zone_search('green')") == ["2"])
    #expect(try store.rows("SELECT rowid FROM zone_search('red OR blue')") == [])
    #expect(try store.steps(names(false)) == [])
  }

  @Test func `a hint says that it was not so: the name stays, and what has it as a former one is new`() throws {
    let now = entity(
      "person", Attribute("displayName", .text, optional: true, renamedFrom: ["name"]), Attribute("name", .text, optional: true))
    for hint in [Migration.Hint.keep("person", "name"), .add("person", "displayName")] {
      let store = try Migrated(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY NOT NULL, name TEXT);
        INSERT INTO person VALUES (1, 'Ann')
        """)
      #expect(try store.steps([now], Migration(hint)) == ["person: add displayName"])
      #expect(try store.rows("SELECT displayName, name FROM person") == ["NULL 'Ann'"])
    }
  }

  @Test func `a key's name is no other attribute's former one`() throws {
    let store = try Migrated(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY NOT NULL);
      INSERT INTO person VALUES (1)
      """)
    let now = entity("person", Attribute("number", .integer, optional: true, renamedFrom: ["id"]))
    #expect(try store.steps([now]) == ["person: add number"])
    #expect(try store.rows("SELECT id, number FROM person") == ["1 NULL"])
  }
}
