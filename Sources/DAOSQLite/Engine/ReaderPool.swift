import CDAOSystem
import Dispatch
import Foundation

/// The connections that read, opened when they are first needed.
final class ReaderPool: @unchecked Sendable {
  private let open: @Sendable () throws -> Lane
  // Once in a process: on Linux the answer is read from files.
  private static let placeCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
  private let places: DispatchSemaphore
  private let lock = NSLock()
  // Guarded by the lock, which makes it needless that each access is watched for another at the same time.
  @exclusivity(unchecked) private var idle: [Idle]

  /// A connection that is not out, and the thread that gave it back.
  private struct Idle {
    let lane: Lane
    let thread: UnsafeRawPointer?
  }

  /// - Parameters:
  ///   - idle: connections that are open already.
  ///   - open: opens one more.
  init(idle: [Lane] = [], open: @escaping @Sendable () throws -> Lane) {
    self.idle = idle.map { Idle(lane: $0, thread: nil) }
    self.open = open
    places = DispatchSemaphore(value: Self.placeCount)
  }

  /// How many connections are open and not out.
  var idleCount: Int { lock.withLock { idle.count } }

  /// Closes the connections that are not out.
  func close() { lock.withLock { idle = [] } }

  /// Lends a connection for a call, which waits where all places are taken.
  @inline(__always)
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
    try lock.withLock(warmest) ?? ThreadMarker.entering(engine, open)
  }

  /// Puts a connection back. One more than there are places for closes when its holder lets it go.
  func giveBack(_ lane: Lane) {
    lock.withLock { if idle.count < Self.placeCount { idle.append(Idle(lane: lane, thread: dao_thread_identity())) } }
  }

  /// The connection whose cache is nearest: the one that this thread used last, so that threads which read at the same time keep one each
  /// and do not pass megabytes from core to core; else the one that was used last.
  private func warmest() -> Lane? {
    if idle.isEmpty { return nil }
    let thread: UnsafeRawPointer? = dao_thread_identity()
    return idle.remove(at: idle.lastIndex { $0.thread == thread } ?? idle.count - 1).lane
  }
}
