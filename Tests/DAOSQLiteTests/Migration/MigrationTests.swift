import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("Migration: what follows from the entities alone")
struct MigrationTests {
  private static let id = Attribute("id", .integer)

  private static func zone(
    _ attributes: Attribute..., indexes: [Index] = [], relationships: [Relationship] = [], renamedFrom: [String] = []
  )
    -> EntityDescription
  {
    EntityDescription(
      "zone", key: .generated("id"), attributes: [id] + attributes, indexes: indexes, relationships: relationships, renamedFrom: renamedFrom
    )
  }

  private static let country = EntityDescription(
    "country", key: .assigned(["code"]), attributes: [Attribute("code", .text), Attribute("name", .text)])

  private static let table = "CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);"
  private static let rows = "INSERT INTO zone (id, name) VALUES (3, 'Berlin'), (7, 'Prague');"

  @Test func `a store that fits is left alone`() throws {
    let store = try Migrated(Self.table + Self.rows)
    #expect(try store.migrate([Self.zone(Attribute("name", .text))], version: 1) == nil)
    #expect(try store.migrate([Self.zone(Attribute("name", .text))], nil, version: 1) == nil)
  }

  @Test func `without a migration the store is refused, as before`() throws {
    let store = try Migrated(Self.table + Self.rows)
    #expect {
      try store.migrate([Self.zone(Attribute("name", .text), Attribute("note", .text, optional: true))], nil)
    } throws: { error in
      if case DAOError.schemaMismatch = error { true } else { false }
    }
  }

  @Test func `adds attributes, with and without a default, and keeps the rows`() throws {
    let store = try Migrated(Self.table + Self.rows)
    let entity = Self.zone(
      Attribute("name", .text), Attribute("note", .text, optional: true), Attribute("offset", .integer, default: 3600),
      Attribute("since", .date(.unixMilliseconds), optional: true))
    #expect(try store.steps([entity]) == ["zone: add note", "zone: add offset", "zone: add since"])
    #expect(try store.rows("SELECT id, name, note, offset, since FROM zone") == ["3 'Berlin' NULL 3600 NULL", "7 'Prague' NULL 3600 NULL"])
    #expect(try store.schema().differences(from: [entity]).isEmpty)
    #expect(try store.rows("PRAGMA user_version") == ["2"])
    #expect(try store.steps([entity]) == [])
  }

  @Test func `adds entities, indexes, relationships, search tables and views`() throws {
    let store = try Migrated(Self.table + Self.rows)
    let zone = Self.zone(
      Attribute("name", .text, searchable: true), Attribute("code", .text, optional: true), indexes: [Index(on: "name", unique: true)],
      relationships: [.toOne("country", Self.country, by: "code", onDelete: .nullify)])
    let view = EntityDescription(
      "long", source: .view(definition: "SELECT id, name FROM zone WHERE length(name) > 6"), key: .assigned(["id"]),
      attributes: [Self.id, Attribute("name", .text)])
    let steps = try store.steps([zone, Self.country, view])
    #expect(
      Set(steps) == [
        "create the table country", "zone: add code", "zone: no two rows have the same name", "zone: index on code",
        "zone: code points to country",
        "zone: make name searchable", "make the view long",
      ])
    #expect(try store.schema().differences(from: [zone, Self.country, view]).isEmpty)
    #expect(try store.rows("SELECT rowid FROM zone_search WHERE zone_search MATCH 'prague'") == ["7"])
    #expect(try store.rows("PRAGMA foreign_key_list(zone)").count == 1)
  }

  @Test func `renames tables and columns by renamedFrom, with what names them`() throws {
    let store = try Migrated(
      """
      CREATE TABLE place (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, hidden INTEGER);
      CREATE TABLE visit (id INTEGER PRIMARY KEY NOT NULL, place INTEGER NOT NULL REFERENCES place (id) ON DELETE CASCADE);
      CREATE INDEX by_title ON place (title) WHERE hidden IS NULL;
      CREATE TRIGGER keep AFTER UPDATE OF title ON place BEGIN UPDATE place SET hidden = 1 WHERE id = new.id; END;
      CREATE VIEW shown AS SELECT title FROM place WHERE hidden IS NULL;
      INSERT INTO place VALUES (1, 'a', NULL), (2, 'b', NULL);
      INSERT INTO visit VALUES (10, 2);
      """)
    let zone = Self.zone(Attribute("name", .text, renamedFrom: ["heading", "title"]), renamedFrom: ["place"])
    #expect(try store.steps([zone]) == ["rename the table place to zone", "zone: rename title to name"])
    #expect(try store.rows("SELECT id, name FROM zone") == ["1 'a'", "2 'b'"])
    #expect(try store.rows("SELECT * FROM shown").count == 2)
    #expect(try store.schema()["visit"]?.foreignKeys.map(\.table) == ["zone"])
    #expect(try store.schema()["zone"]?.indexes.map(\.columns) == [["name"]])
  }

  @Test func `what may be a rename is an error that names the hints, and each of them is an answer`() throws {
    let sql = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, title TEXT);
      INSERT INTO zone VALUES (1, 'a');
      """
    let entity = Self.zone(Attribute("name", .text, optional: true))
    let problems = try Migrated(sql).problems([entity])
    #expect(problems.map(\.element) == ["name"])
    #expect(
      problems.first?.hints == [
        #"renamedFrom: ["title"] on the attribute"#, #".add("zone", "name")"#, #".drop("zone", "title")"#, #".keep("zone", "title")"#,
      ])
    let renamed = try Migrated(sql)
    #expect(
      try renamed.steps([Self.zone(Attribute("name", .text, optional: true, renamedFrom: ["title"]))]) == ["zone: rename title to name"])
    #expect(try renamed.rows("SELECT name FROM zone") == ["'a'"])
    for hint in [Migration.Hint.add("zone", "name"), .keep("zone", "title")] {
      let store = try Migrated(sql)
      #expect(try store.steps([entity], Migration(hint)) == ["zone: add name"])
      #expect(try store.rows("SELECT title, name FROM zone") == ["'a' NULL"])
    }
    let dropped = try Migrated(sql)
    #expect(Set(try dropped.steps([entity], Migration(.drop("zone", "title")))) == ["zone: add name", "zone: drop title with its values"])
    #expect(try dropped.rows("SELECT * FROM zone") == ["1 NULL"])
    // A column of another type is none that was renamed.
    #expect(try Migrated("CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, size BLOB);").steps([entity]) == ["zone: add name"])
  }

  @Test func `a table that may have been renamed is an error that names the hints`() throws {
    let sql = """
      CREATE TABLE place (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
      INSERT INTO place VALUES (1, 'a');
      """
    let entity = Self.zone(Attribute("name", .text))
    #expect(
      try Migrated(sql).problems([entity]).first?.hints == [
        #"renamedFrom: ["place"] on the entity"#, #".create("zone")"#, #".dropTable("place")"#,
      ])
    #expect(try Migrated(sql).steps([entity], Migration(.create("zone"))) == ["create the table zone"])
    let dropped = try Migrated(sql)
    #expect(
      Set(try dropped.steps([entity], Migration(.dropTable("place")))) == ["create the table zone", "drop the table place with its rows"])
    #expect(try dropped.schema()["place"] == nil)
  }

  @Test func `changes types where every value stays the same, and names those that would not`() throws {
    let sql = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, number TEXT, at DATETIME_TEXT, code BLOB, price TEXT);
      INSERT INTO zone VALUES
        (1, '42', '2026-11-21T06:19:00.000Z', x'000102030405060708090a0b0c0d0e0f', '1.5'),
        (2, NULL, NULL, NULL, NULL);
      """
    let entity = Self.zone(
      Attribute("number", .integer, optional: true), Attribute("at", .date(.unixMilliseconds), optional: true),
      Attribute("code", .uuid(.text), optional: true), Attribute("price", .decimal(.scaled(2)), optional: true))
    let store = try Migrated(sql)
    let report = try #require(try store.migrate([entity]))
    #expect(report.steps.count == 4 && report.rows == ["zone": 2])
    #expect(
      try store.rows("SELECT * FROM zone") == [
        "1 42 1795241940000 '00010203-0405-0607-0809-0a0b0c0d0e0f' 150", "2 NULL NULL NULL NULL",
      ])
    let other = try Migrated(sql + "INSERT INTO zone VALUES (3, '007', 'yesterday', x'00', '1.555'), (4, '7', NULL, NULL, '1.555');")
    let problems = try other.problems([entity])
    #expect(problems.map(\.element) == ["number", "at", "code", "price"])
    #expect(problems.last?.message.contains("2 rows") == true && problems.first?.message.contains("'007'") == true)
    #expect(problems.first?.hints == [#".convert("zone", "number") { … }"#])
    let hints = Migration(
      .convert("zone", "number") { .integer($0 == .text("007") ? 7 : 0) }, .convert("zone", "at") { _ in .null },
      .convert("zone", "code") { _ in .null }, .convert("zone", "price") { _ in .decimal(9) })
    #expect(try other.migrate([entity], hints) != nil)
    #expect(try other.rows("SELECT * FROM zone WHERE id = 3") == ["3 7 NULL NULL 900"])
  }

  @Test func `what a conversion throws, or returns of another type, is a problem that names the value`() throws {
    let store = try Migrated(
      """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, number TEXT);
      INSERT INTO zone VALUES (1, 'x');
      """)
    let entity = Self.zone(Attribute("number", .integer, optional: true))
    struct Unreadable: Error {}
    for conversion in [{ _ in throw Unreadable() }, { _ in .text("y") }] as [@Sendable (StoredValue) throws -> Scalar] {
      let problems = try store.problems([entity], Migration(.convert("zone", "number", by: conversion)))
      #expect(problems.map(\.element) == ["number"] && problems.first?.message.contains("'x'") == true)
    }
  }

  @Test func `an attribute that needs a value now takes it from a hint, a default, or is refused with the rows that have none`() throws {
    let sql = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, name TEXT);
      INSERT INTO zone VALUES (1, 'a'), (2, NULL), (3, NULL);
      """
    let entity = Self.zone(Attribute("name", .text), Attribute("size", .integer))
    let store = try Migrated(sql)
    let problems = try store.problems([entity])
    #expect(problems.map(\.element) == ["name", "size"] && problems.first?.message.contains("2 rows") == true)
    #expect(problems.first?.hints == [#".fill("zone", "name", with: …)"#])
    #expect(try store.migrate([entity], Migration(.fill("zone", "name", with: "?"), .fill("zone", "size", with: 7))) != nil)
    #expect(try store.rows("SELECT name, size FROM zone") == ["'a' 7", "'?' 7", "'?' 7"])
    // And back: what may be null loses nothing.
    let optional = Self.zone(Attribute("name", .text, optional: true), Attribute("size", .integer, optional: true))
    #expect(try store.migrate([optional], version: 3)?.backup == nil)
    #expect(try store.schema().differences(from: [optional]).isEmpty)
  }

  @Test(
    arguments: [
      ("n TEXT", "(1, NULL), (2, NULL)", [".fill", ".convert"]), ("n TEXT", "(1, 'x'), (2, '2')", [".convert"]),
      ("n TEXT", "(1, 'x'), (2, NULL)", [".convert"]), ("n INTEGER", "(1, NULL), (2, 2)", [".fill"]),
      ("n INTEGER UNIQUE", "(1, NULL), (2, NULL)", ["steps"]), ("n INTEGER UNIQUE", "(1, NULL), (2, 2)", [".fill"]),
      ("m INTEGER", "(1, 1), (2, 2)", [".fill", "a default", "an optional"]),
      ("m INTEGER UNIQUE", "(1, 1), (2, 2)", ["steps", "an optional"]),
      ("m INTEGER UNIQUE", "(1, 1)", [".fill", "a default", "an optional"]),
    ])
  func `a filling is suggested where values are missing, nothing else is in the way, and several rows may have the same`(
    column: String, rows: String, hints: [String]
  ) throws {
    let isUnique = column.contains("UNIQUE")
    let zone = Self.zone(Attribute("n", .integer), indexes: isUnique ? [Index(on: "n", unique: true)] : [])
    let store = try Migrated(
      """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, \(column.replacingOccurrences(of: " UNIQUE", with: "")));
      INSERT INTO zone VALUES \(rows)
      """)
    let added = column.hasPrefix("m") ? [Migration.Hint.add("zone", "n")] : []
    let found = try #require(try store.problems([zone], Migration(added)).first)
    #expect(found.hints.count == hints.count && zip(found.hints, hints).allSatisfy { $0.hasPrefix($1) }, "\(found.hints)")
    guard hints.first == ".fill" else { return }
    try store.migrate([zone], Migration(added + [.fill("zone", "n", with: 7)]))
    #expect(try store.rows("SELECT count(*) FROM zone WHERE n IS NULL") == ["0"])
  }

  @Test func `rows that a unique index would forbid are named, and nothing is changed`() throws {
    let store = try Migrated(Self.table + "INSERT INTO zone VALUES (1, 'a'), (2, 'a'), (3, 'b');")
    let problems = try store.problems([Self.zone(Attribute("name", .text), indexes: [Index(on: "name", unique: true)])])
    #expect(problems.count == 1 && problems.first?.message.contains("'a' in 2 rows") == true)
  }

  @Test func `rows that point to nothing are named, and nothing is changed`() throws {
    let store = try Migrated(
      """
      CREATE TABLE country (code TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL);
      INSERT INTO country VALUES ('SK', 'Slovakia');
      """
        + "CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, code TEXT NOT NULL); INSERT INTO zone VALUES (1, 'SK'), (2, 'CS');")
    let zone = Self.zone(Attribute("code", .text), relationships: [.toOne("country", Self.country, by: "code")])
    #expect(try store.problems([zone, Self.country]).map(\.message) == ["1 row points to rows of country that are not there"])
  }

  @Test func `another key, and a table in a view's place, are left to a step of one's own`() throws {
    let keyed = try Migrated(
      """
      CREATE TABLE zone (name TEXT PRIMARY KEY NOT NULL, id INTEGER NOT NULL);
      INSERT INTO zone VALUES ('a', 5);
      """)
    let zone = Self.zone(Attribute("name", .text))
    #expect(try keyed.problems([zone]).first?.hints == ["steps: [.before(version, \"…\") { store in … }]"])
    let steps = Migration(steps: [
      .before(2, "another key") { store in
        _ = try store.execute("CREATE TABLE other (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL)")
        _ = try store.execute("INSERT INTO other SELECT id, name FROM zone")
        _ = try store.execute("DROP TABLE zone")
        _ = try store.execute("ALTER TABLE other RENAME TO zone")
      },
      .after(2, "one more") { store in
        _ = try store.insert([DynamicEntity(zone, ["name": "b"])], in: EntityTarget(zone))
      },
    ])
    let report = try #require(try keyed.migrate([zone], steps))
    #expect(report.steps.map(\.description) == ["to version 2: another key", "to version 2: one more"])
    #expect(try keyed.rows("SELECT id, name FROM zone") == ["5 'a'", "6 'b'"])
    #expect(try keyed.migrate([zone], steps) == nil)
  }

  @Test func `a step between finds what is new and what is not yet gone, and what it leaves has to do`() throws {
    let sql = """
      CREATE TABLE place (id INTEGER PRIMARY KEY NOT NULL, region TEXT NOT NULL, city TEXT NOT NULL, size TEXT);
      INSERT INTO place VALUES (1, 'Europe', 'Prague', '12'), (2, 'Asia', 'Tokyo', 'big');
      """
    let zone = Self.zone(
      Attribute("name", .text, searchable: true), Attribute("size", .integer, optional: true), Attribute("note", .text, optional: true),
      indexes: [Index(on: "name", unique: true)], renamedFrom: ["place"])
    func migration(_ steps: String...) -> Migration {
      Migration(
        .add("zone", "name"), .add("zone", "note"), .fill("zone", "note", with: "new"), .drop("zone", "region"), .drop("zone", "city"),
        steps: steps.map { step in .between(2, "take") { store in _ = try store.execute(SQL(stringLiteral: step)) } })
    }
    let store = try Migrated(sql)
    #expect(
      try store.steps([zone], migration("UPDATE zone SET name = region || '/' || city, size = nullif(size, 'big')")) == [
        "rename the table place to zone", "zone: add name", "zone: add note", "to version 2: take", "zone: name needs a value",
        "zone: turn size from TEXT into INTEGER", "zone: drop region with its values", "zone: drop city with its values",
        "zone: no two rows have the same name", "zone: make name searchable",
      ])
    #expect(try store.rows("SELECT * FROM zone") == ["1 12 'Europe/Prague' 'new'", "2 NULL 'Asia/Tokyo' 'new'"])
    #expect(try store.rows("SELECT rowid FROM zone_search WHERE zone_search MATCH 'tokyo'") == ["2"])
    let problems = try Migrated(sql).problems([zone], migration("UPDATE zone SET name = region WHERE id = 1"))
    #expect(problems.map(\.element) == ["name", "size"])
  }

  @Test func `hints of each kind and a step of one's own make the steps of the report, in their order`() throws {
    let store = try Migrated(
      """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, region TEXT, elevation INTEGER, legacy_code TEXT);
      INSERT INTO zone VALUES (1, 'Prague', 'Europe', 200, 'x');
      """)
    let zone = Self.zone(
      Attribute("name", .text), Attribute("region", .text, optional: true), Attribute("elevation", .text, optional: true),
      Attribute("population", .integer))
    let migration = Migration(
      .fill("zone", "population", with: 0), .convert("zone", "elevation") { $0.isNull ? .null : .text("\($0) m") },
      .drop("zone", "legacy_code"),
      steps: [.between(2, "one name") { store in _ = try store.execute("UPDATE zone SET name = region || '/' || name") }])
    let report = try #require(try store.migrate([zone], migration, version: 3))
    #expect(
      "\(report)".split(separator: "\n").dropLast() == [
        "migrated: version 1 to 3, 5 steps", "  zone: add population", "  to version 2: one name",
        "  zone: turn elevation from INTEGER into TEXT",
        "  zone: population needs a value", "  zone: drop legacy_code with its values", "  zone: 1 rows, all there",
      ])
    #expect(try store.rows("SELECT name, elevation, population FROM zone") == ["'Europe/Prague' '200 m' 0"])
    #expect(try store.migrate([zone], migration, version: 3) == nil)
  }

  @Test func `hints that fit no entity are told together, before anything is done`() throws {
    let store = try Migrated(Self.table + Self.rows)
    let zone = Self.zone(Attribute("name", .text), Attribute("size", .integer))
    let problems = try store.problems(
      [zone],
      Migration(
        .fill("zone", "size", with: "big"), .fill("zone", "name", with: nil), .fill("zone", "weight", with: 1), .add("place", "name"),
        .drop("zone", "name"), .dropTable("zone"), .keep("place", "x"), .create("place"), .convert("zone", "colour") { _ in .null }))
    #expect(
      problems.map { "\($0.entity).\($0.element)" } == [
        "zone.size", "zone.name", "zone.weight", "place.", "zone.name", "zone.", "place.", "place.", "zone.colour",
      ])
  }
}
