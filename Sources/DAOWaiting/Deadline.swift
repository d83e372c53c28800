import Foundation

/// Until when somebody is waited for.
package struct Deadline {
  private let end: ContinuousClock.Instant

  /// The time that is left.
  package var left: Duration { max(.zero, end - .now) }

  package init(_ limit: Duration) { end = .now + limit }

  /// The time that is left, in seconds; no more than the system's clocks can count.
  private var rest: TimeInterval { max(0, min((end - .now) / .seconds(1), 100_000_000)) }

  /// For a lock.
  package var date: Date { Date(timeIntervalSinceNow: rest) }

  /// Waits until something holds, of which nobody wakes the thread.
  /// - Returns: false where it does not hold at the deadline, or the call has to end that the thread works for.
  package func wait(until holds: () -> Bool) -> Bool {
    while !holds() {
      if left == .zero || BlockedThread.callEnd("") != nil { return false }
      BlockedThread.sleep(for: min(left, .milliseconds(2)))
    }
    return true
  }
}
