import Foundation

/// Whether the result of a live query may be another than the last one, and who waits for that.
package final class LiveQueryState: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock, and so is all below. At first there is no result.
  private var mayDiffer = true
  private var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var cancelled: Set<Int> = []
  private var waitCount = 0

  package init() {}

  /// Notes that the result may be another one.
  package func mark() {
    let waiters = lock.withLock {
      mayDiffer = true
      defer { waiting = [:] }
      return waiting.values
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Whether it is noted that the result may be another one.
  package var isMarked: Bool { lock.withLock { mayDiffer } }

  /// Notes that the result is found out now.
  package func unmark() { lock.withLock { mayDiffer = false } }

  /// Waits until the result may be another one; false where the task is cancelled.
  package func wait(isolation: isolated (any Actor)?) async -> Bool {
    let number = lock.withLock {
      waitCount += 1
      return waitCount
    }
    // A task that is cancelled when the mark is there already.
    defer { lock.withLock { _ = cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: Bool? = lock.withLock {
          if cancelled.contains(number) { return false }
          if mayDiffer { return true }
          waiting[number] = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let waiter = lock.withLock { () -> CheckedContinuation<Bool, Never>? in
        cancelled.insert(number)
        return waiting.removeValue(forKey: number)
      }
      waiter?.resume(returning: false)
    }
  }
}
