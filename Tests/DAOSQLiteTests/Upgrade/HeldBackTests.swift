import DAOCriteria
import Foundation
import Testing

@testable import DAOSQLite

/// Changes of the seed's that are held back, tried again, or left to the policy.
@Suite struct HeldBackTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The price waits for a name that the user's row has given up only later.
  @Test func `what references a row that makes room follows the seed`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE prod (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE price (id INTEGER PRIMARY KEY, prod TEXT REFERENCES prod (name))
      """,
      base: """
        INSERT INTO prod VALUES (5, 'prod4');
        INSERT INTO price VALUES (3, NULL)
        """, mine: "UPDATE prod SET name = 'zeta' WHERE id = 5",
      seed: """
        INSERT INTO prod VALUES (5, 'prod4'), (72, 'zeta');
        INSERT INTO price VALUES (3, 'prod4')
        """, .takeSeed,
      asking: "SELECT id, name FROM prod ORDER BY id", "SELECT id, prod FROM price")
    #expect(found.answers == ["5 'prod4', 72 'zeta'", "3 'prod4'"])
    #expect(found.report.flatMap(\.heldBack).isEmpty && found.report.flatMap(\.referenced).isEmpty)
  }

  /// Row 5 is held back in favour of the row that was put together, which has the number already; that row is possible without it.
  @Test func `a column follows the seed beside a row that is held back`() throws {
    let found = try scratch.merge(
      "CREATE TABLE s (id INTEGER PRIMARY KEY, v TEXT, n INTEGER UNIQUE)", base: "INSERT INTO s VALUES (3, 'y', 3), (5, 'y', 5)",
      mine: "UPDATE s SET n = 0 WHERE id = 3", seed: "INSERT INTO s VALUES (3, 'z', 3), (5, 'y', 0)", .byColumn,
      asking: "SELECT id, v, n FROM s ORDER BY id")
    #expect(found.answers == ["3 'z' 0, 5 'y' 5"])
    #expect(found.report.map(\.changed) == [1])
    #expect(found.report.flatMap(\.conflicts).map(\.decision) == [.mine])
    #expect(found.report.flatMap(\.conflicts).map(\.conflict.key) == [["id": .integer(5)]])
  }

  @Test(arguments: [
    ("DROP TABLE w", true),
    (
      """
      DROP TABLE w;
      CREATE VIEW w AS SELECT 1 AS id
      """, true
    ), ("DROP TABLE w", false),
  ])
  func `a row that references a table which the store does not have is held back, and the others come`(mine: String, wasThere: Bool) throws
  {
    let w = "CREATE TABLE w (id INTEGER PRIMARY KEY)"
    // No row has the computed one.
    let z = """
      CREATE TABLE z (
        id INTEGER PRIMARY KEY, w INTEGER REFERENCES w, n INTEGER, never INTEGER AS (NULL) REFERENCES w)
      """
    let found = try scratch.merge(
      wasThere ? "\(w); \(z)" : w, new: "\(w); \(z)",
      base: "INSERT INTO w VALUES (1), (2);" + (wasThere ? "INSERT INTO z VALUES (1, 1, 0), (2, 1, 0), (5, 2, 0)" : ""), mine: mine,
      seed: """
        INSERT INTO w VALUES (1), (2);
        INSERT INTO z VALUES (1, 1, 7), (2, 2, 7), (3, 1, 7), (4, NULL, 7)
        """,
      asking: "SELECT id, w, n FROM z ORDER BY id")
    #expect(found.answers == [wasThere ? "1 1 7, 2 1 0, 4 NULL 7" : "4 NULL 7"])
    #expect(found.report.flatMap(\.heldBack) == (wasThere ? [2, 3] : [1, 2, 3]).map { ["id": .integer($0)] })
  }

  /// The two rows that are put together exclude each other, and either could be there alone.
  @Test(arguments: [("'a'", "'b'"), ("'10'", "'9'"), ("9", "10"), ("9", "'9'")], [false, true])
  func `of two rows that exclude each other the one with the lower key follows the seed, in whatever order they lie`(
    keys: (lower: String, higher: String), isReversed: Bool
  ) throws {
    let (first, second) = isReversed ? (keys.higher, keys.lower) : keys
    let found = try scratch.merge(
      "CREATE TABLE s (id PRIMARY KEY, v TEXT, n INTEGER, UNIQUE (v, n))",
      base: "INSERT INTO s VALUES (\(first), 'x', 1), (\(second), 'y', 2)",
      mine: "UPDATE s SET n = 0", seed: "INSERT INTO s VALUES (\(first), 'z', 1), (\(second), 'z', 2)", .byColumn,
      asking: "SELECT id FROM s WHERE v = 'z'")
    #expect(found.answers == [keys.lower])
    #expect(found.report.map(\.changed) == [1])
    #expect(found.report.flatMap(\.conflicts).map(\.decision) == [.mine])
  }

  /// The user's `a` and the seed's `b` together reference a row that the seed deletes, or gives other values.
  @Test(arguments: [("c", "p"), ("p", "c")], ["DELETE FROM % WHERE id = 4", "UPDATE % SET a = 9 WHERE id = 4"])
  func `between tables, a row that is put together stays and what it references is kept, whichever table comes first`(
    names: (child: String, parent: String), change: String
  ) throws {
    let (child, parent) = names
    let rows = """
      INSERT INTO \(parent) VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 2, 2);
      INSERT INTO \(child) VALUES (7, 1, 1)
      """
    let found = try scratch.merge(
      """
      CREATE TABLE \(parent) (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, UNIQUE (a, b));
      CREATE TABLE \(child) (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES \(parent) (a, b))
      """,
      base: rows, mine: "UPDATE \(child) SET a = 2",
      seed: """
        \(rows);
        UPDATE \(child) SET b = 2;
        \(change.replacingOccurrences(of: "%", with: parent))
        """, .byColumn,
      asking: "SELECT a, b FROM \(child)", "SELECT a, b FROM \(parent) WHERE id = 4")
    #expect(found.answers == ["2 2", "2 2"])
    #expect(found.report.first { $0.name == parent }?.referenced == [["id": .integer(4)]])
  }

  @Test(
    arguments: [
      (SeedConflict.Policy.keepMine, "", SeedConflict.Decision.mine), (.byColumn, "", .mine), (.takeSeed, "1 'new'", .seed),
      (.decide { _ in .mine }, "", .mine), (.decide { _ in .seed }, "1 'new'", .seed),
      (.decide { _ in .row(["v": .text("made")]) }, "1 'made'", .row(["v": .text("made")])),
    ])
  func `a row that the user deleted and the seed changed goes to the policy`(
    policy: SeedConflict.Policy, row: String, decision: SeedConflict.Decision
  ) throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)", base: "INSERT INTO t VALUES (1, 'old')", mine: "DELETE FROM t",
      seed: "INSERT INTO t VALUES (1, 'new')", policy, asking: "SELECT id, v FROM t")
    #expect(found.answers == [row])
    let base: [String: StoredValue] = ["id": .integer(1), "v": .text("old")]
    let conflict = SeedConflict(
      table: "t", cause: .edited, key: ["id": .integer(1)], base: base, mine: nil, theirs: base.merging(["v": .text("new")]) { $1 })
    #expect(found.report.map(\.conflicts) == [[SeedUpgradeReport.Conflict(conflict: conflict, decision: decision)]])
    #expect(found.report.map(\.deletionsKept) == [row.isEmpty ? 1 : 0])
  }

  /// Row 3 needs row 1 to make room, which needs row 2 to, which needs row 1 to. Row 3 is held back, since the row that it references is:
  /// the user's row 50 can't be deleted.
  @Test(arguments: [SeedConflict.Policy.takeSeed, .decide { _ in .seed }])
  func `rows that made room for each other alone are the user's again`(policy: SeedConflict.Policy) throws {
    let found = try scratch.merge(
      """
      CREATE TABLE q (id INTEGER PRIMARY KEY, n INTEGER UNIQUE);
      CREATE TABLE hold (q INTEGER REFERENCES q);
      CREATE TABLE t (id INTEGER PRIMARY KEY, u INTEGER UNIQUE, w INTEGER UNIQUE, q INTEGER REFERENCES q)
      """,
      base: "INSERT INTO t VALUES (1, 10, 100, NULL), (2, 20, 200, NULL)",
      mine: """
        UPDATE t SET u = NULL;
        UPDATE t SET u = 20, w = 300 WHERE id = 1;
        UPDATE t SET u = 10 WHERE id = 2;
        INSERT INTO q VALUES (50, 7); INSERT INTO hold VALUES (50)
        """,
      seed: """
        INSERT INTO q VALUES (60, 7);
        INSERT INTO t VALUES (1, 10, 100, NULL), (2, 20, 200, NULL), (3, 30, 300, 60)
        """, policy,
      asking: "SELECT id, u, w FROM t ORDER BY id", "SELECT id, n FROM q")
    #expect(found.answers == ["1 20 300, 2 10 200", "50 7"])
    #expect(found.report.flatMap(\.conflicts).map(\.decision) == [.mine])
    #expect(found.report.flatMap(\.heldBack) == [["id": .integer(3)]])
    #expect(found.report.map { $0.added + $0.changed + $0.deleted } == [0, 0])
  }

  /// Rows 1 and 2 exchange their numbers. Row 1 is held back in favour of the row that was decided on, which waits for the name of row 4,
  /// which a row of the user's stands against: what was decided is not done, and the two follow the seed.
  @Test func `rows that exchange values follow where a decision can not`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE, n INTEGER UNIQUE, w INTEGER UNIQUE)",
      base: "INSERT INTO t VALUES (1, 'a', 10, 1), (2, 'b', 20, 2), (3, 'c', 30, 3), (4, 'd', 40, 4)",
      mine: "UPDATE t SET v = 'mine' WHERE id = 3; INSERT INTO t VALUES (50, 'taken', 50, 50)",
      seed: "INSERT INTO t VALUES (1, 'a', 20, 0), (2, 'b', 10, 2), (3, 'c2', 30, 3), (4, 'taken', 40, 4)",
      .decide { _ in .row(["v": .text("d"), "n": .integer(30), "w": .integer(0)]) },
      asking: "SELECT id, v, n, w FROM t ORDER BY id")
    #expect(found.answers == ["1 'a' 20 0, 2 'b' 10 2, 3 'mine' 30 3, 4 'd' 40 4, 50 'taken' 50 50"])
    #expect(found.report.map(\.changed) == [2])
  }

  /// Rows 3 and 6 exchange their numbers. Row 3, put together from both sides, is held back in favour of row 7, which has its unit, and row
  /// 6 with it. Row 7 is held back for the unit that the user has given to row 3. Neither of the two is possible alone.
  @Test func `rows that exchange values follow where a new row can not`() throws {
    let found = try scratch.merge(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, unit INTEGER UNIQUE, n INTEGER UNIQUE)",
      base: "INSERT INTO t VALUES (3, NULL, 2), (6, NULL, 1)", mine: "UPDATE t SET unit = 4 WHERE id = 3",
      seed: "INSERT INTO t VALUES (3, NULL, 1), (6, NULL, 2), (7, 4, 7)", .byColumn, asking: "SELECT id, unit, n FROM t ORDER BY id")
    #expect(found.answers == ["3 4 1, 6 NULL 2"])
    #expect(found.report.map(\.changed) == [2])
    #expect(found.report.flatMap(\.conflicts).map(\.conflict.key) == [["id": .integer(7)]])
  }

  /// What SQLite alone refuses, of an index over a part of the rows or over an expression: one row after the other, each in favour of the
  /// one that was refused before.
  @Test(
    arguments: ["CREATE UNIQUE INDEX u ON t (n) WHERE n IS NOT NULL", "CREATE UNIQUE INDEX u ON t (lower(n))"],
    [SeedConflict.Policy.keepMine, .takeSeed, .byColumn])
  func `rows that are refused in a chain are held back, each of them`(index: String, policy: SeedConflict.Policy) throws {
    for count in 2...6 {
      // Each row takes the name of the one before; the user's has taken that of the first.
      let rows = (1...count).map { "(\($0), 'n\($0)')" }.joined(separator: ", ")
      let next = (1...count).map { $0 == 1 ? "(1, 'mine')" : "(\($0), 'n\($0 - 1)')" }.joined(separator: ", ")
      let found = try scratch.merge(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); \(index)", base: "INSERT INTO t VALUES \(rows)",
        mine: "INSERT INTO t VALUES (1000, 'mine')", seed: "INSERT INTO t VALUES \(next)", policy,
        asking: "SELECT id, n FROM t ORDER BY id")
      #expect(found.answers == [(1...count).map { "\($0) 'n\($0)'" }.joined(separator: ", ") + ", 1000 'mine'"])
      #expect(Set(found.report.flatMap(\.conflicts).map(\.conflict.key)) == Set((1...count).map { ["id": .integer(Int64($0))] }))
    }
  }

  /// The rows that referenced nothing before are found by taking the changes back.
  @Test func `a row that is refused beside one that referenced nothing before`() throws {
    let found = try scratch.merge(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
      CREATE UNIQUE INDEX u ON t (n) WHERE n IS NOT NULL;
      CREATE TABLE r (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id))
      """,
      base: "INSERT INTO t VALUES (1, 'x'), (2, 'z')",
      mine: "INSERT INTO t VALUES (1000, 'y'); INSERT INTO r VALUES (1, 777)",
      seed: "INSERT INTO t VALUES (1, 'y'), (2, 'w')", .keepMine, asking: "SELECT id, n FROM t ORDER BY id", "SELECT id, t FROM r")
    #expect(found.answers == ["1 'x', 2 'w', 1000 'y'", "1 777"])
    #expect(found.report.flatMap(\.conflicts).map(\.conflict.key) == [["id": .integer(1)]])
  }
}
