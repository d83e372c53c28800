import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// A newer seed and entities that have changed, in one release.
@Suite struct UpgradeMigrationTests {
  let scratch: Scratch
  let store: URL

  static let oldSchema = "CREATE TABLE peak (id INTEGER PRIMARY KEY, label TEXT NOT NULL, feet INTEGER)"
  static let newSchema = "CREATE TABLE peak (id INTEGER PRIMARY KEY, name TEXT NOT NULL, metres REAL, region TEXT NOT NULL)"

  static let peak = EntityDescription(
    "peak", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, renamedFrom: ["label"]),
      Attribute("metres", .real, optional: true, renamedFrom: ["feet"]), Attribute("region", .text),
    ])
  static let trip = EntityDescription("trip", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("to", .text)])

  /// A foot is a quarter of a metre here, which a double holds exactly.
  static let migration = Migration(
    .convert("peak", "metres") { if case .integer(let feet) = $0 { .real(Double(feet) / 4) } else { .null } },
    .fill("peak", "region", with: .text("unknown")), .create("trip"),
    steps: [.after(2, "names in capitals") { _ = try $0.execute("UPDATE peak SET name = upper(name)") }])

  init() throws {
    scratch = try Scratch()
    store = scratch.url("a/store.sqlite")
    _ = try old(1, "").bootstrap(store, policy: .upgrade(conflicts: .keepMine))
  }

  private func seed(_ version: Int32, _ sql: String) throws -> URL {
    let url = scratch.url("seed \(version).sqlite")
    try? FileManager.default.removeItem(at: url)
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in try db.execute(sql: "\(sql); PRAGMA user_version = \(version)") }
    try queue.close()
    return url
  }

  /// The first release.
  private func old(_ version: Int32, _ sql: String) throws -> StoreBootstrapper {
    let rows = "INSERT INTO peak VALUES (1, 'one', 4), (2, 'two', 8), (3, 'three', 12), (4, 'four', NULL), (5, 'five', 20)"
    return bootstrapper(try seed(version, "\(Self.oldSchema); \(rows); \(sql)"), entities: [], applicationID: nil)
  }

  private func new(_ seed: URL, _ migration: Migration? = migration) -> StoreBootstrapper {
    bootstrapper(seed, entities: [Self.peak, Self.trip], applicationID: nil, version: 2, migration: migration)
  }

  /// The second release's seed, of the new schema: 1 has another height, 2 goes, 6 comes.
  private func newSeed() throws -> URL {
    try seed(
      2,
      """
      \(Self.newSchema);
      CREATE TABLE trip (id INTEGER PRIMARY KEY, "to" TEXT NOT NULL);
      INSERT INTO trip VALUES (1, 'the first');
      INSERT INTO peak VALUES (1, 'ONE', 1.5, 'unknown'), (3, 'THREE', 3, 'unknown'), (4, 'FOUR', 9, 'unknown'), (5, 'FIVE', 5, 'unknown'),
        (6, 'SIX', 6, 'north')
      """)
  }

  private func edit(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func rows(_ sql: String = "SELECT * FROM peak ORDER BY id") throws -> [String] {
    let queue = try DatabaseQueue(path: store.path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { $0.databaseValues.map { $0.stored.description }.joined(separator: " ") }
    }
  }

  private var files: [String] { snapshot(scratch.path + "/a").keys.sorted() }

  private static let edits = """
    UPDATE peak SET label = 'my three' WHERE id = 3;
    DELETE FROM peak WHERE id = 5;
    INSERT INTO peak VALUES (1099511627776, 'mine', 40);
    """

  @Test func `store and base are migrated first: what the user left alone follows the seed, and nothing looks like an edit`() throws {
    try edit(Self.edits)
    let two = try newSeed()
    let before = snapshot(scratch.path)
    let preview = try #require(try new(two).previewUpgrade(of: store, conflicts: .keepMine))
    #expect(snapshot(scratch.path) == before)

    let report = try new(two).bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    guard case .upgraded(let upgrade) = report.outcome else { return #expect(Bool(false), "\(report)") }
    #expect(
      try rows() == [
        "1 'ONE' 1.5 'unknown'", "3 'MY THREE' 3.0 'unknown'", "4 'FOUR' 9.0 'unknown'", "6 'SIX' 6.0 'north'",
        "1099511627776 'MINE' 10.0 'unknown'",
      ])
    #expect(try rows("SELECT * FROM trip") == ["1 'the first'"])
    #expect(upgrade.tables == preview.tables)
    #expect(upgrade.tables.flatMap(\.conflicts).isEmpty)
    #expect(upgrade.tables.map(\.name) == ["peak", "trip"])
    #expect(upgrade.tables.map { [$0.added, $0.changed, $0.deleted] } == [[1, 2, 1], [1, 0, 0]])

    let migration = try #require(report.migration)
    #expect(migration.steps.contains { $0.description.contains("names in capitals") })
    #expect(migration.newVersion == 2)
    #expect(migration.backup?.lastPathComponent == "store.sqlite.before-migration")
    let base = try StorePaths(store: store.path).bases().first?.lastPathComponent ?? ""
    #expect(base.hasPrefix("store.sqlite.base-\(try Seed(two.path).fingerprint)-"))
    #expect(files == ["store.sqlite", base, "store.sqlite.before-migration"])

    // The next one begins where this one ended.
    guard case .reused = try new(two).bootstrap(store, policy: .upgrade(conflicts: .keepMine)).outcome else { return #expect(Bool(false)) }
  }

  @Test func `a newer seed of the old form is migrated too, and a store that was migrated before it is merged all the same`() throws {
    try edit(Self.edits)
    // The app's second release came with the old seed.
    let first = scratch.url("seed 1.sqlite")
    let report = try new(first).bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    guard case .reused = report.outcome else { return #expect(Bool(false), "\(report)") }
    #expect(report.migration != nil)

    _ = try old(
      3,
      """
      UPDATE peak SET feet = 28 WHERE id = 1;
      UPDATE peak SET label = 'three!' WHERE id = 3
      """)
    let third = bootstrapper(
      scratch.url("seed 3.sqlite"), entities: [Self.peak, Self.trip], applicationID: nil, version: 3, migration: Self.migration)
    let upgraded = try third.bootstrap(store, policy: .upgrade(conflicts: .keepMine))
    guard case .upgraded(let upgrade) = upgraded.outcome else { return #expect(Bool(false), "\(upgraded)") }
    // The seed's version is past the step: its rows are as the seed has them.
    #expect(
      try rows() == [
        "1 'one' 7.0 'unknown'", "2 'two' 2.0 'unknown'", "3 'MY THREE' 3.0 'unknown'", "4 'four' NULL 'unknown'",
        "1099511627776 'MINE' 10.0 'unknown'",
      ])
    // The user deleted the fifth row, which is another in this seed.
    #expect(upgrade.tables.flatMap(\.conflicts).map(\.conflict.key) == [["id": .integer(3)], ["id": .integer(5)]])
    #expect(upgrade.tables.map(\.deletionsKept) == [1])
  }

  @Test(arguments: [true, false])
  func `a row that a step inserts with a generated key is taken for no row of the user's, nor goes with the seed's`(_ hasOwnRows: Bool)
    throws
  {
    if hasOwnRows { try edit("INSERT INTO peak VALUES (1099511627776, 'mine', 40)") }
    let two = try newSeed()
    let welcoming = Migration(
      Self.migration.hints,
      steps: Self.migration.steps + [
        .after(2, "a first trip") { store in
          _ = try store.insert([DynamicEntity(Self.trip, ["to": .text("welcome")])], in: EntityTarget(Self.trip))
          let peak = try DynamicEntity(Self.peak, ["name": .text("welcome"), "region": .text("here")])
          _ = try store.insert([peak], in: EntityTarget(Self.peak))
        }
      ])
    let report = try new(two, welcoming).bootstrap(store, policy: .upgrade(conflicts: .takeSeed))
    guard case .upgraded(let upgrade) = report.outcome else { return #expect(Bool(false), "\(report)") }
    #expect(upgrade.tables.flatMap(\.conflicts).isEmpty)
    #expect(try rows("SELECT \"to\" FROM trip ORDER BY id") == ["'the first'", "'welcome'"])
    #expect(
      try rows("SELECT name FROM peak WHERE id >= 1099511627776 ORDER BY id") == (hasOwnRows ? ["'MINE'", "'welcome'"] : ["'welcome'"]))
  }

  @Test func `whatever fails, the store keeps its schema, its rows and its base, and an earlier backup stays`() throws {
    struct Stop: Error {}
    try edit(Self.edits)
    try Items.make(scratch.url("a/store.sqlite.before-migration"), "earlier")
    let two = try newSeed()
    let before = snapshot(scratch.path)
    // Of the migration.
    #expect(throws: DAOError.self) { try new(two, .automatic).bootstrap(store, policy: .upgrade(conflicts: .keepMine)) }
    #expect(snapshot(scratch.path) == before)
    #expect(throws: DAOError.self) { try new(two, nil).bootstrap(store, policy: .upgrade(conflicts: .keepMine)) }
    #expect(snapshot(scratch.path) == before)
    // Of the merge, after the migration.
    try edit("UPDATE peak SET feet = 400 WHERE id = 1")
    let edited = snapshot(scratch.path)
    #expect(throws: Stop.self) { try new(two).bootstrap(store, policy: .upgrade(conflicts: .decide { _ in throw Stop() })) }
    #expect(snapshot(scratch.path) == edited)
  }

  @Test func `a store without a base is migrated when it is adopted`() throws {
    try edit(Self.edits)
    for name in files where name.contains(".base-") { try FileManager.default.removeItem(at: scratch.url("a/" + name)) }
    let two = try newSeed()
    let report = try new(two).bootstrap(store, policy: .upgrade(conflicts: .keepMine, adopting: true))
    #expect(report.outcome == .adopted(moved: [:]))
    #expect(report.migration?.backup != nil)
    #expect(try rows().last == "1099511627776 'MINE' 10.0 'unknown'")
    #expect(try rows("SELECT count(*) FROM peak") == ["5"])
  }

  @Test func `a store whose migration is refused is erased where that is asked for, and kept whole`() throws {
    try edit(Self.edits)
    let before = try Data(contentsOf: store)
    let two = try newSeed()
    for migration in [Migration.automatic, nil] {
      let eraser = StoreBootstrapper(
        seed: .file(two), entities: [Self.peak, Self.trip], version: 2, migration: migration, mismatch: .eraseInRelease)
      try? FileManager.default.removeItem(at: store)
      try before.write(to: store)
      let report = try eraser.bootstrap(store)
      guard case .erased(let differences) = report.outcome else { return #expect(Bool(false), "\(report)") }
      #expect(differences.map(\.entity).contains("peak"))
      #expect(try rows().first == "1 'ONE' 1.5 'unknown'")
      let kept = try #require(report.erased.last)
      #expect(try DatabaseQueue(path: kept.path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM peak WHERE label = 'mine'") } == 1)
    }
  }

  @Test(arguments: [true, false])
  func `a store that is erased in an upgrade has a base for the next seed, and one without a base is erased too`(_ hasBase: Bool) throws {
    try edit(Self.edits)
    if !hasBase { for name in files where name.contains(".base-") { try FileManager.default.removeItem(at: scratch.url("a/" + name)) } }
    func start(_ seed: URL, _ version: Int32) throws -> BootstrapReport.Outcome {
      try StoreBootstrapper(seed: .file(seed), entities: [Self.peak, Self.trip], version: version, mismatch: .eraseInRelease)
        .bootstrap(store, policy: .upgrade(conflicts: .keepMine)).outcome
    }
    guard case .erased = try start(newSeed(), 2) else { return #expect(Bool(false)) }
    try edit("UPDATE peak SET name = 'mine' WHERE id = 6")
    let third = try seed(
      3,
      "\(Self.newSchema); CREATE TABLE trip (id INTEGER PRIMARY KEY, \"to\" TEXT NOT NULL); INSERT INTO peak VALUES (6, 'SIX', 7, 'north')")
    guard case .upgraded = try start(third, 3) else { return #expect(Bool(false)) }
    #expect(try rows() == ["6 'mine' 6.0 'north'"])
  }
}
