import Dispatch
import Foundation

/// The connections that read, opened when they are first needed.
final class ReaderPool: @unchecked Sendable {
  private let open: @Sendable () throws -> Lane
  private let places: DispatchSemaphore
  private let lock = NSLock()
  // Guarded by the lock.
  private var idle: [Lane] = []

  /// - Parameter open: opens one more connection.
  init(_ open: @escaping @Sendable () throws -> Lane) {
    self.open = open
    places = DispatchSemaphore(value: max(4, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// Closes the connections that are not lent.
  func close() { lock.withLock { idle = [] } }

  /// Lends a connection, which waits where all are lent.
  @inline(__always)
  func lend<Result>(_ body: (Lane) throws -> Result) throws -> Result {
    places.wait()
    defer { places.signal() }
    // The one that was used last has the warmest cache.
    let lane = try lock.withLock { idle.popLast() } ?? open()
    defer { lock.withLock { idle.append(lane) } }
    return try body(lane)
  }
}
