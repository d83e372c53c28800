import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite
import TestCases
import Testing

@testable import DAOSQLite

/// What it costs to hold changes back: counted in rounds, statements and steps of SQLite's virtual machine.
@Suite struct HeldBackCostTests {
  /// A merge in which many changes are held back.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: String
    let base: String
    let mine: String
    let seed: String
    var policy = SeedConflict.Policy.keepMine
    /// How many changes are held back of `n`.
    var count: @Sendable (Int) -> Int = { $0 }
    var statementsAChange = 0
    /// Whether it is tried with 100,000 changes too.
    var isLarge = false
  }

  private static let numbers = "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < :n)"
  private static let tree = """
    CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE t (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES t, p INTEGER REFERENCES p);
    CREATE INDEX t_on_parent ON t (parent)
    """
  private static let ranks = "CREATE TABLE t (id INTEGER PRIMARY KEY, rank INTEGER UNIQUE, v TEXT)"

  static let shapes = [
    Shape(
      testDescription: "rows that reference what the user has deleted", schema: tree, base: "INSERT INTO p VALUES (1)",
      mine: "DELETE FROM p",
      seed: "INSERT INTO p VALUES (1); \(numbers) INSERT INTO t SELECT n, NULL, 1 FROM i"),
    Shape(
      testDescription: "rows with unique values of the user's", schema: ranks, base: "SELECT 1",
      mine: "\(numbers) INSERT INTO t SELECT n + (1 << 40), n, 'mine' FROM i", seed: "\(numbers) INSERT INTO t SELECT n, n, 'seed' FROM i"),
    Shape(
      testDescription: "a chain of rows that reference each other, whose first can't be put", schema: tree,
      base: "INSERT INTO p VALUES (1)",
      mine: "DELETE FROM p",
      seed: "INSERT INTO p VALUES (1); \(numbers) INSERT INTO t SELECT n, nullif(n - 1, 0), iif(n = 1, 1, NULL) FROM i", isLarge: true),
    Shape(
      testDescription: "a chain of rows that are deleted, whose last is referenced", schema: tree,
      base: "\(numbers) INSERT INTO t SELECT n, nullif(n - 1, 0), NULL FROM i", mine: "INSERT INTO t VALUES (1 << 40, :n, NULL)",
      seed: "SELECT 1"),
    Shape(
      testDescription: "unique values that all move by one, of which the user has the last", schema: ranks,
      base: "\(numbers) INSERT INTO t SELECT n, n, '' FROM i", mine: "INSERT INTO t VALUES (1 << 40, :n + 1, 'mine')",
      seed: "\(numbers) INSERT INTO t SELECT n, n + 1, '' FROM i", isLarge: true),
    Shape(
      testDescription: "the same, and the user's row gives way to none", schema: ranks + "; CREATE TABLE own (t INTEGER REFERENCES t)",
      base: "\(numbers) INSERT INTO t SELECT n, n, '' FROM i",
      mine: "INSERT INTO t VALUES (1 << 40, :n + 1, 'mine'); INSERT INTO own VALUES (1 << 40)",
      seed: "\(numbers) INSERT INTO t SELECT n, n + 1, '' FROM i", policy: .takeSeed),
    Shape(
      testDescription: "pairs that exchange unique values, each with a row of the user's in its way",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, rank INTEGER UNIQUE, code INTEGER UNIQUE)",
      base: "\(numbers) INSERT INTO t SELECT n, n, NULL FROM i", mine: "\(numbers) INSERT INTO t SELECT n + (1 << 40), NULL, n FROM i",
      seed: "\(numbers) INSERT INTO t SELECT n, n + iif(n % 2 = 1, 1, -1), n FROM i"),
    Shape(
      testDescription: "rows of both sides with equal values, column by column", schema: ranks,
      base: "\(numbers) INSERT INTO t SELECT n, n, '' FROM i UNION ALL SELECT n + :n, n + :n, '' FROM i",
      mine: "UPDATE t SET rank = -rank WHERE id <= :n",
      seed: "\(numbers) INSERT INTO t SELECT n, n, 'new' FROM i UNION ALL SELECT n + :n, -n, '' FROM i", policy: .byColumn,
      statementsAChange: 2),
    Shape(
      testDescription: "rows of the user's that move, and what references them without an index",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
        + "CREATE TABLE own (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t, UNIQUE (id, t));"
        + "CREATE TABLE far (id INTEGER, t INTEGER, FOREIGN KEY (id, t) REFERENCES own (id, t))",
      base: "SELECT 1",
      mine: """
        \(numbers) INSERT INTO t SELECT n, 'mine' FROM i;
        INSERT INTO own SELECT id + (1 << 40), id FROM t;
        """
          + "INSERT INTO far SELECT * FROM own",
      seed: "\(numbers) INSERT INTO t SELECT n, 'seed' FROM i", count: { _ in 0 }),
    Shape(
      testDescription: "the same, where SQLite's statistics are from a time when few rows referenced them",
      schema: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
        CREATE TABLE own (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t)
        """,
      base: "SELECT 1",
      mine:
        "INSERT INTO t VALUES (1, ''), (2, ''); "
        + "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 30) INSERT INTO own SELECT n, NULL FROM i;"
        + "ANALYZE; DELETE FROM own; DELETE FROM t; \(numbers) INSERT INTO t SELECT n, 'mine' FROM i;"
        + "INSERT INTO own SELECT id + (1 << 40), id FROM t",
      seed: "\(numbers) INSERT INTO t SELECT n, 'seed' FROM i", count: { _ in 0 }),
  ]

  private struct Cost {
    var rounds = 0
    var statements = 0
    var steps = 0
    var held = 0
  }

  private func cost(_ shape: Shape, _ count: Int) throws -> Cost {
    let scratch = try Scratch()
    for (name, rows) in [("base", shape.base), ("mine", shape.base + ";" + shape.mine), ("seed", shape.seed)] {
      let queue = try DatabaseQueue(path: scratch.url(name).path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA foreign_keys = OFF; BEGIN")
        try db.execute(sql: (shape.schema + ";" + rows).replacingOccurrences(of: ":n", with: "\(count)"))
        try db.execute(sql: "COMMIT")
      }
      try queue.close()
    }
    return try SQLiteFile.open(scratch.url("mine").path) { db in
      for (side, name) in [(MergeSide.base, "base"), (.seed, "seed")] {
        try db.execute(
          sql: "ATTACH DATABASE ? AS \(side.rawValue)", arguments: [SQLiteConfiguration.uri(scratch.url(name), "mode=ro&immutable=1")])
      }
      try db.execute(sql: "BEGIN IMMEDIATE")
      defer { try? db.execute(sql: "ROLLBACK") }
      let counter = Counter()
      sqlite3_progress_handler(
        db.sqliteConnection, 100,
        { pointer in
          pointer.map { Unmanaged<Counter>.fromOpaque($0).takeUnretainedValue().steps += 100 }
          return 0
        }, Unmanaged.passUnretained(counter).toOpaque())
      defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
      db.trace { _ in counter.statements += 1 }
      var merge = try SeedMerge(in: db, store: "mine", shape.policy)
      let report = try merge.run()
      db.trace(options: [])
      let held = try merge.activeTables.map { table in
        try db.bareRows("SELECT count(*) FROM \(table.changes) AS d WHERE \(merge.isHeldBack("d"))") { Int($0.integer(0)) }.first ?? 0
      }
      withExtendedLifetime(report) {}
      return Cost(rounds: merge.rounds, statements: counter.statements, steps: counter.steps, held: held.reduce(0, +))
    }
  }

  private final class Counter {
    var steps = 0
    var statements = 0
  }

  @Test(arguments: shapes) func `it grows with the changes and not with their square`(_ shape: Shape) throws {
    let few = TestCases.count(500, inSuite: 150)
    let many = 4 * few
    let (less, more) = (try cost(shape, few), try cost(shape, many))
    #expect(less.held == shape.count(few) && more.held == shape.count(many))
    #expect(less.rounds == more.rounds && more.rounds <= 3, "\(less) \(more)")
    // Two statements for each row that is put together from both sides, and no others by their number.
    #expect(more.statements - less.statements <= shape.statementsAChange * (many - few), "\(less) \(more)")
    // Four times as many, and what trees have of the depth.
    #expect(more.steps <= less.steps * 5, "\(less) \(more)")
  }

  /// In `Scripts/properties` 100,000.
  @Test(arguments: shapes.filter(\.isLarge))
  func `very many changes that are held back end in as many rounds as a few`(_ shape: Shape) throws {
    let count = TestCases.count(100_000, inSuite: 10_000)
    let (less, more) = (try cost(shape, count / 200), try cost(shape, count))
    #expect(more.held == count && more.rounds == less.rounds && more.statements == less.statements, "\(less) \(more)")
    #expect(more.steps <= less.steps * 250, "\(less) \(more)")
  }
}
