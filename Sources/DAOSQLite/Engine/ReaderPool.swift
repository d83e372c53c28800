import CDAOSystem
import DAOCriteria
import Foundation

/// The connections that read, opened when they are first needed.
final class ReaderPool: @unchecked Sendable {
  // Once in a process: on Linux the answer is read from files.
  private static let placeCount = max(4, ProcessInfo.processInfo.activeProcessorCount)
  // One lock for all that a call takes and gives back: threads that read at the same time meet here, each time at the price of a cache line.
  private let lock = NSCondition()
  // Guarded by the lock, which makes it needless that each access is watched for another at the same time.
  @exclusivity(unchecked) private var idle: [Idle]
  // How many are kept idle; none while the store is closed.
  @exclusivity(unchecked) private var idleLimit = placeCount
  // Guarded by the lock too, and looked at where no connection is idle.
  private var open: @Sendable () throws -> Lane
  private var refusal: DAOError?
  private var leases: [ObjectIdentifier: WeakLease] = [:]
  @exclusivity(unchecked) private var freePlaces = ReaderPool.placeCount
  @exclusivity(unchecked) private var waiting = 0

  /// A connection that is not out, and the thread that gave it back.
  private struct Idle {
    let lane: Lane
    let thread: UnsafeRawPointer?
  }

  private struct WeakLease { weak var lease: ReaderLease? }

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
  func closeIdle() { lock.withLock { idle = [] } }

  /// Refuses calls from now on, and closes the connections when the calls that run have ended. Leases are taken back between two calls.
  /// - Returns: how many calls are in the way at the deadline; where there are any, it goes on as before, but for the leases.
  func close(by deadline: Deadline, _ refusal: DAOError) -> Int {
    var (taken, leaving): ([ReaderLease], Set<ObjectIdentifier>) = ([], [])
    let running = lock.withLock {
      self.refusal = refusal
      idleLimit = 0
      idle = []
      // Those who wait for a place are refused.
      lock.broadcast()
      wait(by: deadline) { freePlaces == Self.placeCount }
      for (identity, entry) in leases {
        if let lease = entry.lease { taken.append(lease) } else { leaving.insert(identity) }
      }
      return Self.placeCount - freePlaces
    }
    let held = taken.filter { !$0.takeBack(by: deadline, refusal) }.count
    // A lease that goes away by itself is out of reach, and closes its connection in a moment.
    let left = lock.withLock {
      wait(by: deadline) { leaving.isDisjoint(with: leases.keys) }
      return leaving.intersection(leases.keys).count
    }
    let inTheWay = running + held + left
    if inTheWay > 0 { resume() }
    return inTheWay
  }

  /// Lets calls in again.
  func resume() {
    lock.withLock {
      refusal = nil
      idleLimit = Self.placeCount
    }
  }

  /// Lets calls in again, to another file.
  func resume(idle: [Lane], open: @escaping @Sendable () throws -> Lane) {
    lock.withLock {
      self.idle = idle.map { Idle(lane: $0, thread: nil) }
      self.open = open
      refusal = nil
      idleLimit = Self.placeCount
    }
  }

  /// Waits, under the lock, until something holds.
  private func wait(by deadline: Deadline, until holds: () -> Bool) {
    waiting += 1
    while !holds(), lock.wait(until: deadline.date) {}
    waiting -= 1
  }

  /// Has a lease told when the store closes.
  func register(_ lease: ReaderLease) { lock.withLock { leases[ObjectIdentifier(lease)] = WeakLease(lease: lease) } }

  /// What `register` noted, of a lease that goes away and has no connection any more.
  func forget(_ lease: ReaderLease) {
    lock.withLock {
      leases[ObjectIdentifier(lease)] = nil
      if waiting > 0 { lock.broadcast() }
    }
  }

  /// Lends a connection for a call, which waits where all places are taken.
  @inline(__always)
  func lend<Result>(for engine: SQLiteEngine, _ body: (Lane) throws -> Result) throws -> Result {
    var lane = try takePlace()
    defer { leavePlace(&lane) }
    let lent = try lane ?? opened(for: engine)
    lane = lent
    return try body(lent)
  }

  private func takePlace() throws -> Lane? {
    try lock.withLock {
      while freePlaces == 0, idleLimit > 0 {
        waiting += 1
        lock.wait()
        waiting -= 1
      }
      if idleLimit == 0, let refusal { throw refusal }
      freePlaces -= 1
      return warmest()
    }
  }

  // Takes the connection from its holder: one that is not kept has closed before its place is free, for which the pool's own close waits.
  private func leavePlace(_ lane: inout Lane?) {
    lock.withLock {
      if let lent = lane.take() { keep(lent) }
      freePlaces += 1
      if waiting > 0 { lock.signal() }
    }
  }

  /// Takes a connection out. It has no place, so that nobody waits for one who takes their time.
  func take(for engine: SQLiteEngine) throws -> Lane { try lock.withLock(warmest) ?? opened(for: engine) }

  /// Puts a connection back.
  func giveBack(_ lane: Lane) { lock.withLock { keep(lane) } }

  /// Opens one more, as the inside of the engine: its trace may call a DAO, which is not to open another.
  private func opened(for engine: SQLiteEngine) throws -> Lane {
    let open: @Sendable () throws -> Lane = try lock.withLock {
      if let refusal { throw refusal }
      return self.open
    }
    return try ThreadMarker.entering(engine, open)
  }

  /// Keeps a connection that is not out. One more than there are places for closes when its holder lets it go.
  private func keep(_ lane: Lane) {
    if idle.count < idleLimit { idle.append(Idle(lane: lane, thread: dao_thread_identity())) }
  }

  /// The connection whose cache is nearest: the one that this thread used last, so that threads which read at the same time keep one each
  /// and do not pass megabytes from core to core; else the one that was used last.
  private func warmest() -> Lane? {
    if idle.isEmpty { return nil }
    let thread: UnsafeRawPointer? = dao_thread_identity()
    return idle.remove(at: idle.lastIndex { $0.thread == thread } ?? idle.count - 1).lane
  }
}
