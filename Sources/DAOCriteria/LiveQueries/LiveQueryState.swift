import Foundation

/// Whether the result of a live query may be another than the last one, by what, and who waits for that.
package final class LiveQueryState: @unchecked Sendable {
  /// What a loop does.
  private enum Phase { case away, waiting, reading }

  /// More changed rows than these are not kept.
  private static let mostRows = 1_000

  private let lock = NSLock()
  // Guarded by the lock, and so is all below. At first there is no result.
  private var mayDiffer = true
  // The changed rows since the last result; nil where they are not all that may have changed it.
  private var changes: [ChangedRow]?
  private var phase = Phase.away
  private let waiting: WaitingTasks<Bool>
  private let settling: WaitingTasks<Void>

  package init() {
    waiting = WaitingTasks(lock, ofCancelled: false)
    settling = WaitingTasks(lock, ofCancelled: ())
  }

  // MARK: Marks

  /// Notes that the result may be another one.
  /// - Parameter rows: the changed rows by which it may be; nil where they are not known.
  package func mark(by rows: [ChangedRow]? = nil) {
    let waiters = lock.withLock {
      mayDiffer = true
      if let rows, let known = changes, known.count + rows.count <= Self.mostRows { changes = known + rows } else { changes = nil }
      return waiting.takeAll()
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  /// Whether it is noted that the result may be another one.
  package var isMarked: Bool { lock.withLock { mayDiffer } }

  /// Whether the result is to be read again, so that no change tells any more.
  var isToBeRead: Bool { lock.withLock { mayDiffer && changes == nil } }

  /// Whether changed rows are kept.
  var keepsRows: Bool { lock.withLock { changes != nil } }

  /// Notes that the result is found out now.
  /// - Parameter keepingRows: whether changed rows are kept from now on.
  package func unmark(keepingRows: Bool = false) { lock.withLock { (mayDiffer, changes) = (false, keepingRows ? [] : nil) } }

  /// Keeps no changed rows until the result is read again.
  func forgetRows() { lock.withLock { changes = nil } }

  /// Takes the changed rows; nil where the result has to be read again.
  package func takeRows() -> [ChangedRow]? {
    lock.withLock {
      guard let rows = changes else { return nil }
      (mayDiffer, changes) = (false, [])
      return rows
    }
  }

  // MARK: Waiting

  /// Waits until the result may be another one; false where the task is cancelled.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    enter(.waiting)
    let goesOn = await waiting.wait(isolation: isolation) { mayDiffer ? true : nil }
    enter(goesOn ? .reading : .away)
    return goesOn
  }

  /// Notes that the loop has its result, or is over.
  func leave() { enter(.away) }

  /// Notes that there is no result for now, though the loop goes on.
  func giveUp() {
    let waiters = lock.withLock { settling.takeAll() }
    for waiter in waiters { waiter.resume() }
  }

  private func enter(_ phase: Phase) {
    let waiters = lock.withLock {
      self.phase = phase
      return isBehind ? [] : settling.takeAll()
    }
    for waiter in waiters { waiter.resume() }
  }

  // Whether the loop waits for a result, and there may be one.
  private var isBehind: Bool { phase == .reading || phase == .waiting && mayDiffer }

  /// Whether a loop waits for a result that may be another one.
  var isWaitedFor: Bool { lock.withLock { isBehind } }

  /// Waits until a loop that waits for a result has it, or this task is cancelled.
  func settle(isolation: isolated (any Actor)?) async {
    await settling.wait(isolation: isolation) { isBehind ? nil : () }
  }
}
