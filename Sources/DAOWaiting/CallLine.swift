import DAOCriteria
import Dispatch
import Foundation

/// A number of slots that calls take in the order in which they were requested. A thread blocks until it has one; a call with `await` waits
/// without a thread, and then runs on one of the line's own, so that at most as many threads as there are slots work for such calls.
package final class CallLine: @unchecked Sendable {
  @usableFromInline let lock = NSLock()
  // Guarded by the lock.
  @usableFromInline var line: WaitingLine
  // One for each slot, made with the first call that needs one. Serial queues have threads beyond those that libdispatch shares with
  // Swift's concurrency. A statement on one of those could keep the task waiting that is to cancel it, where another task is busy on the
  // last.
  private var queues: [DispatchQueue] = []
  private let place: String

  /// - Parameters:
  ///   - places: how many calls run at a time.
  ///   - place: the name of a slot, in messages.
  ///   - stallTimeout: how long a call waits while no slot is left.
  package init(places: Int, _ place: String, stallTimeout: Duration) {
    line = WaitingLine(places: places, stallTimeout: stallTimeout)
    self.place = place
  }

  /// How many slots are taken, and how many calls wait for one.
  package var load: (taken: Int, waiting: Int) { lock.withLock { (line.count - line.freeCount, line.waitingCount) } }

  /// How many calls wait.
  package var waitingCount: Int { lock.withLock { line.waitingCount } }

  /// Runs a body with a slot; with the one that the thread's call has already, where it is one of this line.
  /// - Parameter limit: by when the wait has to end.
  /// - Throws: ``DAOError/timedOut(_:message:)``, `CancellationError`, and what the body throws.
  @inlinable @inline(__always)
  package func run<Result>(
    _ activity: ConnectionHolder.Activity, by limit: @autoclosure () -> TimeLimit?, _ body: () throws -> Result
  ) throws -> Result {
    if AsyncCall.hasPlace(in: self) { return try body() }
    let place = try enter(.thisThread(activity), by: limit())
    defer { leave(place) }
    return try body()
  }

  /// Runs a body with a slot, where one is free.
  /// - Returns: nil where none is.
  @inlinable package func runIfFree<Result>(_ activity: ConnectionHolder.Activity, _ body: () throws -> Result) rethrows -> Result? {
    guard let place = lock.withLock({ line.take(.thisThread(activity)) }) else { return nil }
    defer { leave(place) }
    return try body()
  }

  /// Runs a body for a task, on a thread of the line's.
  package func perform<Success: Sendable>(
    _ activity: ConnectionHolder.Activity, by limit: TimeLimit?, isolation: isolated (any Actor)?,
    _ body: @escaping @Sendable () throws -> Success
  ) async throws -> Success {
    let work = AsyncWork(.call(activity), in: self, by: limit, body)
    return try await withTaskCancellationHandler {
      // Not a checked one, since a wait ends just once.
      try await withUnsafeThrowingContinuation { continuation in
        if work.await(continuation) { submit(work) } else { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      work.cancel()
    }
  }

  @usableFromInline func enter(_ holder: ConnectionHolder, by limit: @autoclosure () -> TimeLimit?) throws -> Int {
    lock.lock()
    if let place = line.take(holder) {
      lock.unlock()
      return place
    }
    let thread = BlockedThread(holder, by: limit())
    let check = line.append(thread)
    lock.unlock()
    checkWaits(at: check)
    return try thread.wait()
  }

  @usableFromInline func leave(_ place: Int) { lock.withLock { line.leave(place) } }

  private func submit(_ call: AsyncCall) {
    lock.lock()
    if queues.isEmpty { queues = (0..<line.count).map { DispatchQueue(label: "DAOKit.calls.\($0)") } }
    let taken = line.take(call.holder)
    let check = taken == nil ? line.append(call) : nil
    lock.unlock()
    if let taken { start(call, at: taken) }
    checkWaits(at: check)
  }

  /// Has a thread of the line's work for a call, which has a slot.
  func start(_ call: AsyncCall, at place: Int) {
    queues[place].async {
      call.run()
      self.leave(place)
      call.finish()
    }
  }

  private func checkWaits(at time: ContinuousClock.Instant?) {
    guard let time else { return }
    WaitTimer.run(at: time) { [weak self] in self?.endOverdueWaits() }
  }

  /// Ends the waits of calls; not of what closes, opens, removes or resets the store.
  /// - Parameter isDue: whether the waits are still to end; called under the lock, so that no call begins to wait meanwhile.
  package func endWaits(by error: any Error, if isDue: () -> Bool) {
    for waiter in lock.withLock({ isDue() ? line.removeCalls() : [] }) { waiter.end(by: error) }
  }

  private func endOverdueWaits() {
    let (ended, next) = lock.withLock { line.endOverdueWaits(for: place) }
    for (waiter, error) in ended { waiter.end(by: error) }
    checkWaits(at: next)
  }
}
