import DAOKit
import Foundation
import GRDB

/// A store in a file in which some calls never end by themselves: whatever ends them is what is tested.
///
/// The view `endless` has rows without end, and so has the work of the triggers on a zone that is called "slow".
final class EndlessStore: Sendable {
  let url: URL
  let factory: DAOFactory
  let endless: RuntimeDAO<DynamicEntity>

  var zones: RuntimeDAO<Zone> { factory.runtimeDAO(Zone.self) }

  init(statementTimeout: Duration? = nil, trace: (@Sendable (StatementTrace) -> Void)? = nil) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString).sqlite")
    try DAOFactory(store: .file(url), entities: Zone.self).runtimeDAO(Zone.self).insert(Zone.samples)
    let database = try DatabaseQueue(path: url.path)
    try database.write { database in
      try database.execute(
        sql: """
          CREATE VIEW endless AS
            WITH RECURSIVE number(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM number) SELECT id, 'n' || id % 7 AS name FROM number;
          """)
      for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
        try database.execute(
          sql: """
            CREATE TRIGGER slow_\(event) AFTER \(event) ON zone WHEN \(row).name = 'slow'
            BEGIN INSERT INTO zone SELECT NULL, name, 0, NULL FROM endless WHERE name = 'none'; END;
            """)
      }
    }
    try database.close()
    // A longer wait than a machine can be busy.
    let configuration = SQLiteConfiguration(
      statements: trace.map { StatementObserver($0) }, statementTimeout: statementTimeout, stallTimeout: .seconds(3600))
    factory = DAOFactory(over: EngineStore(try StoreDescription.file(url).open([Zone.entityDescription], configuration).engine))
    endless = try factory.runtimeDAO("endless")
  }

  deinit {
    for suffix in ["", "-wal", "-shm", ".lock", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }

  /// A call that never ends by itself.
  struct Call: Sendable, CustomStringConvertible {
    let description: String
    let run: @Sendable (EndlessStore) async throws -> Void
  }

  /// The calls that read.
  static let reads: [Call] = [
    Call(description: "findAll") { _ = try await $0.endless.findAll(.where { $0.name == "none" }) },
    Call(description: "findAll, sorted") { _ = try await $0.endless.findAll(.where { $0.id > 0 }.order(by: .descending(.field("name")))) },
    Call(description: "findFirst") { _ = try await $0.endless.findFirst(.where { $0.name == "none" }) },
    Call(description: "findAllIDs") { _ = try await $0.endless.findAllIDs(.where { $0.name == "none" }) },
    Call(description: "exists") { _ = try await $0.endless.exists(.where { $0.name == "none" }) },
    Call(description: "count") { _ = try await $0.endless.count() },
    Call(description: "page") { _ = try await $0.endless.page(.where { $0.name == "none" }, size: 10) },
    Call(description: "report") { _ = try await $0.endless.dictionaries(.all.project(.aggregate(.max, "id"))) },
    Call(description: "own SQL") { _ = try await $0.zones.query("SELECT zone.* FROM zone, endless WHERE endless.name = 'none'") },
    Call(description: "stream") { for try await _ in $0.endless.stream(.where { $0.name == "none" }) {} },
    Call(description: "cursor") { store in
      try await store.factory.read { (session) throws in
        try session.runtimeDAO("endless").withCursor(.where { $0.name == "none" }) { while try $0.next() != nil {} }
      }
    },
    Call(description: "a read session") { store in
      try await store.factory.read { (session) throws in _ = try session.runtimeDAO("endless").count() }
    },
  ]

  /// The calls that write.
  static let writes: [Call] = [
    Call(description: "insert") { try await $0.zones.insert(Zone("slow", 0)) },
    Call(description: "insert of many") { try await $0.zones.insert([Zone("first", 0), Zone("slow", 0), Zone("last", 0)]) },
    Call(description: "update") { try await $0.zones.update(Zone(id: 1, "slow", 0)) },
    Call(description: "update of many") { try await $0.zones.update(.where(\.id < 2), set: .set(\.name, to: "slow")) },
    Call(description: "save") { try await $0.zones.save(Zone("slow", 0)) },
    Call(description: "upsert") { try await $0.zones.upsert(Zone("slow", 0), on: ["name"]) },
    Call(description: "execute") {
      try await $0.zones.execute("INSERT INTO zone (name, offset) SELECT name, id FROM endless WHERE id < 0")
    },
    Call(description: "a write session") { store in
      try await store.factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        try zones.insert(Zone("before", 0))
        try zones.insert(Zone("slow", 0))
      }
    },
    Call(description: "a write session that passes errors over") { store in
      try await store.factory.write { (session) throws in
        let zones = session.runtimeDAO(Zone.self)
        try zones.insert(Zone("before", 0))
        _ = try? zones.insert(Zone("slow", 0))
        _ = try? zones.insert(Zone("after", 0))
      }
    },
    Call(description: "a savepoint") { store in
      try await store.factory.write { (session) throws in
        try session.write { inner in
          try inner.runtimeDAO(Zone.self).insert(Zone("before", 0))
          try inner.runtimeDAO(Zone.self).insert(Zone("slow", 0))
        }
      }
    },
  ]

  static let calls = reads + writes

  /// Whether all is as at first, and the store closes.
  func isAsNew() async throws -> Bool {
    // Twice as many calls as there are connections: each has to be as good as new.
    for _ in 0..<10 { guard try await zones.findAll(.all.order(by: \.id)).map(\.name) == Zone.samples.map(\.name) else { return false } }
    try await zones.update(Zone.samples.enumerated().map { Zone(id: Int64($0.offset + 1), $0.element.name, 7) })
    guard try await zones.count(.where(\.offset == 7)) == Zone.samples.count else { return false }
    try await factory.close()
    return !FileManager.default.fileExists(atPath: url.path + "-wal")
  }
}
