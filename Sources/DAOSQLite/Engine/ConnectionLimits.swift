import CDAOSystem
import DAOCriteria
import DAOWaiting
import Dispatch
import GRDB
import GRDBSQLite

/// The limits that end a connection's statements early: the cancellation of the call that runs them, its deadline, the budget of its query,
/// and the suspension of the store. SQLite checks them every thousand steps of its virtual machine
/// (sqlite.org/c3ref/progress_handler.html), which ends the statement that runs and no other, and while it waits for another process's
/// lock.
final class ConnectionLimits {
  // The call that runs the statements; nil where nothing can cancel them.
  private var call: AsyncCall?
  private var time: TimeLimit?
  private var meter: RunMeter?
  private let statementTimeout: Duration?
  private let events: (@Sendable (StoreEvent) -> Void)?
  /// Reports the connection's statements; nil where nobody observes them.
  var watch: StatementWatch?
  private let suspension: Suspension?
  // The flag of `suspension`, whose reference is not counted anew for each check.
  private let suspended: UnsafeMutablePointer<dao_flag>?
  private var isEndless = false
  // How often SQLite may ask for the limits before statements that are to be brief end; nil for all others.
  private var checksLeft: Int?
  private var reached: Limit?
  /// How long the connection waits for another process's lock.
  let busyTimeout: Duration
  private var waitsForLocks = true
  private var busySince = ContinuousClock.now
  /// How often the connection has slept while it waited for a lock.
  private(set) var sleepCount = 0

  /// The limit that ended a statement.
  private enum Limit {
    case cancellation
    case time(TimeLimit)
    case budget(RunBudget.Limit)
    case suspension
    case brevity
  }

  /// So many steps take about 20 µs.
  private static let stepsACheck = 1000

  /// - Parameters:
  ///   - statementTimeout: how long a statement may take; nil for any time.
  ///   - busyTimeout: how long another process's lock is waited for.
  ///   - suspension: what suspends the store; else that of what the thread does.
  ///   - events: receives waits for locks.
  init(
    statementTimeout: Duration? = nil, busyTimeout: Duration = SQLiteConfiguration.busyTimeout, _ suspension: Suspension? = .current,
    events: (@Sendable (StoreEvent) -> Void)? = nil
  ) {
    self.statementTimeout = statementTimeout
    self.events = events
    self.busyTimeout = busyTimeout
    self.suspension = suspension
    suspended = suspension?.flag
  }

  /// Has SQLite ask for the limits, which must live as long as they are installed.
  func install(on db: Database) { if let handle = db.sqliteConnection { install(on: handle) } }

  /// Has SQLite ask for the limits, which must live as long as they are installed.
  func install(on handle: OpaquePointer) {
    let limits = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      handle, CInt(Self.stepsACheck), { ConnectionLimits.at($0)?.isReached(after: ConnectionLimits.stepsACheck) == true ? 1 : 0 }, limits)
    sqlite3_busy_handler(handle, { ConnectionLimits.at($0)?.waitForLock(attempt: $1) == true ? 1 : 0 }, limits)
  }

  static func uninstall(from handle: OpaquePointer) {
    sqlite3_progress_handler(handle, 0, nil, nil)
    sqlite3_busy_handler(handle, nil, nil)
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> ConnectionLimits? {
    pointer.map { Unmanaged<ConnectionLimits>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Statements

  /// Has statements end with the call that this thread works for, by its deadline and by the store's statement timeout.
  /// - Throws: `CancellationError` and ``DAOError/timedOut(_:message:)`` where it is over already, ``DAOError/suspended``.
  @inline(__always)
  func begin() throws {
    if reached != nil { reached = nil }
    if isSuspended { throw DAOError.suspended }
    call = AsyncCall.current
    if let call, call.isCancelled { throw CancellationError() }
    time = TimeLimit.scoped
    if time != nil || statementTimeout != nil { try beginTimed() }
  }

  private func beginTimed() throws {
    time = TimeLimit.first(time, statementTimeout.map { TimeLimit($0, .statement) })
    if let time, time.isOver { throw time.error("the call") }
  }

  /// Removes the limits: the call may have ended when the next statement runs.
  @inline(__always)
  func end() {
    call = nil
    time = nil
  }

  /// Runs a body that uses the connection: the library's functions that its statements call check the limits while they work.
  @inline(__always)
  func watching<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = dao_thread_limits()
    dao_set_thread_limits(Unmanaged.passUnretained(self).toOpaque())
    defer { dao_set_thread_limits(outer) }
    return try body()
  }

  /// Checks the limits now and then while a function works on a long text: SQLite checks no limit in the middle of it.
  /// - Throws: `CancellationError`, after which the function makes SQLite end its statement, which fails with the error of the limit.
  static func goOn() throws {
    if let limits = at(dao_thread_limits()), limits.isReached(after: 0) { throw CancellationError() }
  }

  /// Runs a body whose statements together take no more work than a budget allows.
  func within<Result>(_ meter: RunMeter, _ body: () throws -> Result) rethrows -> Result {
    let outer = self.meter
    self.meter = meter
    defer { self.meter = outer }
    return try withExtendedLifetime(meter) { try FunctionCharge.counting(on: meter, body) }
  }

  /// Runs a body whose statements end with ``TakesLonger`` where they need more than a thousand or two of SQLite's steps, or wait for
  /// another process's lock.
  func briefly<Result>(_ body: () throws -> Result) rethrows -> Result {
    // The first check may come at once: SQLite counts the steps of a statement that is kept from one run to the next.
    checksLeft = 1
    defer { checksLeft = nil }
    return try body()
  }

  /// Whether a body runs ``briefly(_:)``.
  var isBrief: Bool { checksLeft != nil }

  /// Whether a statement that was to be brief ended with a result because it takes longer, so that its call runs it again.
  private func isRunAgain(_ code: CInt) -> Bool {
    guard isBrief else { return false }
    if case .brevity? = reached { return [SQLITE_INTERRUPT, SQLITE_BUSY].contains(code & 0xFF) }
    return code & 0xFF == SQLITE_TOOBIG
  }

  /// Reports the connection's last statement with its result, where somebody observes them.
  func settle(_ statement: OpaquePointer? = nil, _ code: CInt = SQLITE_OK) {
    watch?.settle(statement, code, isRunAgain: isRunAgain(code))
  }

  /// That of the connection that the thread uses.
  static var watchOfThread: StatementWatch? { at(dao_thread_limits())?.watch }

  /// Reports a statement of the connection that the thread uses, with its result.
  static func settle(_ statement: OpaquePointer, _ code: CInt) { at(dao_thread_limits())?.settle(statement, code) }

  /// Runs what must not be ended, such as COMMIT.
  func endless<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isEndless
    isEndless = true
    defer { isEndless = outer }
    return try body()
  }

  /// The error where a limit has ended what SQLite was asked for.
  /// - Parameter activity: the activity that ended.
  func error(_ entity: EntityDescription?, _ activity: @autoclosure () -> String) -> (any Error)? {
    switch reached {
    case .cancellation: CancellationError()
    case .time(let limit): limit.error(activity())
    case .budget(let limit): DAOError.budgetExceeded(entity: entity?.name ?? "the store", limit: limit)
    case .suspension: DAOError.suspended
    case .brevity: TakesLonger()
    // A function of the library's has spent the rest of it.
    case nil: meter?.exceeded.map { DAOError.budgetExceeded(entity: entity?.name ?? "the store", limit: $0) }
    }
  }

  /// Whether a limit is reached, after so many more steps.
  private func isReached(after steps: Int) -> Bool {
    if isEndless { return false }
    if isSuspended {
      reached = .suspension
    } else if let call, call.isCancelled {
      reached = .cancellation
    } else if let time, time.isOver {
      reached = .time(time)
    } else if let meter, !meter.take(steps, readingClock: true), let limit = meter.exceeded {
      reached = .budget(limit)
    } else if let checksLeft {
      if steps > 0, checksLeft > 0 {
        self.checksLeft = checksLeft - 1
        return false
      }
      reached = .brevity
    } else {
      return false
    }
    return true
  }

  /// Whether the store is to be left alone.
  var isSuspended: Bool { dao_flag_is_set(suspended) != 0 }

  // MARK: Other processes' locks

  /// Runs a body in which somebody else's lock is not waited for.
  func withoutBusyTimeout<Result>(_ body: () throws -> Result) rethrows -> Result {
    waitsForLocks = false
    defer { waitsForLocks = true }
    return try body()
  }

  /// Waits for another process's lock, a little longer with each attempt.
  /// - Returns: false where the call is not to try again.
  private func waitForLock(attempt: CInt) -> Bool {
    if attempt == 0 { busySince = .now }
    let left = busyTimeout - (.now - busySince)
    if !waitsForLocks { return false }
    if left <= .zero { events?(.gaveUpLock) }
    if left <= .zero || isReached(after: 0) { return false }
    events?(.waitsForLock(isFirst: attempt == 0))
    var delay = min(Self.busyDelay(attempt: Int(attempt)), left)
    if let time { delay = min(delay, max(.zero, time.end - .now)) }
    sleepCount += 1
    BlockedThread.sleep(for: delay)
    return !isReached(after: 0)
  }

  /// The delay after an attempt, in its upper half at random: processes that wait for the same lock do not all try again at once.
  static func busyDelay(attempt: Int) -> Duration {
    busyDelays[min(attempt, busyDelays.count - 1)] * Double.random(in: 0.5...1)
  }

  /// SQLite's own delays (sqlite.org/src, sqliteDefaultBusyCallback), without those that would delay a suspension.
  private static let busyDelays: [Duration] = [1, 2, 5, 10, 15, 20, 25].map { .milliseconds($0) }
}

/// Ends a statement that was to be brief.
struct TakesLonger: Error {}
