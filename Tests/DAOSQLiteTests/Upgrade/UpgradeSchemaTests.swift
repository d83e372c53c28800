import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What a merge does with the parts of a schema that are more than rows.
@Suite struct UpgradeSchemaTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Makes the three sides, merges, and asks the store.
  private func merge(
    _ schema: String, new newSchema: String? = nil, base: String, mine: String, seed: String, _ policy: ConflictPolicy = .keepMine,
    asking queries: String...
  ) throws -> (answers: [String], report: [SeedUpgradeReport.Table]) {
    for (name, schema, rows) in [("base", schema, base), ("mine", schema, base + ";" + mine), ("seed", newSchema ?? schema, seed)] {
      try? FileManager.default.removeItem(at: scratch.url(name))
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: scratch.url(name).path, configuration: configuration)
      try queue.write { try $0.execute(sql: schema + ";" + rows) }
      try queue.close()
    }
    return try SQLiteFile.open(scratch.url("mine").path) { db in
      for side in [(MergeSide.base, "base"), (.seed, "seed")] {
        try db.execute(
          sql: "ATTACH DATABASE ? AS \(side.0.rawValue)", arguments: [SQLiteConfiguration.uri(scratch.url(side.1), "mode=ro&immutable=1")])
      }
      try db.execute(sql: "BEGIN IMMEDIATE")
      defer { try? db.execute(sql: "ROLLBACK") }
      try SeedTables(in: db).make(in: db)
      var merge = try SeedMerge(in: db, store: "mine", policy)
      let report = try merge.run()
      let answers = try queries.map { query in
        try Row.fetchAll(db, sql: query).map { $0.databaseValues.map { $0.stored.description }.joined(separator: " ") }
          .joined(separator: ", ")
      }
      return (answers, report)
    }
  }

  /// One by one, either would meet the other's old value. The rows keep their row ids, by which an index of words may know them.
  @Test func rowsThatChangeUniqueValuesWithEachOtherDoSo() throws {
    let found = try merge(
      "CREATE TABLE t (code TEXT PRIMARY KEY NOT NULL, name TEXT UNIQUE, rank INTEGER UNIQUE)",
      base: "INSERT INTO t (rowid, code, name, rank) VALUES (10, 'a', 'one', 1), (20, 'b', 'two', 2), (30, 'c', 'three', 3)", mine: "",
      seed: "INSERT INTO t VALUES ('a', 'two', 2), ('b', 'three', 3), ('c', 'one', 1), ('d', 'four', 4)", .keepMine,
      asking: "SELECT rowid, code, name, rank FROM t ORDER BY code")
    #expect(found.answers == ["10 'a' 'two' 2, 20 'b' 'three' 3, 30 'c' 'one' 1, 31 'd' 'four' 4"])
    #expect(found.report.map(\.changed) == [3])
  }

  @Test func searchTablesStayInStep() throws {
    let note = EntityDescription(
      "note", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)], indexes: [Index(on: ["name"], unique: true)])
    let schema = try SchemaSQL.statements(for: [note]).joined(separator: ";\n")
    let found = try merge(
      schema, base: "INSERT INTO note VALUES (1, 'red apple'), (2, 'green pear'), (3, 'blue plum')",
      mine: "UPDATE note SET name = 'ripe plum' WHERE id = 3; INSERT INTO note VALUES (100, 'my apple')",
      seed: "INSERT INTO note VALUES (1, 'green pear'), (2, 'red apple'), (4, 'dried fig')", .keepMine,
      asking: "SELECT rowid FROM note_search('apple') ORDER BY 1", "SELECT rowid FROM note_search('plum')",
      "SELECT rowid FROM note_search('fig')",
      "INSERT INTO note_search (note_search, rank) VALUES ('integrity-check', 1)")
    #expect(found.answers == ["2, 100", "3", "4", ""])
  }

  /// Of a seed of which the app has made more: a table, with what belongs to it.
  @Test func aTableThatOnlyTheNewSeedHasIsMadeWithItsIndexesTriggersAndRows() throws {
    let note = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)],
      indexes: [Index(on: ["name"], unique: false)])
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE dropped (id INTEGER PRIMARY KEY)"
    let new = [old] + (try SchemaSQL.statements(for: [note]))
    let found = try merge(
      old, new: new.joined(separator: ";\n"), base: "", mine: "DROP TABLE dropped",
      seed: "INSERT INTO t VALUES (1); INSERT INTO note VALUES (7, 'dried fig'); INSERT INTO dropped VALUES (1)", .keepMine,
      asking: "SELECT id FROM t", "SELECT name FROM note", "SELECT rowid FROM note_search('fig')",
      "SELECT name FROM sqlite_schema WHERE name LIKE 'dropped' OR name = 'note_on_name'")
    #expect(found.answers == ["1", "'dried fig'", "7", "'note_on_name'"])
    #expect(found.report.map(\.name) == ["note", "t"])
  }

  @Test func aTableThatTheNewSeedLacksStaysAndSoDoOnesOfTheUsers() throws {
    let found = try merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE gone (id INTEGER PRIMARY KEY)", new: "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      base: "INSERT INTO t VALUES (1); INSERT INTO gone VALUES (1)",
      mine: "CREATE TABLE own (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t); INSERT INTO own VALUES (1, 1)",
      seed: "INSERT INTO t VALUES (2)",
      .takeSeed, asking: "SELECT id FROM t", "SELECT id FROM gone", "SELECT id FROM own")
    #expect(found.answers == ["1, 2", "1", "1"])
    // A table of the user's own references it.
    #expect(found.report.map(\.referenced) == [[["id": .integer(1)]]])
  }

  /// A column that the seed does not know holds what the user gave it, or its default.
  @Test func aColumnThatTheSeedLacksIsTheUsers() throws {
    let wide = "ALTER TABLE t ADD COLUMN note TEXT DEFAULT 'none'; UPDATE t SET note = 'mine' WHERE id IN (2, 3)"
    let found = try merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", base: "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')", mine: wide,
      seed: "INSERT INTO t VALUES (1, 'A'), (2, 'B'), (5, 'E')", .byColumn, asking: "SELECT id, name, note FROM t ORDER BY id")
    #expect(found.answers == ["1 'A' 'none', 2 'B' 'mine', 3 'c' 'mine', 5 'E' 'none'"])
    #expect(found.report.flatMap(\.conflicts).map(\.conflict.key) == [["id": .integer(3)]])
  }

  /// Equal rows without a key are counted.
  @Test func rowsWithoutAKeyAreAddedAndDeletedByTheirNumber() throws {
    let found = try merge(
      "CREATE TABLE t (name TEXT COLLATE NOCASE, n)", base: "INSERT INTO t VALUES ('a', 1), ('a', 1), ('A', 1), ('b', 1), (NULL, NULL)",
      mine: "INSERT INTO t VALUES ('a', 1), ('mine', 1); UPDATE t SET n = 2 WHERE name = 'b'",
      seed: "INSERT INTO t VALUES ('a', 1), ('A', 1), ('b', 3), ('new', 1), ('new', 1), (NULL, NULL), (NULL, NULL)", .takeSeed,
      asking: "SELECT name, n, count(*) FROM t GROUP BY name COLLATE BINARY, n ORDER BY name COLLATE BINARY, n")
    #expect(
      found.answers == ["NULL NULL 2, 'A' 1 1, 'a' 1 2, 'b' 2 1, 'b' 3 1, 'mine' 1 1, 'new' 1 2"])
    #expect(found.report.map { [$0.added, $0.changed, $0.deleted] } == [[4, 0, 1]])
    #expect(throws: DAOError.self) {
      try merge(
        "CREATE TABLE t (rowid TEXT, oid TEXT, _rowid_ TEXT)", base: "", mine: "", seed: "INSERT INTO t VALUES ('a', 'b', 'c')")
    }
  }

  /// Only SQLite knows of the collision; one row of the seed's is no reason for the whole upgrade not to be.
  @Test(
    arguments: [
      "name TEXT, live INTEGER); CREATE UNIQUE INDEX live ON t (name) WHERE live",
      "name TEXT, live INTEGER); CREATE UNIQUE INDEX folded ON t (lower(name))",
      "name TEXT, live INTEGER, folded TEXT AS (lower(name)) STORED UNIQUE)",
    ])
  func whatOnlySQLiteFindsToCollideStaysOutAndIsReported(columns: String) throws {
    let found = try merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns)",
      base: "INSERT INTO t (id, name, live) VALUES (1, 'x', 1), (2, 'y', 1), (3, 'z', 1)",
      mine: "INSERT INTO t (id, name, live) VALUES (100, 'a', 1), (101, 'b', 1)",
      seed: "INSERT INTO t (id, name, live) VALUES (1, 'y', 1), (2, 'x', 1), (3, 'a', 1), (4, 'b', 1), (5, 'c', 1)", .takeSeed,
      asking: "SELECT id, name FROM t ORDER BY id")
    #expect(found.answers == ["1 'y', 2 'x', 3 'z', 5 'c', 100 'a', 101 'b'"])
    let conflicts = found.report.flatMap(\.conflicts)
    #expect(conflicts.map(\.conflict.key) == [["id": .integer(3)], ["id": .integer(4)]])
    #expect(conflicts.allSatisfy { $0.conflict.cause == .unique(columns: []) && $0.decision == .mine && $0.conflict.mine == nil })
  }

  /// A cascade would take the user's rows along.
  @Test func whatTheUserHasHangingOnARowStays() throws {
    let found = try merge(
      "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE); CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (code) ON DELETE CASCADE ON UPDATE CASCADE)",
      base: "INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO c VALUES (1, 'a')",
      mine: "INSERT INTO c VALUES (100, 'a'), (101, 'b')",
      seed: "INSERT INTO p VALUES (2, 'B'), (3, 'b'), (4, 'd'); INSERT INTO c VALUES (2, 'B')", .keepMine,
      asking: "SELECT * FROM p ORDER BY id",
      "SELECT * FROM c ORDER BY id")
    // The value 'b' is there still, with another row.
    #expect(found.answers == ["1 'a', 2 'B', 3 'b', 4 'd'", "2 'B', 100 'a', 101 'b'"])
    #expect(found.report.flatMap(\.referenced) == [["id": .integer(1)]])
  }

  @Test func damageOfForeignKeysThatWasThereBeforeIsNoConcernOfTheMerge() throws {
    let found = try merge(
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p)",
      base: "INSERT INTO p VALUES (1)", mine: "INSERT INTO c VALUES (100, 99)", seed: "INSERT INTO p VALUES (1), (2)", .keepMine,
      asking: "SELECT id FROM p", "SELECT p FROM c")
    #expect(found.answers == ["1, 2", "99"])
  }
}
