import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import GRDBSQLite

/// What a bootstrap needs to know of a database, asked of SQLite: the bytes of a store in use say nothing certain, and opening them by hand
/// would drop the locks that this process holds on it (sqlite.org/howtocorrupt.html, section 2.2).
struct StoreState {
  let applicationID: Int32
  let version: Int32
  /// How text is stored; only UTF-8 is ordered by its bytes as DAOKit promises.
  let encoding: String
  let stamp: SeedStamp?
  let schema: StoreSchema

  init(reading db: Database) throws {
    applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    version = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    encoding = try String.fetchOne(db, sql: "PRAGMA encoding") ?? ""
    stamp = try SeedStamp(reading: db)
    schema = try StoreSchema(reading: db)
  }

  /// Reads the state of a store that is there, and leaves it as it is.
  init(reading path: String, timeout: Duration) throws {
    // A connection that can write would fold the WAL in when it closes, and one that can't would leave an empty WAL where there is none.
    let hasWAL = try Files.status(path + "-wal").map { $0.size > 0 } ?? false
    self = try SQLiteFile.open(path, hasWAL ? .read : .write, timeout: timeout) { try StoreState(reading: $0) }
  }
}

/// Databases opened for a short while, by one connection, with their errors told as a bootstrap's.
enum SQLiteFile {
  /// How a file is opened; as the parameters of a URI. None of them makes a file that is missing.
  enum Access: String {
    /// For writing.
    case write = "mode=rw"
    /// For reading, beside others who may write.
    case read = "mode=ro"
    /// For reading what nobody writes: no lock is taken, and nothing but the file itself is looked at.
    case readUnchanging = "immutable=1"
  }

  /// Opens the database, hands it over outside of any transaction and closes it.
  static func open<Value>(
    _ path: String, _ access: Access = .write, timeout: Duration = .zero, _ body: (Database) throws -> Value
  ) throws -> Value {
    var configuration = Configuration()
    configuration.readonly = access != .write
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(timeout / .seconds(1))
    // SQLite opens the file with the first statement; this one is where its errors can still be asked about.
    configuration.prepareDatabase { db in try naming(path, db) { _ = try Row.fetchOne(db, sql: "SELECT 1 FROM sqlite_master") } }
    do {
      let queue = try DatabaseQueue(
        path: SQLiteConfiguration.uri(URL(fileURLWithPath: path), access.rawValue), configuration: configuration)
      let value: Value
      do { value = try queue.writeWithoutTransaction { db in try naming(path, db) { try body(db) } } } catch {
        try? queue.close()
        throw error
      }
      try queue.close()
      return value
    } catch let error as DatabaseError {
      throw problem(error, path: path, systemError: 0)
    }
  }

  /// Brings the commits of a WAL into the main file and leaves WAL mode, which removes the WAL.
  /// - Returns: false where somebody else has the database open.
  static func foldWAL(_ db: Database) throws -> Bool {
    // Leaving WAL mode would do it too, but keeps silent about a full disk.
    try unlessBusy {
      guard try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return false }
      return try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete"
    } ?? false
  }

  /// Nil where somebody else's lock is in the way.
  static func unlessBusy<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) { return nil }
  }

  private static func naming<Value>(_ path: String, _ db: Database, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      throw problem(error, path: path, systemError: sqlite3_system_errno(db.sqliteConnection))
    }
  }

  private static func problem(_ error: DatabaseError, path: String, systemError: CInt) -> DAOError {
    let kind: BootstrapProblem.Kind =
      switch error.resultCode {
      case .SQLITE_FULL: .diskFull
      case .SQLITE_NOTADB: .notADatabase
      case .SQLITE_CORRUPT: .corrupt
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
      case .SQLITE_READONLY, .SQLITE_PERM: .unwritable
      case .SQLITE_CANTOPEN, .SQLITE_IOERR: Files.kind(of: systemError)
      default: .system
      }
    return .bootstrap(BootstrapProblem(kind, path: path, error.message ?? "\(error.extendedResultCode)"))
  }
}
