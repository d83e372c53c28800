import DAOCriteria
import DAOWaiting
import Dispatch

extension SQLiteEngine {
  /// Closes the connections that hold locks, each when the call that has it has ended; the suspension keeps others from being opened.
  /// - Parameter isSuspended: whether the store has been suspended ever since. It may be resumed during the wait; later calls are left
  ///   alone.
  /// - Returns: what still has one at the deadline, in words; it closes when it is given back.
  func releaseLocks(by deadline: Deadline, while isSuspended: () -> Bool) -> [String] {
    asyncReads.endWaits(by: DAOError.suspended, if: isSuspended)
    watch.end()
    switch mode {
    case .readWrite(let writer, let readers):
      let reading = readers.releaseLocks(by: deadline, while: isSuspended)
      let isDone = writer.releaseLocks(by: deadline, while: isSuspended)
      return (reading > 0 ? ["\(reading) calls that read"] : []) + (isDone ? [] : ["a call that writes"])
    case .readOnly(let readers):
      let reading = readers.releaseLocks(by: deadline, while: isSuspended)
      return reading > 0 ? ["\(reading) calls that read"] : []
    // The rows of a store in memory are its connection's.
    case .single: return []
    }
  }

  /// Suspends the store; see ``Suspension``.
  package func suspend(within limit: Duration) throws { try suspension.suspend(within: limit) }

  /// Lets calls in again.
  package func resume() { suspension.resume() }

  /// Suspends the store where it blocks no thread of Swift's concurrency. Once it has begun, it is not cancelled.
  package func performSuspension(within limit: Duration) async throws {
    try suspension.begin()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      DispatchQueue(label: "DAOKit.suspension").async { [suspension] in
        continuation.resume(with: Result { try suspension.release(within: limit) })
      }
    }
  }

  /// Keeps connections again. Errors of opening them are the next call's.
  func goOn() {
    readers?.goOn()
    // Connections that only read may need one that has opened the WAL. Whoever holds the slot has one.
    guard case .readWrite(let writer, _) = mode else { return feed.liveQueries.markAll() }
    writer.openIfFree(for: self)
    followAgain()
  }
}
