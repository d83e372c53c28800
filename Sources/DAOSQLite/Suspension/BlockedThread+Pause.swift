import DAOCriteria
import DAOWaiting

extension BlockedThread {
  /// Blocks for a time between two attempts.
  /// - Throws: `CancellationError` and ``DAOError/timedOut(_:message:)`` where the call that the thread works for is over,
  ///   ``DAOError/suspended``.
  static func pause(for time: Duration) throws {
    sleep(for: time)
    try Suspension.current?.check()
    if let error = callEnd("the wait for another process") { throw error }
  }
}
