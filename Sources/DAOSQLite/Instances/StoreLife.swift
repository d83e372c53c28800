import Foundation

/// Whose turn it is to close, open, remove or reset a store, and whether it is closed.
final class StoreLife: @unchecked Sendable {
  private let lock = NSLock()
  /// Touched by whose turn it is.
  var isClosed = false

  /// Runs a body when nobody else does; nil where that is not by the deadline.
  func alone<Result>(by deadline: Deadline, _ body: () throws -> Result) rethrows -> Result? {
    guard lock.lock(before: deadline.date) else { return nil }
    defer { lock.unlock() }
    return try body()
  }
}
