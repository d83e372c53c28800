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
  private let waiting: WaitingTasks<ChangeSet?>

  /// - Parameter limit: the most change sets that it holds, at least 1.
  package init(limit: Int) {
    self.limit = max(1, limit)
    waiting = WaitingTasks(lock, ofCancelled: nil)
  }

  /// Adds a change set.
  package func put(_ changes: ChangeSet) {
    let waiter = lock.withLock { () -> WaitingTasks<ChangeSet?>.Waiter? in
      if let first = waiting.takeFirst() { return first }
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
      return waiting.takeAll()
    }
    for waiter in ended { waiter.resume(returning: nil) }
  }

  /// Takes the next change set, if one is there.
  package func poll() -> ChangeSet? { lock.withLock { takeFirst() } }

  /// The next change set, when it is there; nil at the end, and where the task is cancelled.
  package func next(isolation: isolated (any Actor)?) async -> ChangeSet? {
    await waiting.wait(isolation: isolation) {
      if let first = takeFirst() { return .some(first) }
      return isFinished ? .some(nil) : nil
    }
  }

  private func takeFirst() -> ChangeSet? {
    guard !pending.isEmpty else { return nil }
    let first = pending.removeFirst()
    changeCount -= first.rows.reduce(0) { $0 + $1.changeCount }
    return first
  }
}
