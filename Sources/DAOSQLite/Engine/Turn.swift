import Dispatch
import Foundation

extension DispatchQueue {
  /// Runs a body, for which a task waits. One that is cancelled before its turn does not run it.
  package func perform<Result: Sendable>(
    isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let turn = Turn(body)
    return try await withTaskCancellationHandler {
      // Not a checked one, since a queue runs what it is given just once; and resumed without a `Result`, whose type would be looked up.
      try await withUnsafeThrowingContinuation { continuation in
        self.async {
          do { continuation.resume(returning: try turn.run()) } catch { continuation.resume(throwing: error) }
        }
      }
    } onCancel: {
      turn.cancel()
    }
  }
}

/// A call that waits for its turn, and may be cancelled meanwhile. It lets go of its body before it returns: else the queue would keep the
/// store open for a moment after the caller has gone on.
final class Turn<Result>: @unchecked Sendable {
  // Guarded by the lock; nil once it has begun or is cancelled.
  private var body: (@Sendable () throws -> Result)?

  /// A turn to come.
  init(_ body: @escaping @Sendable () throws -> Result) { self.body = body }

  /// Runs the body, once.
  /// - Throws: `CancellationError` where it was cancelled, and what the body throws.
  func run() throws -> Result {
    guard let body = take() else { throw CancellationError() }
    return try body()
  }

  /// Lets go of the body, if it has not begun.
  /// - Returns: whether it had not.
  @discardableResult
  func cancel() -> Bool { take() != nil }

  private func take() -> (@Sendable () throws -> Result)? {
    turnLock.withLock {
      defer { body = nil }
      return body
    }
  }
}

// One for all: it is held for an instant, and to make one takes longer.
private let turnLock = NSLock()
