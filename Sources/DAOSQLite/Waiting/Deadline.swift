import Dispatch
import Foundation

/// Until when somebody is waited for.
struct Deadline {
  private let end: ContinuousClock.Instant

  /// What is left.
  var left: Duration { max(.zero, end - .now) }

  init(_ limit: Duration) { end = .now + limit }

  /// What is left, in seconds; no more than the system's clocks can count.
  private var rest: TimeInterval { max(0, min((end - .now) / .seconds(1), 100_000_000)) }

  /// For a semaphore.
  var time: DispatchTime { .now() + rest }
  /// For a lock.
  var date: Date { Date(timeIntervalSinceNow: rest) }
}
