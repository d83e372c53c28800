import DAOCriteria
import DAOSQL
import DAOWaiting
import Foundation
import GRDB
import GRDBSQLite

/// A GRDB queue with its one connection, which only its holder uses: the owner of the connection ensures that. Calls therefore do without
/// the queue; going through it costs a sixth of the time of reading a row by its key.
final class SerialConnection: @unchecked Sendable {
  // Only touched by the holder.
  private let queue: DatabaseQueue
  private let connection: SQLiteConnection
  private let suspension: Suspension
  private let walLimit: WALLimit

  convenience init(path: String, _ configuration: SQLiteConfiguration, isReadOnly: Bool) throws {
    do {
      try self.init(DatabaseQueue(path: path, configuration: configuration.make(isReadOnly: isReadOnly)), configuration)
    } catch let error as DatabaseError {
      let error = DAOError(error, entity: nil)
      configuration.events?(.failed(error))
      throw error
    }
  }

  /// Takes over a queue that nobody else uses any more.
  init(_ queue: DatabaseQueue, _ configuration: SQLiteConfiguration) throws {
    self.queue = queue
    suspension = configuration.suspension
    let limits = ConnectionLimits(statementTimeout: configuration.statementTimeout, suspension, events: configuration.events)
    limits.watch = configuration.statements.map(StatementWatch.init)
    walLimit = WALLimit(limits, events: configuration.events)
    connection = try queue.unsafeRead {
      try SQLiteConnection(
        $0, outside: queue, limits, checked: configuration.checked, preUpdate: configuration.preUpdate, events: configuration.events)
    }
    limits.watch?.install(on: connection.handle)
    // Not by the connection itself: one that is made for a moment, over a database of others, goes before the database.
    limits.install(on: connection.handle)
    // GRDB's, which serve its observers, end the process outside of its queue.
    sqlite3_commit_hook(connection.handle, nil, nil)
    sqlite3_rollback_hook(connection.handle, nil, nil)
  }

  /// Statements go before the connection that they belong to, which SQLite closes with the last of them.
  deinit {
    connection.releaseStatements()
    ConnectionLimits.uninstall(from: connection.handle)
    StatementWatch.uninstall(from: connection.handle)
    WALLimit.uninstall(from: connection.handle)
    // To fold the WAL in would take its time, and locks.
    if suspension.isSuspended { connection.keepsWAL() }
  }

  private var briefRuns = 0
  /// The bytes that a value may have where a statement is brief.
  private static let briefLength: CInt = 65_536

  /// Runs a body with the connection, as the inside of an engine.
  @inline(__always)
  func run<Result>(for engine: SQLiteEngine, _ body: (SQLiteConnection) throws -> Result) rethrows -> Result {
    try ThreadMarker.entering(engine) {
      defer { connection.limits.end() }
      return try connection.limits.watching { try body(connection) }
    }
  }

  /// Runs a body whose statements take a few microseconds.
  /// - Returns: false where they would take longer; and each 64th time, so that tasks that do nothing else give their thread to others.
  func runBriefly(for engine: SQLiteEngine, _ body: (SQLiteConnection) throws -> Void) throws -> Bool {
    briefRuns &+= 1
    if briefRuns % 64 == 0 { return false }
    // One step may read or make a value of any length.
    let length = sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Self.briefLength)
    defer { sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, length) }
    do {
      try run(for: engine) { connection in try connection.limits.briefly { try body(connection) } }
      return true
    } catch is TakesLonger { return false }
  }

  /// Notes changed rows no more, until the next call.
  func endCapture() { connection.endCapture() }

  /// Runs a body with the database itself: before the engine is in use, or for what concerns all of it.
  func prepare(_ body: (Database) throws -> Void) throws {
    defer { connection.limits.settle() }
    do { try connection.limits.watching { try queue.unsafeReentrantRead(body) } } catch let error as DatabaseError {
      throw DAOError(error, entity: nil)
    }
  }

  /// Puts the file into WAL mode. GRDB's own switch would lower `synchronous` to NORMAL, with which a power cut can take back commits.
  func useWAL() throws {
    try prepare { database in
      guard try database.bareRows("PRAGMA journal_mode = WAL", { $0.text(0) }) == ["wal"] else {
        throw DatabaseError(message: "the store can't be put into WAL mode")
      }
      try database.run("PRAGMA synchronous = FULL")
      walLimit.install(on: connection.handle)
      // Its read makes the WAL's files if they are not there: connections that only read can't, and would not open.
      try database.trustSearchTriggers()
    }
  }
}
