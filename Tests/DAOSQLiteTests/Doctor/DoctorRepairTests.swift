import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// What the doctor offers can be done, does what it says, and makes nothing else broken.
@Suite("The doctor's repairs")
struct DoctorRepairTests {
  private let scratch: Scratch
  private let store: URL

  init() throws {
    scratch = try Scratch()
    store = scratch.url("store.sqlite")
  }

  private static let id = Attribute("id", .integer)
  private static func town(_ attributes: Attribute..., indexes: [Index] = []) -> EntityDescription {
    EntityDescription("town", key: .generated("id"), attributes: [id] + attributes, indexes: indexes)
  }
  private static let land = EntityDescription(
    "land", key: .assigned(["id"]), attributes: [Attribute("id", .uuid(.text)), Attribute("name", .text)])
  private static let (upper, lower) = ("'ABCDEF00-0000-4000-8000-000000000001'", "'abcdef00-0000-4000-8000-000000000001'")

  /// A store, the entities that it is examined for, and how many repairs it has.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sql: String
    let entities: [EntityDescription]
    let repairs: Int
    /// Whether nothing is wrong with it.
    let isSound: Bool

    init(_ name: String, _ sql: String, _ entities: [EntityDescription] = [], repairs: Int, isSound: Bool = false) {
      (testDescription, self.sql, self.entities, self.repairs, self.isSound) = (name, sql, entities, repairs, isSound)
    }
  }

  private static let cases: [Case] = [
    Case(
      "a unique index over doubles, beside a value that can be repaired",
      """
      CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, open BOOLEAN NOT NULL);
      INSERT INTO town VALUES (1, 'a', 'true'), (2, 'a', 0)
      """,
      [town(Attribute("name", .text), Attribute("open", .bool), indexes: [Index(on: "name", unique: true)])], repairs: 1),
    Case(
      "an index over a column that is not there", "CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY)",
      [town(Attribute("code", .text), indexes: [Index(on: "code")])], repairs: 0),
    Case(
      "a search table over a column that is not there",
      """
      CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY);
      INSERT INTO town VALUES (1)
      """,
      [town(Attribute("about", .text, searchable: true))], repairs: 0),
    Case(
      "a foreign key over a column that folds case",
      """
      CREATE TABLE a (code TEXT COLLATE NOCASE PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE REFERENCES a)
      """,
      repairs: 1),
    Case(
      "a foreign key over columns of which one folds case",
      """
      CREATE TABLE a (code TEXT COLLATE NOCASE PRIMARY KEY);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT REFERENCES a)
      """,
      repairs: 0, isSound: true),
    Case(
      "an entity's index over a column that folds case as the entity does",
      "CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL)",
      [town(Attribute("name", .text(.nocase)), indexes: [Index(on: "name", unique: true)])], repairs: 1),
    Case(
      "a unique index over texts that are one to it",
      """
      CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL);
      INSERT INTO town VALUES (1, 'Ulm'), (2, 'ULM')
      """,
      [town(Attribute("name", .text(.nocase)), indexes: [Index(on: "name", unique: true)])], repairs: 0),
    Case(
      "an entity's index over a column that folds case",
      "CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, name TEXT COLLATE NOCASE NOT NULL)",
      [town(Attribute("name", .text), indexes: [Index(on: "name", unique: true)])], repairs: 0),
    Case(
      "two indexes that would have one name",
      """
      CREATE TABLE p (x INTEGER PRIMARY KEY);
      CREATE TABLE q (x INTEGER, y INTEGER, PRIMARY KEY (x, y));
      CREATE TABLE t (id INTEGER PRIMARY KEY, a_b INTEGER REFERENCES p, a INTEGER, b INTEGER, FOREIGN KEY (a, b) REFERENCES q)
      """, repairs: 2),
    Case(
      "keys that other rows point to",
      """
      CREATE TABLE land (id UUID_TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
      INSERT INTO land VALUES (\(upper), 'x');
      CREATE TABLE note (id INTEGER PRIMARY KEY, land TEXT REFERENCES land);
      CREATE INDEX note_land ON note (land);
      INSERT INTO note VALUES (1, \(upper))
      """, [land], repairs: 0),
    Case(
      "keys that would become one",
      """
      CREATE TABLE land (id UUID_TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
      INSERT INTO land VALUES (\(upper), 'x'), (\(lower), 'y')
      """,
      [land], repairs: 0),
    Case(
      "unique texts that would become one by their collation",
      """
      CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, name NOT NULL COLLATE RTRIM UNIQUE);
      INSERT INTO town VALUES (1, '1 '), (2, 1)
      """,
      [town(Attribute("name", .text(.rtrim)))], repairs: 0),
    Case(
      "keys that stay apart",
      """
      CREATE TABLE land (id UUID_TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
      INSERT INTO land VALUES (\(upper), 'x')
      """,
      [land], repairs: 1),
    Case(
      "unique dates that would become one",
      """
      CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, at DATETIME_TEXT NOT NULL);
      CREATE UNIQUE INDEX town_on_at ON town (at);
      INSERT INTO town VALUES (1, '2026-11-21T06:19:00Z'), (2, '2026-11-21T06:19:00.000Z')
      """, [town(Attribute("at", .date(.iso8601)), indexes: [Index(on: "at", unique: true)])], repairs: 0),
    Case(
      "a computed column",
      """
      CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, big BOOLEAN NOT NULL AS (CASE WHEN id > 3 THEN 'true' ELSE 'false' END));
      INSERT INTO town VALUES (1)
      """,
      [town(Attribute("big", .bool))], repairs: 0),
  ]

  private func check(_ doctor: StoreDoctor, repairs: Int, isSound: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try examined(store, doctor)
    #expect(report.findings.isEmpty == isSound, "\(report)", sourceLocation: sourceLocation)
    // A transaction around them is no repair.
    #expect(report.findings.flatMap { $0.repair.sql }.count == repairs, "\(report)", sourceLocation: sourceLocation)
    try repair(store, by: report)
    let again = try examined(store, doctor)
    #expect(again.repairSQL.isEmpty, "it is to be repaired once more: \(again)", sourceLocation: sourceLocation)
    func places(_ report: DoctorReport) -> Set<String> {
      Set(report.findings.map { "\($0.kind) \($0.entity ?? "") \($0.attribute ?? "")" })
    }
    #expect(places(again).isSubset(of: places(report)), "the repairs made \(again)", sourceLocation: sourceLocation)
  }

  @Test(arguments: cases)
  func `can be run, leave nothing that could be repaired, and break nothing`(_ test: Case) throws {
    try database(store, test.sql)
    try check(test.entities.isEmpty ? StoreDoctor() : StoreDoctor(describedBy: test.entities), repairs: test.repairs, isSound: test.isSound)
  }

  @Test func `a search table that is gone comes back, though its triggers are there`() throws {
    let town = Self.town(Attribute("name", .text, searchable: true))
    try database(
      store,
      try SchemaSQL.statements(for: [town]).joined(separator: ";\n") + "; INSERT INTO town VALUES (1, 'red house'); DROP TABLE town_search")
    try check(StoreDoctor(describedBy: [town]), repairs: 8)
    let queue = try DatabaseQueue(path: store.path)
    #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT rowid FROM town_search WHERE town_search MATCH 'house'") } == [1])
    try queue.close()
  }

  @Test(arguments: [false, true])
  func `an index whose name is a collation's is made anew, and a unique one over doubles is not`(_ isUnique: Bool) throws {
    let rows = isUnique ? "(1), (1)" : "(1), (2)"
    try database(
      store,
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER);
      CREATE \(isUnique ? "UNIQUE " : "")INDEX nocase ON a (n);
      CREATE TABLE kept AS SELECT * FROM sqlite_schema;
      PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'index'; PRAGMA writable_schema = RESET
      """)
    try database(
      store,
      """
      INSERT INTO a (n) VALUES \(rows);
      PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM kept WHERE type = 'index'; PRAGMA writable_schema = RESET
      """)
    try check(StoreDoctor(), repairs: isUnique ? 0 : 1)
    let finding = try examined(store).finding(.brokenIndex)
    #expect(isUnique ? finding?.entity == "a" && finding?.repair.sentence.contains("2 rows of a apart") == true : finding == nil)
  }

  @Test func `a value of a kind that a STRICT column can't have is no damage`() throws {
    try database(
      store,
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, n BLOB);
      INSERT INTO a VALUES (1, 'abc'), (2, 7);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER) STRICT' WHERE name = 'a'
      """)
    let report = try examined(store)
    #expect(report.finding(.damage) == nil && !report.findings.isEmpty, "\(report)")
  }

  @Test func `a search table is examined in a store's file through its engine too`() throws {
    let town = Self.town(Attribute("name", .text, searchable: true))
    let (engine, _) = try StoreDescription.file(store).open([town])
    #expect(try StoreDoctor(describedBy: [town]).examine(engine).findings.isEmpty)
  }
}
