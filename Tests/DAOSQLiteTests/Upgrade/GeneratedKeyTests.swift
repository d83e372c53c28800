import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// The keys of the user's rows in a store into which newer seeds are merged, and in others.
@Suite struct GeneratedKeyTests {
  static let first: Int64 = 1 << 40
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private let entity = EntityDescription(
    "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)],
    indexes: [Index(on: ["name"], unique: true)])

  private func open(
    _ declared: String = "INTEGER NOT NULL PRIMARY KEY", isSeed: Bool = true, policy: SeedPolicy = .upgrade(conflicts: .keepMine),
    trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws -> EngineStore {
    let seed = scratch.url("seed")
    try? FileManager.default.removeItem(at: seed)
    try Items.make(
      seed, "one", count: 3,
      schema: """
        CREATE TABLE item (id \(declared), name TEXT);
        CREATE UNIQUE INDEX item_on_name ON item (name)
        """)
    let store = scratch.url("store \(UUID().uuidString)")
    if !isSeed { try FileManager.default.copyItem(at: seed, to: store) }
    let file = StoreDescription.file(store, seed: isSeed ? .file(seed) : .empty, policy: policy)
    return EngineStore(try file.open([entity], statements: trace.map { StatementObserver($0) }).engine)
  }

  private func items(_ names: String?..., keys: [Int64?] = []) throws -> [DynamicEntity] {
    try names.enumerated().map { index, name in
      var values: [String: Scalar] = ["name": name.map { .text($0) } ?? .null]
      if index < keys.count, let key = keys[index] { values["id"] = .integer(key) }
      return try DynamicEntity(entity, values)
    }
  }

  private func keys(_ store: EngineStore) throws -> [Int64] {
    try store.query("SELECT id FROM item ORDER BY id") { row, _ in try row.next() }
  }

  private func insert(_ items: [DynamicEntity], _ store: EngineStore) throws -> [Int64?] {
    try store.insert(items, in: EntityTarget(entity)).map { item in
      if case .integer(let key)? = item.primaryKey?.first { key } else { nil }
    }
  }

  @Test(arguments: ["INTEGER NOT NULL PRIMARY KEY", "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"])
  func `they begin where no seed's key is`(declared: String) throws {
    let store = try open(declared)
    let first = Self.first
    #expect(try insert(items("a"), store) == [first])
    #expect(try insert(items("b", "c"), store) == [first + 1, first + 2])
    // Ones that are given stay, and those after them follow the highest.
    #expect(try insert(items("d", "e", "f", keys: [10, nil, 11]), store) == [10, first + 3, 11])
    #expect(try keys(store) == [1, 2, 3, 10, 11] + (0..<4).map { first + $0 })
  }

  @Test func `a batch that is first begins there too`() throws {
    let store = try open()
    #expect(try insert(items("a", "b", "c", keys: [50, nil, nil]), store) == [50, Self.first, Self.first + 1])
  }

  /// SQLite gives the key of a deleted row again, unless it is told to remember it.
  @Test(arguments: [("", 0), (" AUTOINCREMENT", 1)] as [(String, Int64)])
  func `a key is given again only where SQLite gives it again`(rule: String, step: Int64) throws {
    let store = try open("INTEGER NOT NULL PRIMARY KEY" + rule)
    #expect(try insert(items("a"), store) == [Self.first])
    _ = try store.delete(DynamicEntity.self, keys: [[.integer(Self.first)]], in: EntityTarget(entity))
    #expect(try insert(items("b"), store) == [Self.first + step])
  }

  @Test(arguments: [UpsertRule(), UpsertRule(target: ["name"]), UpsertRule(target: ["name"], updating: [])])
  func `upserts begin there too`(rule: UpsertRule) throws {
    let store = try open()
    // What meets a row takes its key, where the name is what counts.
    let meets = rule.target == nil ? "new" : "one 1"
    let upserted = try store.upsert(items(meets, "x", "y"), rule, in: EntityTarget(entity))
    let keys = upserted.map { $0.entity.primaryKey }
    let first = Self.first
    #expect(keys == (rule.target == nil ? [first, first + 1, first + 2] : [2, first, first + 1]).map { [.integer($0)] })
    #expect(try store.upsert(items("z"), rule, in: EntityTarget(entity)).first?.outcome == .inserted)
  }

  @Test func `other stores have the keys that SQLite generates`() throws {
    #expect(try insert(items("a", "b"), try open(isSeed: false)) == [4, 5])
  }

  /// No row of a later seed meets them: none is ever merged.
  @Test func `in a store that is never upgraded they continue after the seed's`() throws {
    for policy in [SeedPolicy.copyIfMissing, .replace] {
      for declared in ["INTEGER NOT NULL PRIMARY KEY", "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"] {
        let store = try open(declared, policy: policy)
        #expect(try insert(items("a"), store) == [4])
        #expect(try insert(items("b", "c", "d", keys: [10, nil, nil]), store) == [10, 11, 12])
        #expect(try store.upsert(items("e"), UpsertRule(), in: EntityTarget(entity)).map(\.entity.primaryKey) == [[.integer(13)]])
      }
    }
  }

  /// Else a later seed that changes the row would take the user's for it.
  @Test func `a key of the seed's is not given again where its row is deleted`() throws {
    let store = try open(policy: .copyIfMissing)
    _ = try store.execute("DELETE FROM item WHERE id > 1")
    #expect(try insert(items("a"), store) == [4])
    #expect(try store.upsert(items("b"), UpsertRule(), in: EntityTarget(entity)).map(\.entity.primaryKey) == [[.integer(5)]])
    _ = try store.execute("DELETE FROM item")
    #expect(try insert(items("c", "d"), store) == [4, 5])
  }

  @Test func `in a session too`() throws {
    let store = try open()
    try store.write { session in
      _ = try session.insert(try items("a", "b"), in: EntityTarget(entity))
      _ = try session.insert(try items("c"), in: EntityTarget(entity))
    }
    #expect(try keys(store).suffix(3) == [Self.first, Self.first + 1, Self.first + 2])
  }

  /// One question a call, whatever the number of rows; none without a seed, and none where every row has its key.
  @Test func `what it costs`() throws {
    for (isSeed, questions) in [(true, 1), (false, 0)] {
      let told = Told()
      let store = try open(isSeed: isSeed, trace: { told.add($0.sql) })
      told.clear()
      _ = try store.insert(items("a"), in: EntityTarget(entity))
      // Without a seed nothing is asked, not even once.
      #expect(told.all.contains { $0.contains("dao_seed") } == isSeed)
      told.clear()
      _ = try store.insert((0..<20).flatMap { try items("n\($0)") }, in: EntityTarget(entity))
      #expect(told.all.filter { $0.contains("max(") }.count == questions)
      told.clear()
      _ = try store.insert(items("k", keys: [77]), in: EntityTarget(entity))
      #expect(told.all.filter { $0.contains("max(") }.isEmpty)
    }
  }
}

private final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var told: [String] = []
  func add(_ sql: String) { lock.withLock { told.append(sql) } }
  func clear() { lock.withLock { told = [] } }
  var all: [String] { lock.withLock { told } }
}
