import DAOCriteria
import DAOSQL
import Testing

@testable import DAOSQLite

/// Tables whose entity numbers the changes of a row.
struct VersionMergeTests {
  private static let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, version INTEGER NOT NULL DEFAULT 0)"

  private func rows(mine: String, seed: String, _ policy: SeedConflict.Policy = .keepMine) throws -> String {
    try Scratch().merge(
      Self.schema, base: "INSERT INTO item VALUES (1, 10, 10, 0)", mine: mine, seed: "INSERT INTO item VALUES \(seed)", policy,
      versions: [SchemaName("item"): SchemaName("version")], asking: "SELECT * FROM item ORDER BY id"
    ).answers[0]
  }

  @Test(arguments: [
    // A row that only the seed has changed.
    ("SELECT 1", "(1, 11, 10, 0)", "1 11 10 1"), ("SELECT 1", "(1, 11, 10, 7)", "1 11 10 8"),
    // One that the user has changed and changed back.
    ("UPDATE item SET version = 2", "(1, 11, 10, 0)", "1 11 10 3"),
    // A seed that differs in its versions alone changes nothing.
    ("SELECT 1", "(1, 10, 10, 9)", "1 10 10 0"),
    // A new row has the seed's version.
    ("SELECT 1", "(1, 10, 10, 0), (2, 5, 5, 4)", "1 10 10 0, 2 5 5 4"),
    // A row that the seed no longer has goes, though its version was raised.
    ("UPDATE item SET version = 2", "(3, 1, 1, 0)", "3 1 1 0"),
    // Both have made the same change.
    ("UPDATE item SET a = 11, version = 1", "(1, 11, 10, 0)", "1 11 10 1"),
    // After the largest comes 1.
    ("UPDATE item SET version = 9223372036854775807", "(1, 11, 10, 0)", "1 11 10 1"),
  ])
  func `a merge compares rows without their versions, and raises that of each row that it changes`(
    mine: String, seed: String, expected: String
  ) throws {
    #expect(try rows(mine: mine, seed: seed) == expected)
  }

  @Test func `a row in conflict keeps its version where it stays, and has a higher one where it changes`() throws {
    let (mine, seed) = ("UPDATE item SET a = 12, version = 3", "(1, 11, 20, 1)")
    #expect(try rows(mine: mine, seed: seed) == "1 12 10 3")
    #expect(try rows(mine: mine, seed: seed, .takeSeed) == "1 11 20 4")
    #expect(try rows(mine: mine, seed: seed, .byColumn) == "1 12 20 4")
    #expect(try rows(mine: "UPDATE item SET a = 12, version = 3", seed: "(1, 10, 20, 1)", .byColumn) == "1 12 20 4")
    #expect(try rows(mine: mine, seed: seed, .decide { _ in .row(["a": .integer(13), "version": .integer(9)]) }) == "1 13 10 4")
  }

  @Test func `a row whose reference follows a key that moved has a higher version`() throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER);
      CREATE TABLE note (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item, version INTEGER NOT NULL DEFAULT 0);
      """
    // The user's item 2 gives its key to the seed's.
    let merged = try Scratch().merge(
      schema, base: "INSERT INTO item VALUES (1, 1)",
      mine: "INSERT INTO item VALUES (2, 7); INSERT INTO note VALUES (1, 2, 5), (2, 1, 5)",
      seed: "INSERT INTO item VALUES (1, 1), (2, 2)", versions: [SchemaName("note"): SchemaName("version")],
      asking: "SELECT a FROM item WHERE id = (SELECT item FROM note WHERE id = 1)", "SELECT version FROM note ORDER BY id")
    #expect(merged.answers == ["7", "6, 5"])
  }

  @Test func `a row that gives up a unique value has a higher version`() throws {
    let schema = "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER UNIQUE, version INTEGER NOT NULL DEFAULT 0)"
    let merged = try Scratch().merge(
      schema, base: "INSERT INTO item VALUES (1, 10, 0), (2, 20, 0)", mine: "UPDATE item SET a = 30, version = 4 WHERE id = 2",
      seed: "INSERT INTO item VALUES (1, 30, 0), (2, 20, 0)", .takeSeed, versions: [SchemaName("item"): SchemaName("version")],
      asking: "SELECT * FROM item ORDER BY id")
    #expect(merged.answers == ["1 30 1, 2 20 5"])
  }

  @Test func `rows that differ in their versions alone are not reported, nor in conflict`() throws {
    func report(_ mine: String, _ seed: String, _ policy: SeedConflict.Policy) throws -> [SeedUpgradeReport.Table] {
      try Scratch().merge(
        Self.schema, base: "INSERT INTO item VALUES (1, 10, 10, 0)", mine: mine, seed: "INSERT INTO item VALUES \(seed)", policy,
        versions: [SchemaName("item"): SchemaName("version")], asking: "SELECT 1"
      ).report
    }
    #expect(try report("UPDATE item SET version = 3", "(1, 10, 10, 1)", .takeSeed).isEmpty)
    // Each side has changed a column of its own, and the version.
    let merged = try report("UPDATE item SET a = 12, version = 3", "(1, 10, 20, 1)", .byColumn)
    #expect(merged.map(\.changed) == [1] && merged.allSatisfy(\.conflicts.isEmpty))
    let contested = try report("UPDATE item SET a = 12, version = 3", "(1, 11, 20, 1)", .byColumn)
    #expect(contested.flatMap(\.conflicts).count == 1)
  }

  @Test(arguments: [
    // A seed that differs in its versions alone changes nothing, whatever the user's are.
    ("SELECT 1", "(1, 10, 3)", "1 10 0"), ("UPDATE item SET version = 2", "(1, 10, 3)", "1 10 2"),
    // A row that the seed replaces or deletes goes, though its version was raised.
    ("UPDATE item SET version = 2", "(1, 11, 0)", "1 11 0"), ("UPDATE item SET version = 2", "(2, 5, 0)", "2 5 0"),
    // Rows are counted without their versions.
    ("SELECT 1", "(1, 10, 0), (2, 5, 3), (2, 5, 4)", "1 10 0, 2 5 4, 2 5 4"),
    ("INSERT INTO item VALUES (1, 10, 8)", "(2, 5, 0)", "1 10 8, 2 5 0"),
  ])
  func `rows of a table without a key are the same whatever their versions are`(mine: String, seed: String, expected: String) throws {
    let merged = try Scratch().merge(
      "CREATE TABLE item (id INTEGER NOT NULL, a INTEGER, version INTEGER NOT NULL DEFAULT 0)", base: "INSERT INTO item VALUES (1, 10, 0)",
      mine: mine, seed: "INSERT INTO item VALUES \(seed)", versions: [SchemaName("item"): SchemaName("version")],
      asking: "SELECT * FROM item ORDER BY id, version")
    #expect(merged.answers == [expected])
  }

  @Test(arguments: [("0", "4"), ("3", "4"), ("7", "8"), ("NULL", "4"), ("9223372036854775807", "4")])
  func `a row that the user deleted and the merge puts back is above the version that it was read with`(seed: String, expected: String)
    throws
  {
    for policy in [SeedConflict.Policy.takeSeed, .decide { _ in .row(["a": .integer(11)]) }] {
      let merged = try Scratch().merge(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, version INTEGER)", base: "INSERT INTO item VALUES (1, 10, 3)",
        mine: "DELETE FROM item", seed: "INSERT INTO item VALUES (1, 11, \(seed))", policy,
        versions: [SchemaName("item"): SchemaName("version")], asking: "SELECT * FROM item")
      #expect(merged.answers == ["1 11 \(expected)"])
    }
  }

  @Test(arguments: [
    ("NULL", "4", "5"), ("4", "NULL", "5"), ("NULL", "NULL", "1"), ("'abc'", "2", "3"), ("2", "'abc'", "3"), ("1.5", "0", "2"),
    ("x'00'", "'x'", "1"), ("1", "9223372036854775807", "2"), ("9223372036854775807", "1", "2"),
  ])
  func `a version that is no integer, or the largest, is above the row's after a merge too`(mine: String, seed: String, expected: String)
    throws
  {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, a INTEGER, version INTEGER);
      CREATE TABLE note (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item, version INTEGER);
      """
    let merged = try Scratch().merge(
      schema, base: "INSERT INTO item VALUES (1, 10, \(mine))",
      mine: "INSERT INTO item VALUES (2, 7, 0); INSERT INTO note VALUES (1, 2, NULL)",
      seed: "INSERT INTO item VALUES (1, 11, \(seed)), (2, 2, 0)",
      versions: [SchemaName("item"): SchemaName("version"), SchemaName("note"): SchemaName("version")],
      asking: "SELECT version FROM item WHERE id = 1", "SELECT version FROM note")
    #expect(merged.answers == [expected, "1"])
  }

  @Test func `an adopted store raises the version of a row whose reference follows a key that moved`() throws {
    let scratch = try Scratch()
    let schema = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE favourite (
        id INTEGER PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zone (id), version INTEGER NOT NULL DEFAULT 0);
      """
    let favourite = EntityDescription(
      "favourite", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("zone", .integer, references: ForeignKey(table: "zone", column: "id")),
        Attribute("version", .integer, default: 0, version: true),
      ])
    for (name, rows) in [("one", "(1, 'a')"), ("two", "(1, 'a'), (2, 'b')")] {
      try Items.run(
        scratch.url(name),
        "\(schema) INSERT INTO zone VALUES \(rows); INSERT INTO favourite VALUES (1, 1, 0); PRAGMA user_version = \(name == "one" ? 1 : 2)")
    }
    func open(_ seed: String, _ policy: SeedPolicy) throws -> BootstrapReport {
      let (engine, report) = try StoreDescription.file(scratch.url("store"), seed: .file(scratch.url(seed)), policy: policy).open([
        favourite
      ])
      try engine.close(within: .seconds(3600))
      return report
    }
    _ = try open("one", .copyIfMissing)
    try Items.run(scratch.url("store"), "INSERT INTO zone VALUES (2, 'mine'); INSERT INTO favourite VALUES (2, 2, 5), (3, 1, 5)")
    let report = try open("two", .upgrade(conflicts: .takeSeed, adopting: true))
    guard case .adopted(let moved) = report.outcome, let key = moved["zone"]?[2] else { return #expect(Bool(false), "\(report)") }
    #expect(
      try Items.texts(scratch.url("store"), "SELECT id || ' ' || zone || ' ' || version FROM favourite ORDER BY id")
        == ["1 1 0", "2 \(key) 6", "3 1 5"])
  }

  @Test func `without an entity that says so it is a column like others`() throws {
    let merged = try Scratch().merge(
      Self.schema, base: "INSERT INTO item VALUES (1, 10, 10, 0)", mine: "UPDATE item SET version = 2",
      seed: "INSERT INTO item VALUES (1, 11, 10, 0)", asking: "SELECT * FROM item")
    #expect(merged.answers == ["1 10 10 2"])
  }
}
