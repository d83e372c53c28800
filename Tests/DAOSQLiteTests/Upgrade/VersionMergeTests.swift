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
    #expect(try rows(mine: mine, seed: seed, .decide { _ in .row(["a": .integer(13), "version": .integer(1)]) }) == "1 13 10 4")
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

  @Test func `without an entity that says so it is a column like others`() throws {
    let merged = try Scratch().merge(
      Self.schema, base: "INSERT INTO item VALUES (1, 10, 10, 0)", mine: "UPDATE item SET version = 2",
      seed: "INSERT INTO item VALUES (1, 11, 10, 0)", asking: "SELECT * FROM item")
    #expect(merged.answers == ["1 10 10 2"])
  }
}
