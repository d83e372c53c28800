import DAOCriteria
import DAOSQL
import Foundation

/// A connection that is out of the pool until the lease goes away, or the store closes.
final class ReaderLease: ConnectionLease, @unchecked Sendable {
  private let engine: SQLiteEngine
  private let readers: ReaderPool
  // Threads take turns. A call inside a call is one of the same thread.
  private let lock = NSRecursiveLock()
  // Guarded by the lock.
  private var lane: Lane?
  private var refusal: DAOError?
  var held: AnyObject?

  init(from readers: ReaderPool, of engine: SQLiteEngine) throws {
    self.engine = engine
    self.readers = readers
    // Before it has a connection: a store that closes meanwhile takes that back, too.
    readers.register(self)
    try lock.withLock {
      if let refusal { throw refusal }
      lane = try readers.take(for: engine)
    }
  }

  // The connection goes before the engine does, whose writer is to close last; and before the pool forgets the lease, for which its close waits.
  deinit {
    if let lane = lane.take() {
      letGo(over: lane)
      readers.giveBack(lane)
    }
    readers.forget(self)
  }

  func run<Result>(_ body: (any Connection) throws -> Result) throws -> Result {
    try lock.withLock {
      guard let lane else { throw refusal ?? DAOError.misuse("a connection was used after its lease", use: "another lease") }
      return try lane.run(for: engine, body)
    }
  }

  /// Closes the connection between two calls; those that follow are refused.
  /// - Returns: false where a call is still running at the deadline.
  func takeBack(by deadline: Deadline, _ refusal: DAOError) -> Bool {
    guard lock.lock(before: deadline.date) else { return false }
    defer { lock.unlock() }
    self.refusal = refusal
    if let lane { letGo(over: lane) }
    lane = nil
    return true
  }

  private func letGo(over lane: Lane) { try? lane.run(for: engine) { _ in held = nil } }
}
