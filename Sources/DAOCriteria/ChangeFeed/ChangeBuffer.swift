import Foundation

/// The change sets that a consumer has yet to take. Where they become too many, one that asks for a reload takes their place.
package final class ChangeBuffer: @unchecked Sendable {
  /// The most changes that all change sets of a buffer have together.
  static let mostChanges = 1_000_000

  private let limit: Int
  private let lock = NSLock()
  // Guarded by the lock, and so is all below.
  private var pending: [ChangeSet] = []
  private var changeCount = 0
  private var isFinished = false
  private var waiting: [(number: Int, continuation: CheckedContinuation<ChangeSet?, Never>)] = []
  private var cancelled: Set<Int> = []
  private var waitCount = 0

  /// - Parameter limit: the most change sets that it holds, at least 1.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// Adds a change set.
  package func put(_ changes: ChangeSet) {
    let waiter = lock.withLock { () -> CheckedContinuation<ChangeSet?, Never>? in
      guard waiting.isEmpty else { return waiting.removeFirst().continuation }
      let count = changes.rows.reduce(0) { $0 + $1.changeCount }
      if pending.count == limit || changeCount + count > Self.mostChanges {
        pending = [ChangeSet(number: changes.number, reloading: changes.asked)]
        changeCount = 0
      } else {
        pending.append(changes)
        changeCount += count
      }
      return nil
    }
    waiter?.resume(returning: changes)
  }

  /// Lets consumers take what is there, and then end.
  package func finish() {
    let ended = lock.withLock {
      isFinished = true
      defer { waiting = [] }
      return waiting
    }
    for waiter in ended { waiter.continuation.resume(returning: nil) }
  }

  /// Takes the next change set, if one is there.
  package func poll() -> ChangeSet? { lock.withLock { takeFirst() } }

  /// The next change set, when it is there; nil at the end, and where the task is cancelled.
  package func next(isolation: isolated (any Actor)?) async -> ChangeSet? {
    let number = lock.withLock {
      waitCount += 1
      return waitCount
    }
    // A task that is cancelled when it has its change set already.
    defer { lock.withLock { _ = cancelled.remove(number) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: ChangeSet?? = lock.withLock {
          if cancelled.remove(number) != nil { return .some(nil) }
          if let first = takeFirst() { return first }
          if isFinished { return .some(nil) }
          waiting.append((number, continuation))
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let waiter = lock.withLock { () -> CheckedContinuation<ChangeSet?, Never>? in
        guard let index = waiting.firstIndex(where: { $0.number == number }) else {
          cancelled.insert(number)
          return nil
        }
        return waiting.remove(at: index).continuation
      }
      waiter?.resume(returning: nil)
    }
  }

  private func takeFirst() -> ChangeSet? {
    guard !pending.isEmpty else { return nil }
    let first = pending.removeFirst()
    changeCount -= first.rows.reduce(0) { $0 + $1.changeCount }
    return first
  }
}
