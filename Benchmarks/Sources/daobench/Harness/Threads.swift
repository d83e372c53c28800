import Foundation

/// Threads that stand ready, one for each body, so that starting them is not timed.
final class Threads<Output: Sendable>: @unchecked Sendable {
  private let gate = DispatchSemaphore(value: 0)
  private let finished = DispatchGroup()
  private let lock = NSLock()
  // Guarded by the lock.
  private var results: [Result<Output, any Error>?]

  init(_ bodies: [@Sendable () throws -> Output]) {
    results = bodies.map { _ in nil }
    for (index, body) in bodies.enumerated() {
      finished.enter()
      Thread { [self] in
        gate.wait()
        let result = Result { try body() }
        lock.withLock { results[index] = result }
        finished.leave()
      }.start()
    }
  }

  /// Lets them run, once, and waits for all of them.
  /// - Returns: what they made, in the order of the bodies.
  func run() throws -> [Output] {
    for _ in results.indices { gate.signal() }
    finished.wait()
    return try lock.withLock { try results.compactMap { try $0?.get() } }
  }
}
