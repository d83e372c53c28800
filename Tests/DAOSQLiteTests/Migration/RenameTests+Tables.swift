import DAOCriteria
import DAOSQL
import Foundation
import Testing

@testable import DAOSQLite

// Names of tables.
extension RenameTests {
  @Test func `a table's name that a new entity has since, with the indexes of both`() throws {
    func zone(_ name: String, renamedFrom: [String] = []) -> EntityDescription {
      EntityDescription(
        name, key: .generated("id"), attributes: [Self.id, Attribute("name", .text)], indexes: [Index(on: "name", unique: true)],
        renamedFrom: renamedFrom)
    }
    let sql = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);
      CREATE UNIQUE INDEX zone_on_name ON zone (name);
      INSERT INTO zone VALUES (1, 'a'), (2, 'b')
      """
    let now = [zone("place", renamedFrom: ["zone"]), zone("zone")]
    let store = try Migrated(sql)
    #expect(try store.steps(now) == ["rename the table zone to place", "create the table zone"])
    #expect(try store.rows("SELECT id, name FROM place") == ["1 'a'", "2 'b'"])
    #expect(try store.rows("SELECT name FROM zone") == [])
    #expect(try store.schema()["zone"]?.indexes.map(\.isUnique) == [true])
    #expect(try store.steps(now) == [])
    // By way of the release between, whose index is still called as the first one.
    let stepwise = try Migrated(sql)
    try stepwise.migrate([now[0]])
    #expect(try stepwise.steps(now) == ["create the table zone"])
    #expect(try stepwise.rows("SELECT id FROM place") == ["1", "2"])
    let isNew = try Migrated(sql)
    #expect(try isNew.steps(now, Migration(.create("place"))) == ["create the table place"])
    #expect(try isNew.rows("SELECT id FROM zone") == ["1", "2"])
  }

  @Test func `tables in a chain, with their rows and the search table of one`() throws {
    let store = try Migrated(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY NOT NULL, x INTEGER);
      INSERT INTO a VALUES (1, 11), (2, 12);
      CREATE TABLE b (id INTEGER PRIMARY KEY NOT NULL, y TEXT);
      INSERT INTO b VALUES (7, 'y');
      """)
    let b = entity("b", Attribute("x", .integer, optional: true), renamedFrom: ["a"])
    let c = entity("c", Attribute("y", .text, optional: true, searchable: true), renamedFrom: ["b"])
    #expect(
      try store.steps([b, c]) == ["rename the table b to c", "rename the table a to b", "c: make y searchable"])
    #expect(try store.rows("SELECT id, x FROM b") == ["1 11", "2 12"])
    #expect(try store.rows("SELECT id, y FROM c") == ["7 'y'"])
    #expect(try store.steps([b, c]) == [])
  }

  private static let exchangedSQL = """
    CREATE TABLE a (id INTEGER PRIMARY KEY NOT NULL, m TEXT, n TEXT);
    CREATE TABLE b (id INTEGER PRIMARY KEY NOT NULL, m TEXT, n TEXT);
    INSERT INTO a VALUES (1, 'am', 'an');
    INSERT INTO b VALUES (1, 'bm', 'bn');
    """

  private func columns(_ m: String..., from n: String...) -> [Attribute] {
    [Attribute("m", .text, optional: true, renamedFrom: m), Attribute("n", .text, optional: true, renamedFrom: n)]
  }

  @Test func `names that were exchanged are asked about, whether the store fits or not: no store shows whether it is done`() throws {
    let table = EntityDescription("a", key: .generated("id"), attributes: [Self.id] + columns("N", from: "m"))
    let more = EntityDescription(
      "a", key: .generated("id"), attributes: [Self.id] + columns("n", from: "m") + [Attribute("x", .text, optional: true)])
    for entity in [table, more] {
      let store = try Migrated(Self.exchangedSQL)
      let problems = try store.problems([entity])
      #expect(problems.map { "\($0.entity).\($0.element)" } == ["a.n, m"])
      #expect(problems.first?.message.contains("the columns n and m were named as each other before") == true)
      #expect(problems.first?.hints.allSatisfy { $0.hasPrefix(#".keep("a", "n")"#) } == true)
      let made = bootstrapper(nil, entities: [entity], applicationID: nil, version: 2, migration: .automatic)
      #expect(try made.requiresMigration(store.url))
      #expect { try made.rehearseMigration(store.url) } throws: { "\($0)".contains("named as each other") }
      #expect(entity.problems == [])
      // Without a migration too: an older store's values would be read exchanged.
      if entity == table {
        let without = bootstrapper(nil, entities: [entity], applicationID: nil, version: 2)
        #expect(try without.requiresMigration(store.url))
        #expect { try without.rehearseMigration(store.url) } throws: { "\($0)".contains("named as each other") }
        #expect { try store.migrate([entity], nil) } throws: { "\($0)".contains("named as each other") }
        #expect { try StoreDescription.file(store.scratch.url("new too"), version: 2).open([entity]) } throws: {
          "\($0)".contains("named as each other")
        }
      }
      // A new store asks too: its next start would.
      #expect { try StoreDescription.file(store.scratch.url("new"), version: 2, migration: .automatic).open([entity]) } throws: {
        "\($0)".contains("named as each other")
      }
    }
    let (a, b) = (
      EntityDescription("a", key: .generated("id"), attributes: [Self.id] + columns(), renamedFrom: ["b"]),
      EntityDescription("b", key: .generated("id"), attributes: [Self.id] + columns(), renamedFrom: ["A"])
    )
    let problems = try Migrated(Self.exchangedSQL).problems([a, b])
    #expect(problems.map { "\($0.entity).\($0.element)" } == ["b."])
    #expect(problems.first?.hints.allSatisfy { $0.hasPrefix(#".create("b")"#) } == true)
    let store = try Migrated(Self.exchangedSQL)
    #expect(try store.steps([a, b], Migration(.create("b"))) == [])
    #expect(try store.rows("SELECT m FROM a UNION ALL SELECT m FROM b") == ["'am'", "'bm'"])
  }

  @Test(arguments: [Migration.Hint.keep("a", "n"), .keep("a", "M"), .add("a", "m")])
  func `exchanged names stay where a hint says so, and a step exchanges them once`(hint: Migration.Hint) throws {
    let table = EntityDescription("a", key: .generated("id"), attributes: [Self.id] + columns("n", from: "m"))
    let kept = try Migrated(Self.exchangedSQL)
    #expect(try kept.steps([table], Migration(hint)) == [])
    #expect(try kept.rows("SELECT m, n FROM a") == ["'am' 'an'"])
    let store = try Migrated(Self.exchangedSQL)
    let migration = Migration(hint, steps: [.before(2, "exchange") { _ = try $0.execute("UPDATE a SET m = n, n = m") }])
    for _ in 0..<2 {
      try store.migrate([table], migration)
      #expect(try store.rows("SELECT m, n FROM a") == ["'an' 'am'"])
    }
  }

  @Test func `a virtual table that reads the table under its name is in the way, and is named`() throws {
    let store = try Migrated(
      """
      CREATE TABLE place (id INTEGER PRIMARY KEY NOT NULL, body TEXT);
      INSERT INTO place VALUES (1, 'red house');
      CREATE VIRTUAL TABLE words USING fts5 (body, content='place', content_rowid='id');
      INSERT INTO words (words) VALUES ('rebuild');
      """)
    let problems = try store.problems([entity("zone", Attribute("body", .text, optional: true), renamedFrom: ["place"])])
    #expect(problems.map(\.entity) == ["zone"])
    #expect(problems.first?.message.contains("virtual table words") == true, "\(problems)")
    #expect(try store.rows("SELECT body FROM words WHERE words MATCH 'red'") == ["'red house'"])
  }
}
