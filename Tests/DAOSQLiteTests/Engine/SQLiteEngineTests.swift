import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("The engine over SQLite")
struct SQLiteEngineTests {
  /// A folder of its own, gone with the object.
  final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("DAOSQLiteTests-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    /// A file with one table and one row.
    func store(_ name: String = "store.sqlite") throws -> URL {
      let file = url.appendingPathComponent(name)
      let queue = try DatabaseQueue(path: file.path)
      try queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
            INSERT INTO t (a) VALUES ('x')
            """)
      }
      try queue.close()
      return file
    }

    var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
  }

  let folder: Folder
  init() throws { folder = try Folder() }

  func value(_ sql: DAOSQL.SQL, _ engine: SQLiteEngine) throws -> StoredValue? {
    try EngineStore(engine).query(sql) { row, _ in try row.takeStored() }.first
  }

  @Test func `a file is opened in WAL, with foreign keys, full syncs and a busy timeout of seconds`() throws {
    let engine = try SQLiteEngine(opening: folder.store())
    func settings(_ connection: any Connection) throws -> [String] {
      let busyTimeout = (connection as? DAOSQLite.SQLiteConnection)?.limits.busyTimeout
      return try ["journal_mode", "foreign_keys", "synchronous"].map { pragma in
        let statement = try connection.prepare("PRAGMA \(pragma)")
        _ = statement.functions.step(statement.handle)
        return statement.functions.text(statement.functions.column(statement.handle, 0)).map { String(cString: $0) } ?? ""
      } + ["\(busyTimeout ?? .zero)"]
    }
    #expect(try engine.write(atomic: false, settings) == ["wal", "1", "2", "5.0 seconds"])
    let read = try engine.read(snapshot: false, settings)
    #expect([read[0], read[1], read[3]] == ["wal", "1", "5.0 seconds"])
    #expect(engine.dialect == .sqlite)
  }

  @Test func `a store that is not there, a folder and another file are typed errors, and nothing is made`() throws {
    let missing = folder.url.appendingPathComponent("missing.sqlite")
    #expect(throws: DAOError.self) { try SQLiteEngine(opening: missing) }
    #expect(throws: DAOError.self) { try SQLiteEngine(readingUnchanging: missing) }
    #expect(throws: DAOError.self) { try SQLiteEngine(opening: folder.url) }
    let text = folder.url.appendingPathComponent("text.sqlite")
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: text)
    #expect(throws: DAOError.self) { try SQLiteEngine(opening: text) }
    #expect(try folder.files == ["text.sqlite"])
  }

  @Test(arguments: ["a?b", "a#b", "a%41b", "a b", "ä&mode=memory"])
  func `paths with what URIs give a meaning`(_ name: String) throws {
    let engine = try SQLiteEngine(opening: folder.store(name))
    #expect(try value("SELECT a FROM t", engine) == .text("x"))
    #expect(try folder.files.allSatisfy { $0.hasPrefix(name) })
    let read = try SQLiteEngine(readingUnchanging: try folder.store("r" + name))
    #expect(try value("SELECT a FROM t", read) == .text("x"))
  }

  @Test func `a file that is read where it lies is neither changed nor accompanied`() throws {
    let file = try folder.store()
    let before = try Data(contentsOf: file)
    let engine = try SQLiteEngine(readingUnchanging: file)
    #expect(try value("SELECT a FROM t", engine) == .text("x"))
    #expect(throws: DAOError.self) { try engine.write(atomic: true) { _ in } }
    #expect(throws: DAOError.self) { try engine.session(.write) { _ in } }
    #expect(try Data(contentsOf: file) == before)
    #expect(try folder.files == ["store.sqlite"])
  }

  @Test func `connections that read can't write, whatever they are told`() throws {
    let engine = try SQLiteEngine(opening: folder.store())
    let code = try engine.read(snapshot: false) { connection -> Int32 in
      let statement = try connection.prepare("DELETE FROM t")
      return statement.functions.step(statement.handle)
    }
    #expect(code & 0xFF == 8)
    #expect(try value("SELECT COUNT(*) FROM t", engine) == .integer(1))
  }

  @Test func `nothing that a connection is given is in the schema, so that other tools read and write the store`() throws {
    let file = folder.url.appendingPathComponent("made.sqlite")
    let entity = EntityDescription(
      "item", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("price", .decimal(.text)), Attribute("at", .date(.iso8601))],
      indexes: [DAOCriteria.Index(on: "price", unique: true)])
    let plain = try DatabaseQueue(path: file.path)
    try plain.write { database in for statement in try SchemaSQL.statements(for: [entity]) { try database.execute(sql: statement) } }
    let engine = try SQLiteEngine(opening: file)
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("price")))]
    #expect(try EngineStore(engine).find(DynamicEntity.self, in: EntityTarget(entity), criteria).isEmpty)
    // A connection without our functions and collations.
    try plain.write { try $0.execute(sql: "INSERT INTO item (price, at) VALUES ('10', '2026-11-21T06:19:00.000Z'), ('9', '')") }
    let schema = try plain.read { try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql LIKE '%dao_%'") }
    #expect(schema == [])
    #expect(try plain.read { try String.fetchAll($0, sql: "SELECT price FROM item ORDER BY price") } == ["10", "9"])
  }

  @Test func `an atomic write that fails leaves nothing, and the connection is fit for the next`() throws {
    struct Stop: Error {}
    let engine = try SQLiteEngine(opening: folder.store())
    func insert(_ connection: any Connection) throws {
      let statement = try connection.prepare("INSERT INTO t (a) VALUES ('y')")
      _ = statement.functions.step(statement.handle)
    }
    #expect(throws: Stop.self) {
      try engine.write(atomic: true) { connection in
        try insert(connection)
        throw Stop()
      }
    }
    #expect(try value("SELECT COUNT(*) FROM t", engine) == .integer(1))
    try engine.write(atomic: true) { try insert($0) }
    #expect(try value("SELECT COUNT(*) FROM t", engine) == .integer(2))
  }

  @Test func `a lock that another process holds for long is a typed error after the busy timeout`() throws {
    let file = try folder.store()
    let engine = try SQLiteEngine(opening: file)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: file.path, configuration: configuration)
    try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let start = ContinuousClock.now
    #expect {
      try engine.session(.write) { _ in }
    } throws: {
      if case DAOError.engine(let failure) = $0 { failure.code & 0xFF == 5 } else { false }
    }
    #expect(ContinuousClock.now - start > .seconds(4))
    #expect(try value("SELECT a FROM t", engine) == .text("x"))
    try other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    try engine.session(.write) { _ in }
  }

  @Test func `more readers than connections wait their turn`() async throws {
    let engine = try SQLiteEngine(opening: folder.store())
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          try await engine.perform(.read, isolation: nil) {
            try engine.session(.read) { session in
              Thread.sleep(forTimeInterval: 0.002)
              return try session.read(snapshot: false) { _ in 1 }
            }
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 64)
  }

  @Test func `the deadline of a call that has ended is none of what its connection does next`() throws {
    let engine = try SQLiteEngine(inMemory: { database in
      for number in 0..<400 { try database.execute(sql: "CREATE TABLE t\(number) (id INTEGER PRIMARY KEY)") }
    })
    // However busy the machine is, one of the calls is in time.
    var (limit, begun, isInTime) = (Duration.milliseconds(1), ContinuousClock.now, false)
    while !isInTime {
      limit *= 2
      begun = .now
      do {
        isInTime = try withDeadline(limit) { try value("SELECT count(*) FROM t1", engine) } == .integer(0)
      } catch DAOError.timedOut {}
    }
    while .now < begun + limit { Thread.sleep(forTimeInterval: 0.001) }
    #expect(try engine.read(snapshot: false) { try $0.schema().tables.count } == 400)
  }

  @Test func `processes that wait for the same lock do not all try again at once`() {
    for (attempt, most) in [(0, 1), (3, 10), (1000, 25)] {
      let delays = (0..<50).map { _ in ConnectionLimits.busyDelay(attempt: attempt) }
      #expect(delays.allSatisfy { (.milliseconds(most) / 2)...(.milliseconds(most)) ~= $0 })
      #expect(Set(delays).count > 1)
    }
  }
}
