import CDAOSystem
import DAOCriteria
import DAOWaiting
import Foundation

/// The connections that read, opened when they are first needed.
final class ReaderPool: @unchecked Sendable {
  /// How many calls read at a time. Once in a process: on Linux the number of processors is read from files.
  static let placeCount = max(4, ProcessInfo.processInfo.activeProcessorCount)

  // One lock for all that a call takes and gives back: threads that read at the same time meet here, each time at the price of a cache
  // line.
  private let lock = NSLock()
  // Guarded by the lock, which makes it needless that each access is watched for another at the same time.
  @exclusivity(unchecked) private var line: WaitingLine
  @exclusivity(unchecked) private var idle: [Idle]
  // How many are kept idle; none while the store is closed.
  @exclusivity(unchecked) private var idleLimit = placeCount
  // Whether the store is suspended, so that none is kept either.
  @exclusivity(unchecked) private var isReleased = false
  // Guarded by the lock too, and read where no connection is idle.
  private var open: @Sendable () throws -> SerialConnection
  private var refusal: DAOError?
  private var leases: [ObjectIdentifier: WeakLease] = [:]

  /// A connection that is not out, and the thread that gave it back.
  private struct Idle {
    let connection: SerialConnection
    let thread: UnsafeRawPointer?
  }

  private struct WeakLease { weak var lease: ReaderLease? }

  /// - Parameters:
  ///   - idle: connections that are open already.
  ///   - stallTimeout: how long a call waits while no connection is returned.
  ///   - open: opens one more.
  init(
    idle: [SerialConnection] = [], stallTimeout: Duration, open: @escaping @Sendable () throws -> SerialConnection
  ) {
    line = WaitingLine(places: Self.placeCount, stallTimeout: stallTimeout)
    self.idle = idle.map { Idle(connection: $0, thread: nil) }
    self.open = open
  }

  /// How many connections are open and not out.
  var idleCount: Int { lock.withLock { idle.count } }

  /// How many slots are taken, and how many calls wait for one.
  var load: (taken: Int, waiting: Int) { lock.withLock { (line.count - line.freeCount, line.waitingCount) } }

  /// Closes the connections that are not out.
  func closeIdle() { lock.withLock { idle = [] } }

  // MARK: Closing

  /// Refuses calls from now on, and closes the connections when the calls that run have ended. Leases are taken back between two calls.
  /// - Returns: how many calls are in the way at the deadline; where there are any, it goes on as before, but for the leases.
  func close(by deadline: Deadline, _ refusal: DAOError) -> Int {
    lock.withLock { self.refusal = refusal }
    let inTheWay = takeBack(by: deadline, refusal) { true }
    if inTheWay > 0 { resume() }
    return inTheWay
  }

  /// Closes the connections when the calls that run have ended, and ends the waits of others.
  /// - Returns: how many calls are in the way at the deadline; theirs close when they are given back.
  /// - Parameter isSuspended: whether the store is still suspended.
  func releaseLocks(by deadline: Deadline, while isSuspended: () -> Bool) -> Int {
    let waiters: [Waiter] = lock.withLock {
      guard isSuspended() else { return [] }
      isReleased = true
      return line.removeCalls()
    }
    for waiter in waiters { waiter.end(by: DAOError.suspended) }
    return takeBack(by: deadline, .suspended, while: isSuspended)
  }

  /// Keeps connections again, unless the store is closed.
  func goOn() {
    lock.withLock {
      isReleased = false
      if refusal == nil { idleLimit = Self.placeCount }
    }
  }

  /// Keeps no connection from now on, and waits for those that are out.
  /// - Parameter isDue: whether the connections are still to be taken back. Those of later calls and leases are left alone.
  /// - Returns: how many are out still at the deadline.
  private func takeBack(by deadline: Deadline, _ refusal: DAOError, while isDue: () -> Bool) -> Int {
    lock.withLock {
      guard isDue() else { return }
      idleLimit = 0
      idle = []
    }
    // Calls that wait for a slot get it in turn, and are refused.
    _ = deadline.wait { lock.withLock { line.freeCount == line.count || !isDue() } }
    var (taken, leaving): ([ReaderLease], Set<ObjectIdentifier>) = ([], [])
    let running = lock.withLock {
      guard isDue() else { return 0 }
      for (identity, entry) in leases {
        if let lease = entry.lease { taken.append(lease) } else { leaving.insert(identity) }
      }
      return line.count - line.freeCount
    }
    let held = taken.filter { !$0.takeBack(by: deadline, refusal, if: isDue) }.count
    // A lease that goes away by itself is out of reach, and closes its connection in a moment.
    let haveLeft = deadline.wait { lock.withLock { leaving.isDisjoint(with: leases.keys) } }
    return running + held + (haveLeft ? 0 : leaving.count)
  }

  /// Lets calls in again.
  func resume() {
    lock.withLock {
      refusal = nil
      idleLimit = isReleased ? 0 : Self.placeCount
    }
  }

  /// Lets calls in again, to another file.
  func resume(idle: [SerialConnection], open: @escaping @Sendable () throws -> SerialConnection) {
    lock.withLock {
      self.idle = isReleased ? [] : idle.map { Idle(connection: $0, thread: nil) }
      self.open = open
      refusal = nil
      idleLimit = isReleased ? 0 : Self.placeCount
    }
  }

  /// Has a lease taken back when the store closes.
  func register(_ lease: ReaderLease) { lock.withLock { leases[ObjectIdentifier(lease)] = WeakLease(lease: lease) } }

  /// Forgets a registered lease that is being released and has no connection any more.
  func forget(_ lease: ReaderLease) { lock.withLock { leases[ObjectIdentifier(lease)] = nil } }

  // MARK: Leasing

  /// Leases a connection for a call, which waits where all slots are taken.
  @inline(__always)
  func lend<Result>(
    for engine: SQLiteEngine, _ activity: ConnectionHolder.Activity, _ body: (SerialConnection) throws -> Result
  ) throws -> Result {
    var (place, connection) = try takePlace(for: engine, .thisThread(activity))
    defer { leave(place, &connection) }
    let lent = try connection ?? opened(for: engine)
    connection = lent
    return try body(lent)
  }

  /// Leases a connection for a call that does not wait.
  /// - Returns: nil where all slots are taken, or no connection is open and idle.
  func lendIfIdle<Result>(_ activity: ConnectionHolder.Activity, _ body: (SerialConnection) throws -> Result) rethrows -> Result? {
    lock.lock()
    guard !idle.isEmpty, let place = line.take(.thisThread(activity)) else {
      lock.unlock()
      return nil
    }
    var connection = warmest()
    lock.unlock()
    defer { leave(place, &connection) }
    return try connection.map(body)
  }

  private func takePlace(for engine: SQLiteEngine, _ holder: ConnectionHolder) throws -> (place: Int, connection: SerialConnection?) {
    lock.lock()
    // Before it has a slot: else a suspension would wait for callers who try again and again.
    if idleLimit == 0, let refusal = refusal ?? (engine.suspension.isSuspended ? .suspended : nil) {
      lock.unlock()
      throw refusal
    }
    if let place = line.take(holder) {
      defer { lock.unlock() }
      return (place, warmest())
    }
    if engine.suspension.isSuspended {
      lock.unlock()
      throw DAOError.suspended
    }
    let thread = BlockedThread(holder, by: engine.waitLimit)
    let check = line.append(thread)
    lock.unlock()
    checkWaits(at: check)
    let place = try thread.wait()
    return (place, lock.withLock(warmest))
  }

  // Takes the connection from its holder: one that is not kept has closed before its slot is free, for which the pool's own close waits.
  private func leave(_ place: Int, _ connection: inout SerialConnection?) {
    lock.withLock {
      if let lent = connection.take() { keep(lent) }
      line.leave(place)
    }
  }

  private func checkWaits(at time: ContinuousClock.Instant?) {
    guard let time else { return }
    WaitTimer.run(at: time) { [weak self] in self?.endOverdueWaits() }
  }

  private func endOverdueWaits() {
    let (ended, next) = lock.withLock { line.endOverdueWaits(for: "any connection that reads") }
    for (waiter, error) in ended { waiter.end(by: error) }
    checkWaits(at: next)
  }

  /// Takes a connection out. It takes no slot: nobody waits for a slow holder.
  func take(for engine: SQLiteEngine) throws -> SerialConnection { try lock.withLock(warmest) ?? opened(for: engine) }

  /// Puts a connection back.
  func giveBack(_ connection: SerialConnection) { lock.withLock { keep(connection) } }

  /// Opens one more, as the inside of the engine: its trace may call a DAO, which is not to open another.
  func opened(for engine: SQLiteEngine) throws -> SerialConnection {
    let open: @Sendable () throws -> SerialConnection = try lock.withLock {
      if let refusal { throw refusal }
      return self.open
    }
    try engine.suspension.check()
    return try ThreadMarker.entering(engine, open)
  }

  /// Keeps a connection that is not out. A connection beyond the number of slots closes when its holder releases it.
  private func keep(_ connection: SerialConnection) {
    if idle.count < idleLimit { idle.append(Idle(connection: connection, thread: dao_thread_identity())) }
  }

  /// The connection whose cache is nearest: the one that this thread used last, so that threads which read at the same time keep one each
  /// and do not pass megabytes from core to core; else the one that was used last.
  private func warmest() -> SerialConnection? {
    if idle.isEmpty { return nil }
    let thread: UnsafeRawPointer? = dao_thread_identity()
    return idle.remove(at: idle.lastIndex { $0.thread == thread } ?? idle.count - 1).connection
  }
}
