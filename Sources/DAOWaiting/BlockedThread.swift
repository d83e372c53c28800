import DAOCriteria
import Dispatch
import Foundation

/// A thread that waits for a slot. Where it works for an asynchronous call, cancelling that call ends the wait.
package final class BlockedThread: Waiter, @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  // Written before the semaphore is signalled, read after.
  private var outcome: Result<Int, any Error> = .failure(CancellationError())

  package override func proceed(to place: Int) -> Bool {
    guard endWait() else { return false }
    outcome = .success(place)
    semaphore.signal()
    return true
  }

  package override func fail(_ error: any Error) {
    outcome = .failure(error)
    semaphore.signal()
  }

  /// Blocks until the wait ends.
  /// - Returns: the slot.
  package func wait() throws -> Int {
    AsyncCall.current?.block(on: self)
    defer { AsyncCall.current?.unblock() }
    semaphore.wait()
    return try outcome.get()
  }

  /// Blocks for a time, or until the call that the thread works for is cancelled.
  package static func sleep(for time: Duration) {
    let waiter = BlockedThread(.call(.statement), by: nil)
    AsyncCall.current?.block(on: waiter)
    defer { AsyncCall.current?.unblock() }
    _ = waiter.semaphore.wait(timeout: .now() + time / .seconds(1))
    _ = waiter.endWait()
  }

  /// The error of the call that the thread works for where it was cancelled or its time is over; nil where it goes on.
  /// - Parameter activity: the activity of the call.
  package static func callEnd(_ activity: @autoclosure () -> String) -> (any Error)? {
    if AsyncCall.current?.isCancelled == true { return CancellationError() }
    return TimeLimit.scoped.flatMap { $0.isOver ? $0.error(activity()) : nil }
  }

  /// Runs a body that comes to its end whatever becomes of the call that the thread works for.
  package static func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    try TimeLimit.$scoped.withValue(nil) {
      guard let call = AsyncCall.current else { return try body() }
      return try call.uninterrupted(body)
    }
  }
}
