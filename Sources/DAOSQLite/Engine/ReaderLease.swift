import DAOCriteria
import DAOSQL
import DAOWaiting
import Foundation

/// A connection that is out of the pool until the lease is released, or the store closes.
final class ReaderLease: ConnectionLease, @unchecked Sendable {
  private let engine: SQLiteEngine
  private let readers: ReaderPool
  // Whether its connection is opened for it, and closed with it.
  private let isPrivate: Bool
  // Threads take turns. A call inside a call is one of the same thread.
  private let lock = NSRecursiveLock()
  // Guarded by the lock.
  private var connection: SerialConnection?
  private var refusal: DAOError?
  var held: AnyObject?

  /// - Parameter isPrivate: whether the connection is opened for the lease, and closed with it.
  init(from readers: ReaderPool, of engine: SQLiteEngine, isPrivate: Bool = false) throws {
    self.engine = engine
    self.readers = readers
    self.isPrivate = isPrivate
    // Before it has a connection: a store that closes meanwhile takes that back, too.
    readers.register(self)
    try lock.withLock {
      if let refusal { throw refusal }
      connection = try isPrivate ? readers.opened(for: engine) : readers.take(for: engine)
    }
  }

  // The connection goes before the engine does, whose writer is to close last; and before the pool forgets the lease, for which its close
  // waits.
  deinit {
    if let connection = connection.take() {
      letGo(over: connection)
      if !isPrivate { readers.giveBack(connection) }
    }
    readers.forget(self)
  }

  /// Whether the store has taken the connection back.
  var isOver: Bool { lock.withLock { connection == nil } }

  func run<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try lock.withLock {
      guard let connection else { throw refusal ?? DAOError.misuse("a connection was used after its lease", use: "another lease") }
      return try connection.run(for: engine, body)
    }
  }

  /// Closes the connection between two calls; those that follow are refused.
  /// - Parameter isDue: whether it is still to be closed when the calls have ended.
  /// - Returns: false where a call is still running at the deadline.
  func takeBack(by deadline: Deadline, _ refusal: DAOError, if isDue: () -> Bool) -> Bool {
    guard deadline.wait(until: lock.try) else { return false }
    defer { lock.unlock() }
    guard isDue() else { return true }
    self.refusal = refusal
    if let connection { letGo(over: connection) }
    connection = nil
    return true
  }

  private func letGo(over connection: SerialConnection) { connection.run(for: engine) { _ in held = nil } }
}
