import Foundation

/// Whether the result of a live query may be another than the last one, by what, and who waits for that.
package final class LiveQueryState: @unchecked Sendable {
  /// The part of its round in which a loop is.
  private enum Phase { case away, waiting, reading, over }

  /// More changed rows than these are not kept.
  private static let mostRows = 1_000

  private let lock = NSLock()
  // Guarded by the lock, and so is all below. At first there is no result.
  private var mayDiffer = true
  // The changed rows since the last result; nil where they are not all that may have changed it.
  private var changes: [ChangedRow]?
  private var phase = Phase.away
  // Whether the loop comes back for the next result at once.
  private let isPrompt: Bool
  // The marks so far; those that the last result takes into account, and those that the one that is found out now does.
  private var markCount = 1
  private var settledCount = 0
  private var readCount = 0
  private let waiting: WaitingTasks<Bool>
  // Resumed with whether they need not ask again.
  private let settling: WaitingTasks<Bool>

  package init(isPrompt: Bool = false) {
    self.isPrompt = isPrompt
    waiting = WaitingTasks(lock, ofCancelled: false)
    settling = WaitingTasks(lock, ofCancelled: true)
  }

  // MARK: Marks

  /// Notes that the result may be another one.
  /// - Parameter rows: the changed rows by which it may be; nil where they are not known.
  /// - Returns: the number of the mark.
  @discardableResult
  package func mark(by rows: [ChangedRow]? = nil) -> Int {
    let (waiters, number) = lock.withLock {
      mayDiffer = true
      markCount += 1
      if let rows, let count = changes?.count, count + rows.count <= Self.mostRows {
        changes?.append(contentsOf: rows)
      } else {
        changes = nil
      }
      return (waiting.takeAll(), markCount)
    }
    for waiter in waiters { waiter.resume(returning: true) }
    return number
  }

  /// Whether it is noted that the result may be another one.
  package var isMarked: Bool { lock.withLock { mayDiffer } }

  /// Whether the result is to be read again, so that no change tells any more.
  var isToBeRead: Bool { lock.withLock { mayDiffer && changes == nil } }

  /// Whether changed rows are kept.
  var keepsRows: Bool { lock.withLock { changes != nil } }

  /// Notes that the result is found out now.
  /// - Parameter keepingRows: whether changed rows are kept from now on.
  package func unmark(keepingRows: Bool = false) {
    lock.withLock { (mayDiffer, changes, readCount) = (false, keepingRows ? [] : nil, markCount) }
  }

  /// Keeps no changed rows until the result is read again.
  func forgetRows() { lock.withLock { changes = nil } }

  /// Takes the changed rows; nil where the result has to be read again.
  package func takeRows() -> [ChangedRow]? {
    lock.withLock {
      guard let rows = changes else { return nil }
      (mayDiffer, changes, readCount) = (false, [], markCount)
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

  /// Notes that the loop has its result.
  func leave() { enter(.away) }

  /// Notes that the loop is over.
  func end() { enter(.over) }

  /// Notes that there is no result for now, though the loop goes on.
  func giveUp() { for waiter in lock.withLock({ settling.takeAll() }) { waiter.resume(returning: true) } }

  private func enter(_ phase: Phase) {
    let waiters = lock.withLock {
      self.phase = phase
      if phase != .reading { settledCount = readCount }
      return settling.takeAll()
    }
    for waiter in waiters { waiter.resume(returning: false) }
  }

  private func isSettled(_ mark: Int) -> Bool { settledCount >= mark || phase == .over || phase == .away && !isPrompt }

  /// Waits until a loop that waits for results has one that takes a mark into account, whether it is another result or not, or until this
  /// task is cancelled. A loop that does something else is not waited for, unless it comes back at once.
  /// - Parameter number: the number of the mark.
  func settle(mark number: Int, isolation: isolated (any Actor)?) async {
    while await !settling.wait(isolation: isolation, ready: { isSettled(number) ? true : nil }) {}
  }
}
