import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// A GRDB queue with its one connection.
///
/// A lane that several may call is serialised by the queue. One that its holder has alone, since it was taken out of a pool, does without:
/// going through the queue costs a sixth of what it takes to read a row by its key.
final class Lane: @unchecked Sendable {
  // The connection is only touched inside the queue, or by the lane's holder.
  private let queue: DatabaseQueue
  private let connection: SQLiteConnection
  private let isShared: Bool
  // Of a shared lane that was closed: why. Touched inside the queue, which makes it needless that accesses are watched.
  @exclusivity(unchecked) private var refusal: DAOError?

  convenience init(path: String, _ configuration: Configuration, isShared: Bool) throws {
    do {
      try self.init(DatabaseQueue(path: path, configuration: configuration), isShared: isShared)
    } catch let error as DatabaseError { throw DAOError(error, entity: nil) }
  }

  /// Takes over a queue that nobody else uses any more.
  init(_ queue: DatabaseQueue, isShared: Bool) throws {
    self.queue = queue
    self.isShared = isShared
    connection = try queue.unsafeRead { try SQLiteConnection($0, outside: isShared ? nil : queue) }
  }

  /// Statements go before the connection that they belong to.
  deinit { connection.statements.removeAll() }

  /// Runs a body with the connection, as the inside of an engine.
  @inline(__always)
  func run<Result>(for engine: SQLiteEngine, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard isShared else { return try ThreadMarker.entering(engine) { try body(connection) } }
    return try queue.unsafeRead { _ in
      if let refusal { throw refusal }
      return try ThreadMarker.entering(engine) { try body(connection) }
    }
  }

  /// Runs a body with the database itself: before the engine is in use, or for what concerns all of it.
  func prepare(_ body: (Database) throws -> Void) throws {
    do {
      try queue.unsafeReentrantRead {
        if let refusal { throw refusal }
        try body($0)
      }
    } catch let error as DatabaseError { throw DAOError(error, entity: nil) }
  }

  /// Runs a body with the database itself when the calls that came before have ended.
  /// - Returns: false where that takes longer; then it was not run.
  func prepare(by deadline: Deadline, _ body: @escaping @Sendable (Database) throws -> Void) throws -> Bool {
    let (ended, outcome) = (DispatchSemaphore(value: 0), Outcome())
    let turn = Turn { [self] in
      outcome.result = Result { try prepare(body) }
      ended.signal()
    }
    queue.asyncUnsafeRead { _ in try? turn.run() }
    guard wait(for: turn, ended, by: deadline) else { return false }
    try outcome.result.get()
    return true
  }

  /// What a body came to that ran on the queue. Who has waited for its end has it alone.
  private final class Outcome: @unchecked Sendable { var result: Result<Void, any Error> = .success(()) }

  /// Waits for the end of what runs at the queue's turn.
  /// - Returns: false where it had not begun by then, and will not.
  private func wait(for turn: Turn<Void>, _ ended: DispatchSemaphore, by deadline: Deadline) -> Bool {
    // Where nobody is in the way, it is this queue's turn in no time; but not in none.
    if ended.wait(timeout: max(deadline.time, .now() + .milliseconds(100))) == .timedOut {
      // Its turn may have come this very moment.
      if turn.cancel() { return false }
      ended.wait()
    }
    return true
  }

  /// Closes a shared lane after the calls that came before; those that come later are refused.
  /// - Returns: false where that takes longer; then nothing has changed.
  func close(by deadline: Deadline, _ refusal: DAOError) -> Bool {
    let closed = DispatchSemaphore(value: 0)
    let turn = Turn { [self] in
      connection.statements.removeAll()
      self.refusal = refusal
      closed.signal()
    }
    queue.asyncUnsafeRead { _ in try? turn.run() }
    guard wait(for: turn, closed, by: deadline) else { return false }
    // Where a statement is still held, the connection closes with it.
    try? queue.close()
    return true
  }

  /// Puts the file into WAL mode. GRDB's own switch would lower `synchronous` to NORMAL, with which a power cut can take back commits.
  func useWAL() throws {
    try prepare { database in
      guard try database.bareRows("PRAGMA journal_mode = WAL", { $0.text(0) }) == ["wal"] else {
        throw DatabaseError(message: "the store can't be put into WAL mode")
      }
      try database.run("PRAGMA synchronous = FULL")
      // Makes the WAL's files if they are not there: connections that only read can't, and would not open.
      try database.run("SELECT 1 FROM sqlite_schema LIMIT 1")
    }
  }
}
