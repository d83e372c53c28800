import CDAOSystem
import DAOCriteria
import Dispatch
import GRDB
import GRDBSQLite

/// What ends a connection's statements before their end: that the call which runs them is cancelled, or out of time. SQLite asks for it every
/// thousand steps of its virtual machine (sqlite.org/c3ref/progress_handler.html), which ends the statement that runs and no other, and while
/// it waits for another process's lock.
final class ConnectionLimits {
  // On the heap: SQLite holds its address.
  private let memory = UnsafeMutablePointer<dao_limits>.allocate(capacity: 1)
  private let statementTimeout: Duration?
  // The limit of the statement that runs.
  private var limit: TimeLimit?
  /// How long the connection waits for another process's lock.
  private(set) var busyTimeout: Duration = SQLiteConfiguration.busyTimeout
  private var busySince = ContinuousClock.now
  /// How often the connection has slept while it waited for a lock.
  private(set) var sleepCount = 0

  /// So many steps a check takes about 20 µs.
  private static let stepsACheck: Int32 = 1000

  init(statementTimeout: Duration? = nil) {
    self.statementTimeout = statementTimeout
    memory.initialize(to: .none)
  }

  deinit { memory.deallocate() }

  /// Has SQLite ask for the limits, which must live as long as they are installed.
  func install(on handle: OpaquePointer) {
    sqlite3_progress_handler(handle, Self.stepsACheck, dao_limits_reached, memory)
    sqlite3_busy_handler(
      handle, { limits, attempt in Unmanaged<ConnectionLimits>.fromOpaque(limits!).takeUnretainedValue().waitForLock(attempt) ? 1 : 0 },
      Unmanaged.passUnretained(self).toOpaque())
  }

  static func uninstall(from handle: OpaquePointer) {
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_busy_handler(handle, nil, nil)
  }

  /// Has statements end with the call that this thread works for, and by its deadline.
  /// - Throws: `CancellationError` and ``DAOError/timedOut(_:message:)`` where it is over already.
  @inline(__always)
  func begin() throws {
    let call = AsyncCall.current
    memory.pointee.cancelled = call?.cancelled
    memory.pointee.reached = Int32(dao_limit_none)
    if let call, call.isCancelled { throw CancellationError() }
    limit = TimeLimit.scoped
    if limit == nil, statementTimeout == nil {
      memory.pointee.deadline = .max
      return
    }
    try beginLimited()
  }

  private func beginLimited() throws {
    limit = TimeLimit.first(limit, statementTimeout.map { TimeLimit($0, .statement) })
    guard let limit else { return }
    if limit.isOver { throw limit.error("the call") }
    memory.pointee.deadline = dao_now() + Int64(clamping: (limit.end - .now).nanoseconds)
  }

  /// Has nothing end a statement: the call may be gone when the next is run.
  @inline(__always)
  func end() { memory.pointee = .none }

  /// Runs what must not be ended, such as COMMIT.
  func suspended<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = memory.pointee
    memory.pointee = .none
    defer { memory.pointee = outer }
    return try body()
  }

  /// The error where a limit has ended what SQLite was asked for.
  /// - Parameter activity: what it was.
  func reached(by activity: @autoclosure () -> String) -> (any Error)? {
    switch Int(memory.pointee.reached) {
    case dao_limit_cancelled: CancellationError()
    case dao_limit_deadline: limit?.error(activity())
    default: nil
    }
  }

  /// Runs a body in which somebody else's lock is not waited for.
  func withoutBusyTimeout<Result>(_ body: () throws -> Result) rethrows -> Result {
    busyTimeout = .zero
    defer { busyTimeout = SQLiteConfiguration.busyTimeout }
    return try body()
  }

  /// Runs a body with a connection that belongs to no engine, whose statements end as those of the thread's call do.
  static func apply<Result>(to db: Database, _ activity: String, _ body: () throws -> Result) throws -> Result {
    guard let handle = db.sqliteConnection else { return try body() }
    let limits = ConnectionLimits()
    limits.install(on: handle)
    defer { uninstall(from: handle) }
    try limits.begin()
    do { return try body() } catch let error as DatabaseError {
      throw limits.reached(by: activity) ?? error
    }
  }

  /// Waits for another process's lock, a little longer with each attempt.
  /// - Returns: false where the call is not to try again.
  private func waitForLock(_ attempt: Int32) -> Bool {
    if attempt == 0 { busySince = .now }
    let left = busyTimeout - (.now - busySince)
    guard left > .zero, dao_limits_reached(memory) == 0 else { return false }
    var delay = min(Self.busyDelays[min(Int(attempt), Self.busyDelays.count - 1)], left)
    if let limit, memory.pointee.deadline != .max { delay = min(delay, max(.zero, limit.end - .now)) }
    sleepCount += 1
    BlockedThread.sleep(for: .nanoseconds(Int(clamping: delay.nanoseconds)))
    return dao_limits_reached(memory) == 0
  }

  /// SQLite's own (sqlite.org/src, sqliteDefaultBusyCallback).
  private static let busyDelays: [Duration] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100].map { .milliseconds($0) }
}

extension dao_limits {
  fileprivate static var none: dao_limits { dao_limits(cancelled: nil, deadline: .max, reached: Int32(dao_limit_none)) }
}

extension Duration {
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : whole &+ attoseconds / 1_000_000_000
  }
}
