import Dispatch
import Foundation

/// The connections that read, opened when they are first needed.
final class ReaderPool: @unchecked Sendable {
  private let open: @Sendable () throws -> Lane
  // Once in a process: on Linux the answer is read from files.
  private static let placeCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
  private let places: DispatchSemaphore
  private let lock = NSLock()
  // Guarded by the lock.
  private var idle: [Lane]

  /// - Parameters:
  ///   - idle: connections that are open already.
  ///   - open: opens one more.
  init(_ idle: [Lane] = [], _ open: @escaping @Sendable () throws -> Lane) {
    self.idle = idle
    self.open = open
    places = DispatchSemaphore(value: Self.placeCount)
  }

  /// How many connections are open and not out.
  var idleCount: Int { lock.withLock { idle.count } }

  /// Closes the connections that are not out.
  func close() { lock.withLock { idle = [] } }

  /// Lends a connection for a call, which waits where all places are taken.
  func lend<Result>(_ body: (Lane) throws -> Result) throws -> Result {
    places.wait()
    defer { places.signal() }
    let lane = try take()
    defer { giveBack(lane) }
    return try body(lane)
  }

  /// Takes a connection out. It has no place, so that nobody waits for one who takes their time.
  func take() throws -> Lane {
    // The one that was used last has the warmest cache.
    try lock.withLock { idle.popLast() } ?? open()
  }

  /// Puts a connection back. One more than there are places for closes when its holder lets it go.
  func giveBack(_ lane: Lane) {
    lock.withLock { if idle.count < Self.placeCount { idle.append(lane) } }
  }
}
