import Dispatch
import Foundation

/// Runs what ends waits, at a time, on one thread for the whole process.
package enum WaitTimer {
  private static let queue = DispatchQueue(label: "DAOKit.waits")

  package static func run(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + max(0, (time - .now) / .seconds(1)), execute: body)
  }
}
