import DAOCriteria
import DAOSQL
import Foundation
import GRDB

@testable import DAOSQLite

/// A folder of its own for a test, gone with it.
final class Scratch: Sendable {
  let path: String

  init(in folder: String? = nil) throws {
    path = (folder ?? FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path) + "/dao-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }
}

/// Every file below a folder with its bytes, and every folder; without the WAL's index, which holds nothing and is made anew by whoever
/// opens.
func snapshot(_ folder: String) -> [String: Data] {
  var found: [String: Data] = [:]
  for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() where !name.hasSuffix("-shm") {
    found[name] = FileManager.default.contents(atPath: folder + "/" + name) ?? Data("folder".utf8)
  }
  return found
}

let item = EntityDescription("item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text)])

func bootstrapper(
  _ seed: URL?, entities: [EntityDescription] = [item], applicationID: Int32? = 7, version: Int32? = 9,
  migration: Migration? = nil, lockTimeout: Duration = .seconds(30),
  progress: (@Sendable (Int64, Int64) -> Void)? = nil
) -> StoreBootstrapper {
  StoreBootstrapper(
    seed: seed.map { .file($0) } ?? .empty, entities: entities, applicationID: applicationID, version: version, migration: migration,
    lockTimeout: lockTimeout, progress: progress)
}

/// Databases with one table, `item`, whose rows carry a label.
enum Items {
  static func names(_ label: String, _ count: Int) -> [String] { (0..<count).map { "\(label) \($0)" }.sorted() }

  /// A file that is not in WAL mode.
  static func make(
    _ url: URL, _ label: String, count: Int = 120, applicationID: Int32 = 7, version: Int32 = 3,
    schema: String = "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
  ) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: """
          PRAGMA application_id = \(applicationID);
          PRAGMA user_version = \(version); \(schema)
          """)
      // Seeds are told apart by their counters, which made in one go are the same for all.
      try db.execute(sql: "PRAGMA schema_version = \(label.utf8.reduce(100) { $0 + Int($1) })")
      try insert(label, count, into: db)
    }
    try queue.close()
  }

  /// Runs statements on a file, outside of a transaction.
  static func run(_ url: URL, _ sql: String) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  static func insert(_ label: String, _ count: Int, into db: Database) throws {
    for name in names(label, count) { try db.execute(sql: "INSERT INTO item (name) VALUES (?)", arguments: [name]) }
  }

  /// Adds rows whose commits stay in a WAL beside the file, as when the writer was killed.
  static func addInWAL(_ url: URL, _ label: String, count: Int = 20, and more: (Database) throws -> Void = { _ in }) throws {
    let work = try Scratch()
    try FileManager.default.copyItem(at: url, to: work.url("work"))
    let queue = try DatabaseQueue(path: work.url("work").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
      try insert(label, count, into: db)
      try more(db)
    }
    try FileManager.default.removeItem(at: url)
    try FileManager.default.copyItem(at: work.url("work"), to: url)
    try FileManager.default.copyItem(at: work.url("work-wal"), to: URL(fileURLWithPath: url.path + "-wal"))
    try queue.close()
  }

  /// The names in a store, read from a copy of its folder, so that reading changes nothing. An error for a store that is not sound.
  static func read(_ url: URL) throws -> [String] {
    try reading(url) { db in
      let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check")
      guard finding == "ok" else { throw DAOError.unsupported("integrity: \(finding ?? "")") }
      guard try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty else { throw DAOError.unsupported("a reference leads nowhere") }
      return try String.fetchAll(db, sql: "SELECT name FROM item").sorted()
    }
  }

  /// What a statement finds in a store, a text for each row.
  static func texts(_ url: URL, _ sql: String) throws -> [String] { try reading(url) { try String.fetchAll($0, sql: sql) } }

  /// Which seed a store says it is of.
  static func stamp(_ url: URL) throws -> SeedStamp? { try reading(url) { try SeedStamp(reading: $0) } }

  private static func reading<Value>(_ url: URL, _ body: (Database) throws -> Value) throws -> Value {
    let work = try Scratch()
    for suffix in ["", "-wal", "-journal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: work.path + "/work" + suffix)
    }
    let queue = try DatabaseQueue(path: work.path + "/work")
    defer { try? queue.close() }
    return try queue.read(body)
  }
}

/// The kind of a bootstrap's problem, and what it names; nil where the error is another or there is none.
func problem(_ body: () throws -> some Any) -> DAOError.BootstrapProblem? {
  do { _ = try body() } catch DAOError.bootstrap(let problem) { return problem } catch {}
  return nil
}
