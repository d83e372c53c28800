import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// A database that is open, by one connection, with its errors reported as a bootstrap's. It closes when it is released.
struct SQLiteFile {
  /// How a file is opened; as the parameters of a URI. None of them makes a file that is missing.
  enum Access: String {
    /// For writing.
    case write = "mode=rw"
    /// For reading, while others may write.
    case read = "mode=ro"
    /// For reading a file that nobody writes: no lock is taken, and nothing but the file itself is read.
    case readUnchanging = "immutable=1"
  }

  let path: String
  let access: Access
  /// Has the connection.
  let queue: DatabaseQueue
  /// The number that its schema had when it was opened.
  let schemaVersion: Int64
  private let limits: ConnectionLimits

  /// Opens the database.
  init(
    _ path: String, _ access: Access = .write, timeout: Duration = .zero, maximumLength: Int = StoreDescription.defaultMaximumLength,
    _ configuration: Configuration? = nil
  ) throws {
    var configuration = configuration ?? .untrusting(maximumLength: maximumLength)
    configuration.readonly = access != .write
    // The connection may go on as one of an engine's.
    configuration.leavesMemoryAlone()
    // Used with the connection alone, on one thread at a time.
    nonisolated(unsafe) let limits = ConnectionLimits(busyTimeout: timeout)
    limits.watch = StatementObserver.ofOpening.map(StatementWatch.init)
    try limits.begin()
    // Set before the queue is there.
    nonisolated(unsafe) let version = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
    version.initialize(to: 0)
    defer { version.deallocate() }
    // SQLite opens the file with the first statement that needs it; this one is where its errors can still be asked about.
    configuration.prepareDatabase { db in
      // The configuration lives as long as the connection, and so do they.
      limits.install(on: db)
      if let handle = db.sqliteConnection { limits.watch?.install(on: handle) }
      try Self.naming(path, db, limits) {
        if access == .write { try db.checkIsWritable() }
        version.pointee = try db.bareRows("PRAGMA schema_version") { $0.integer(0) }.first ?? 0
      }
    }
    self.path = path
    self.access = access
    self.limits = limits
    do {
      queue = try DatabaseQueue(
        path: SQLiteConfiguration.uri(URL(fileURLWithPath: path), access.rawValue), configuration: configuration)
    } catch let error as DatabaseError {
      throw limits.error(nil, "the opening of \(path)") ?? Self.problem(error, path: path, systemError: 0)
    }
    schemaVersion = version.pointee
  }

  /// Hands the database over, outside of any transaction.
  func run<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try limits.begin()
    defer { limits.settle() }
    return try queue.writeWithoutTransaction { db in
      try limits.watching {
        guard let suspension = Suspension.current, let handle = db.sqliteConnection else {
          return try Self.naming(path, db, limits) { try body(db) }
        }
        defer { if suspension.isSuspended { db.keepsWAL() } }
        return try suspension.using(handle) { try Self.naming(path, db, limits) { try body(db) } }
      }
    }
  }

  /// Whether nobody else can replace the file while it is open. A connection that is in WAL mode keeps a lock between its statements too.
  var isHeld: Bool {
    get throws { try run { try $0.bareRows("PRAGMA journal_mode") { $0.text(0) } } == ["wal"] }
  }

  /// Whether the file has lost its name, or another has it. While the file is held, that can't come to be.
  var hasMoved: Bool {
    get throws {
      try run { db in
        var moved: CInt = 0
        let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return moved != 0
      }
    }
  }

  /// Closes the database, if nobody else uses it.
  func close() throws {
    do { try queue.close() } catch let error as DatabaseError { throw Self.problem(error, path: path, systemError: 0) }
  }

  /// Opens the database, hands it over outside of any transaction and closes it.
  static func open<Value>(
    _ path: String, _ access: Access = .write, timeout: Duration = .zero, maximumLength: Int = StoreDescription.defaultMaximumLength,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    var configuration = Configuration.untrusting(maximumLength: maximumLength)
    configuration.foreignKeysEnabled = false
    let file = try SQLiteFile(path, access, timeout: timeout, configuration)
    let value: Value
    do { value = try file.run(body) } catch {
      try? file.close()
      throw error
    }
    try file.close()
    return value
  }

  /// Copies the committed data into a new file that is complete by itself. Making it last is the caller's.
  static func copy(_ db: Database, to target: String) throws {
    let queue = try DatabaseQueue(
      path: SQLiteConfiguration.uri(URL(fileURLWithPath: target), "mode=rwc"), configuration: .untrusting())
    try queue.writeWithoutTransaction { copy in
      try copy.run("PRAGMA synchronous = OFF")
      // A failure is mostly one of writing, whose reason only the copy's connection knows.
      try naming(target, copy) { try db.backup(to: copy, pagesPerStep: 1024) { _ in try Suspension.current?.check() } }
      // The copy says of itself that it is in WAL mode where the original is.
      _ = try foldWAL(copy)
    }
    try queue.close()
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

  private static func naming<Value>(
    _ path: String, _ db: Database, _ limits: ConnectionLimits? = nil, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      limits?.settle(nil, error.extendedResultCode.rawValue)
      throw limits?.error(nil, "the work on \(path)") ?? problem(error, path: path, systemError: sqlite3_system_errno(db.sqliteConnection))
    }
  }

  private static func problem(_ error: DatabaseError, path: String, systemError: CInt) -> DAOError {
    if [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode) {
      do { try StorePaths.checkSidecars(of: path) } catch let reason as DAOError { return reason } catch {}
    }
    let kind: DAOError.BootstrapProblem.Kind =
      switch error.resultCode {
      case .SQLITE_FULL: .diskFull
      case .SQLITE_NOTADB: .notADatabase
      // The number of the schema's format is none: for SQLite an error without a code of its own.
      case .SQLITE_ERROR where error.message == "unsupported file format": .notADatabase
      case .SQLITE_CORRUPT: .corrupt
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
      case .SQLITE_READONLY, .SQLITE_PERM: .unwritable
      case .SQLITE_CANTOPEN, .SQLITE_IOERR: Files.kind(of: systemError)
      default: .system
      }
    // Asked of a connection that did not fail itself, SQLite says so.
    let message = error.message.flatMap { $0 == "not an error" ? nil : $0 }
    return .bootstrap(
      DAOError.BootstrapProblem(kind, path: path, message ?? String(cString: sqlite3_errstr(error.extendedResultCode.rawValue))))
  }
}
