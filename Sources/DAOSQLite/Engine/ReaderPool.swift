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
  init(idle: [Lane] = [], open: @escaping @Sendable () throws -> Lane) {
    self.idle = idle
    self.open = open
    places = DispatchSemaphore(value: Self.placeCount)
  }

  /// How many connections are open and not out.
  var idleCount: Int { lock.withLock { idle.count } }

  /// Closes the connections that are not out.
  func close() { lock.withLock { idle = [] } }

  /// Lends a connection for a call, which waits where all places are taken.
  func lend<Result>(for engine: SQLiteEngine, _ body: (Lane) throws -> Result) throws -> Result {
    places.wait()
    defer { places.signal() }
    let lane = try take(for: engine)
    defer { giveBack(lane) }
    return try body(lane)
  }

  /// Takes a connection out. It has no place, so that nobody waits for one who takes their time. Where it is to be opened, that is done as
  /// the inside of the engine: its trace may call a DAO, which is not to open one more.
  func take(for engine: SQLiteEngine) throws -> Lane {
    // The one that was used last has the warmest cache.
    try lock.withLock { idle.popLast() } ?? ThreadMarker.entering(engine, open)
  }

  /// Puts a connection back. One more than there are places for closes when its holder lets it go.
  func giveBack(_ lane: Lane) {
    lock.withLock { if idle.count < Self.placeCount { idle.append(lane) } }
  }
}
