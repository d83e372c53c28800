import Foundation

/// Whether the result of a live query may be another than the last one, and who waits for that.
package final class LiveQueryState: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock. At first there is no result.
  private var mayDiffer = true
  private let waiting: WaitingTasks<Bool>

  package init() { waiting = WaitingTasks(lock, ofCancelled: false) }

  /// Notes that the result may be another one.
  package func mark() {
    let waiters = lock.withLock {
      mayDiffer = true
      return waiting.takeAll()
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Whether it is noted that the result may be another one.
  package var isMarked: Bool { lock.withLock { mayDiffer } }

  /// Notes that the result is found out now.
  package func unmark() { lock.withLock { mayDiffer = false } }

  /// Waits until the result may be another one; false where the task is cancelled.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    await waiting.wait(isolation: isolation) { mayDiffer ? true : nil }
  }
}
