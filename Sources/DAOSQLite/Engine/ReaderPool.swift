import CDAOSystem
import Foundation

/// The connections that read, opened when they are first needed.
final class ReaderPool: @unchecked Sendable {
  private let open: @Sendable () throws -> Lane
  // Once in a process: on Linux the answer is read from files.
  private static let placeCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
  // One lock for all that a call takes and gives back: threads that read at the same time meet here, each time at the price of a cache line.
  private let lock = NSCondition()
  // Guarded by the lock, which makes it needless that each access is watched for another at the same time.
  @exclusivity(unchecked) private var idle: [Idle]
  @exclusivity(unchecked) private var freePlaces = ReaderPool.placeCount
  @exclusivity(unchecked) private var waiting = 0

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
  }

  /// How many connections are open and not out.
  var idleCount: Int { lock.withLock { idle.count } }

  /// Closes the connections that are not out.
  func close() { lock.withLock { idle = [] } }

  /// Lends a connection for a call, which waits where all places are taken.
  @inline(__always)
  func lend<Result>(for engine: SQLiteEngine, _ body: (Lane) throws -> Result) throws -> Result {
    var lane = takePlace()
    defer { leavePlace(lane) }
    let lent = try lane ?? opened(for: engine)
    lane = lent
    return try body(lent)
  }

  private func takePlace() -> Lane? {
    lock.withLock {
      while freePlaces == 0 {
        waiting += 1
        lock.wait()
        waiting -= 1
      }
      freePlaces -= 1
      return warmest()
    }
  }

  private func leavePlace(_ lane: Lane?) {
    lock.withLock {
      freePlaces += 1
      if waiting > 0 { lock.signal() }
      if let lane { keep(lane) }
    }
  }

  /// Takes a connection out. It has no place, so that nobody waits for one who takes their time.
  func take(for engine: SQLiteEngine) throws -> Lane { try lock.withLock(warmest) ?? opened(for: engine) }

  /// Puts a connection back.
  func giveBack(_ lane: Lane) { lock.withLock { keep(lane) } }

  /// Opens one more, as the inside of the engine: its trace may call a DAO, which is not to open another.
  private func opened(for engine: SQLiteEngine) throws -> Lane { try ThreadMarker.entering(engine, open) }

  /// Keeps a connection that is not out. One more than there are places for closes when its holder lets it go.
  private func keep(_ lane: Lane) {
    if idle.count < Self.placeCount { idle.append(Idle(lane: lane, thread: dao_thread_identity())) }
  }

  /// The connection whose cache is nearest: the one that this thread used last, so that threads which read at the same time keep one each
  /// and do not pass megabytes from core to core; else the one that was used last.
  private func warmest() -> Lane? {
    if idle.isEmpty { return nil }
    let thread: UnsafeRawPointer? = dao_thread_identity()
    return idle.remove(at: idle.lastIndex { $0.thread == thread } ?? idle.count - 1).lane
  }
}
