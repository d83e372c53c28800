import Foundation

/// A call that waits for its turn, and may be cancelled meanwhile. It lets go of its body before it returns: else the queue would keep the
/// store open for a moment after the caller has gone on.
package final class Turn<Result>: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock; nil once it has begun or is cancelled.
  private var body: (@Sendable () throws -> Result)?

  /// A turn to come.
  package init(_ body: @escaping @Sendable () throws -> Result) { self.body = body }

  /// Runs the body, once.
  /// - Throws: `CancellationError` where it was cancelled, and what the body throws.
  package func run() throws -> Result {
    guard let body = take() else { throw CancellationError() }
    return try body()
  }

  /// Lets go of the body, if it has not begun.
  /// - Returns: whether it had not.
  @discardableResult
  package func cancel() -> Bool { take() != nil }

  private func take() -> (@Sendable () throws -> Result)? {
    lock.withLock {
      defer { body = nil }
      return body
    }
  }
}
