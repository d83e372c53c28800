import Foundation

/// Tasks that wait for a value, in the order in which they came, until it is there or they are cancelled.
///
/// The lock is its owner's: what is waited for is guarded by it too. Tasks are resumed outside of it.
final class WaitingTasks<Value: Sendable>: @unchecked Sendable {
  typealias Waiter = CheckedContinuation<Value, Never>

  private let lock: NSLock
  // What a cancelled task gets.
  private let ofCancelled: Value
  // Guarded by the lock, and so is all below.
  private var waiting: [(number: Int, waiter: Waiter)] = []
  private var cancelled: Set<Int> = []
  private var count = 0

  init(_ lock: NSLock, ofCancelled: Value) {
    self.lock = lock
    self.ofCancelled = ofCancelled
  }

  /// Takes the task that has waited longest; called under the lock.
  func takeFirst() -> Waiter? { waiting.isEmpty ? nil : waiting.removeFirst().waiter }

  /// Takes all tasks; called under the lock.
  func takeAll() -> [Waiter] {
    defer { waiting = [] }
    return waiting.map(\.waiter)
  }

  /// Waits for a value.
  /// - Parameter ready: the value, if it is there; called under the lock.
  func wait(isolation: isolated (any Actor)?, ready: () -> Value?) async -> Value {
    let number = lock.withLock {
      count += 1
      return count
    }
    // A task that is cancelled when it has its value already.
    defer { lock.withLock { _ = cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Value? = lock.withLock {
          if cancelled.contains(number) { return ofCancelled }
          if let value = ready() { return value }
          waiting.append((number, continuation))
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      let waiter = lock.withLock { () -> Waiter? in
        guard let index = waiting.firstIndex(where: { $0.number == number }) else {
          cancelled.insert(number)
          return nil
        }
        return waiting.remove(at: index).waiter
      }
      waiter?.resume(returning: ofCancelled)
    }
  }
}
