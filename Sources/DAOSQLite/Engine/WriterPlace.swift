import DAOCriteria
import Foundation

/// The connection that writes, opened when it is first needed.
final class WriterPlace: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var open: @Sendable () throws -> Lane
  private var opened: Lane?
  // Could write too: kept so that the one that closes last can fold the WAL in where nothing was written.
  private var substitute: Lane?
  // Why there is no connection; nil while the store is open.
  private var refusal: DAOError?

  /// - Parameters:
  ///   - substitute: what stands in for the connection when the store closes.
  ///   - open: opens the connection. Where it throws, the next call tries again.
  init(substitute: Lane? = nil, open: @escaping @Sendable () throws -> Lane) {
    self.substitute = substitute
    self.open = open
  }

  /// The connection, opened as the inside of an engine: its trace may call a DAO, which is not to wait for this very connection.
  func lane(for engine: SQLiteEngine) throws -> Lane {
    try lock.withLock {
      if let opened { return opened }
      if let refusal { throw refusal }
      let lane = try ThreadMarker.entering(engine, open)
      opened = lane
      return lane
    }
  }

  /// Refuses calls from now on, and closes the connection when the calls that came before have ended.
  /// - Returns: false where that takes longer; then it goes on as before.
  func close(by deadline: Deadline, _ refusal: DAOError) -> Bool {
    // Somebody may be opening the connection, and waiting for another process.
    guard lock.lock(before: deadline.date) else { return false }
    self.refusal = refusal
    let lane = opened
    lock.unlock()
    // Until it is closed, calls find it and are refused by it.
    if let lane, !lane.close(by: deadline, refusal) {
      resume()
      return false
    }
    lock.withLock {
      opened = nil
      substitute = nil
    }
    return true
  }

  /// Lets calls in again.
  func resume() { lock.withLock { refusal = nil } }

  /// Lets calls in again, to another file.
  func resume(substitute: Lane?, open: @escaping @Sendable () throws -> Lane) {
    lock.withLock {
      self.substitute = substitute
      self.open = open
      refusal = nil
    }
  }
}
