import Dispatch
import Foundation

/// Until when somebody is waited for.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(_ limit: Duration) { end = .now + limit }

  /// What is left, in seconds.
  private var rest: TimeInterval { max(0, (end - .now) / .seconds(1)) }

  /// For a semaphore.
  var time: DispatchTime { .now() + rest }
  /// For a lock.
  var date: Date { Date(timeIntervalSinceNow: rest) }
}
