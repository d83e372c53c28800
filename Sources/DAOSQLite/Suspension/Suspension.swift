import CDAOSystem
import DAOCriteria
import DAOWaiting
import Foundation
import GRDBSQLite

/// Suspends stores and resumes them. Apple's systems end an app that is suspended while it holds a lock on a file in a container that it
/// shares with its extensions (exception 0xDEAD10CC); a suspended store holds none.
///
/// Each store has a suspension of its own, which ``DAOKit/DAOFactory/suspend(within:)`` uses. A suspension that is made before the store
/// can also suspend the opening of the store:
///
/// ```swift
/// let suspension = Suspension()
/// let store = StoreDescription.file(url, seed: .resource("clock.sqlite", in: .module)).following(suspension)
/// let factory = try DAOFactory(store: store, entities: Zone.self)     // throws DAOError.suspended where it is suspended meanwhile
/// ```
///
/// On iOS and related systems `.following(.app)` suspends the store while the app is in the background. Several stores may follow one
/// suspension.
public final class Suspension: @unchecked Sendable {
  /// Set while its stores are suspended; lives as long as it.
  let flag = dao_flag_make()
  private let condition = NSCondition()
  // Whose turn it is to release locks, or to go on.
  private let turn = NSLock()
  // Guarded by the condition's lock: how many calls do something to a whole store, and the stores that are open.
  private var workCount = 0
  // How often it was resumed.
  private var resumeCount = 0
  private var engines: [ObjectIdentifier: WeakEngine] = [:]
  // The connections of such calls.
  private var handles: Set<OpaquePointer> = []
  private var observers: [any NSObjectProtocol] = []

  private struct WeakEngine { weak var engine: SQLiteEngine? }

  /// That of the store to all of which this thread does something.
  static var current: Suspension? {
    dao_thread_suspension().map { Unmanaged<Suspension>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A suspension, not suspended.
  public init() {}

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    dao_flag_free(flag)
  }

  /// A suspension that follows notifications: it suspends at a notification of `suspending`, for at most a second, and resumes at one of
  /// `resuming`.
  public convenience init(suspendingOn suspending: [Notification.Name], resumingOn resuming: [Notification.Name]) {
    self.init()
    for name in suspending { observe(name) { try? $0.suspend(within: .seconds(1)) } }
    for name in resuming { observe(name) { $0.resume() } }
  }

  private func observe(_ name: Notification.Name, _ action: @escaping @Sendable (Suspension) -> Void) {
    let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
      if let self { action(self) }
    }
    observers.append(observer)
  }

  /// Whether its stores are suspended.
  @inline(__always)
  public var isSuspended: Bool { dao_flag_is_set(flag) != 0 }

  /// Ends the running calls of its stores, and releases every lock: SQLite's, and those of a store that is made ready, upgraded, migrated
  /// or backed up.
  ///
  /// Statements that run end and are rolled back, unless their COMMIT has begun; waits end; connections close, without folding the WAL in;
  /// streams that were open have ended. All of these calls, and those that come later, throw ``DAOCriteria/DAOError/suspended``. A store in
  /// memory keeps its rows.
  ///
  /// A closure of your own (in `write { }`, of a progress, of a migration) is not interrupted: the next call in it throws, and the locks of
  /// its session are released when it returns.
  /// - Parameter limit: how long to wait for that.
  /// - Throws: ``DAOCriteria/DAOError/timedOut(_:message:)`` where something is still held then. The stores are suspended all the same.
  ///   ``DAOCriteria/DAOError/misuse(_:use:)`` inside a closure of one of the stores, whose end it would wait for.
  public func suspend(within limit: Duration = .seconds(5)) throws {
    try begin()
    // Once it has begun, nothing but its own limit ends it.
    try BlockedThread.uninterrupted { try release(within: limit) }
  }

  /// Waits until the calls being suspended hold no lock. It does not suspend again: the stores may have been resumed meanwhile.
  func release(within limit: Duration) throws {
    let deadline = Deadline(limit)
    func refuse(_ held: [String]) -> DAOError {
      .timedOut(
        .deadline, message: "not all locks were released after \(limit); there was still \(held.joined(separator: ", "))")
    }
    // One at a time.
    guard turn.lock(before: deadline.date) else { throw refuse(["another suspension that waits"]) }
    defer {
      turn.unlock()
      goOnIfResumed()
    }
    while isSuspended {
      let count = condition.withLock { resumeCount }
      let held = release(by: deadline) { [self] in isSuspended && condition.withLock { resumeCount == count } }
      // If it was resumed and suspended again meanwhile, connections used in between must be released too.
      if condition.withLock({ resumeCount != count }) { continue }
      // Not before: whoever logs it may take time, and the system gives little.
      if held.isEmpty, isSuspended { for engine in openEngines() { engine.configuration.events?(.suspended) } }
      if held.isEmpty || !isSuspended { return }
      throw refuse(held)
    }
  }

  /// Waits until nothing holds a lock.
  /// - Parameter isDue: whether it has been suspended ever since.
  /// - Returns: what still holds one at the deadline, in words.
  private func release(by deadline: Deadline, while isDue: () -> Bool) -> [String] {
    var held = wait(by: deadline) { workCount > 0 } ? ["a call that does something to a whole store"] : []
    if !isDue() { return [] }
    let entries = condition.withLock { engines }
    // Not under the lock: an engine that goes away with its last reference asks for it.
    let found = entries.map { (identity: $0.key, engine: $0.value.engine) }
    for engine in found.compactMap(\.engine) { held += engine.releaseLocks(by: deadline, while: isDue) }
    // One that goes away at this moment is out of reach, and closes by itself.
    let leaving = Set(found.filter { $0.engine == nil }.map(\.identity))
    if wait(by: deadline, while: { !leaving.isDisjoint(with: engines.keys) }) { held.append("a store that is being closed") }
    return held
  }

  /// Waits while something holds.
  /// - Returns: whether it still does at the deadline.
  private func wait(by deadline: Deadline, while holds: () -> Bool) -> Bool {
    condition.withLock {
      while holds(), isSuspended, condition.wait(until: deadline.date) {}
      return holds()
    }
  }

  /// Refuses calls, and ends what runs, from now on.
  func begin() throws {
    if Self.current === self { throw Self.nested }
    for engine in openEngines() { try engine.refuseNesting(Self.nested) }
    condition.withLock {
      dao_flag_set(flag, 1)
      // An integrity check asks no progress handler.
      for handle in handles { sqlite3_interrupt(handle) }
    }
  }

  /// Accepts calls again. Calls that were suspended are not repeated.
  public func resume() {
    let wasSuspended = condition.withLock {
      defer {
        dao_flag_set(flag, 0)
        resumeCount += 1
        condition.broadcast()
      }
      return isSuspended
    }
    if wasSuspended {
      goOnIfResumed()
      for engine in openEngines() { engine.configuration.events?(.resumed) }
    }
  }

  /// Has stores keep connections again, unless they are suspended. If a call still releases locks, that call does it at its end: resuming
  /// does not wait.
  private func goOnIfResumed() {
    guard !isSuspended, turn.try() else { return }
    defer { turn.unlock() }
    if !isSuspended { for engine in openEngines() { engine.goOn() } }
  }

  private static let nested = DAOError.misuse("a store was suspended inside one of its closures", use: "the same call from outside")

  private func openEngines() -> [SQLiteEngine] { condition.withLock { engines.values.compactMap(\.engine) } }

  /// Has an engine's locks released too.
  func add(_ engine: SQLiteEngine) { condition.withLock { engines[ObjectIdentifier(engine)] = WeakEngine(engine: engine) } }

  /// Forgets an engine, which has closed.
  func remove(_ engine: SQLiteEngine) {
    condition.withLock {
      engines[ObjectIdentifier(engine)] = nil
      condition.broadcast()
    }
  }

  /// Runs a body that works on a whole store without a factory, such as one that uses a ``StoreBootstrapper``.
  /// - Throws: ``DAOCriteria/DAOError/suspended`` where it is suspended before or meanwhile, and the errors of the body.
  public func run<Result>(_ body: () throws -> Result) throws -> Result {
    try condition.withLock {
      try check()
      workCount += 1
    }
    defer {
      condition.withLock {
        workCount -= 1
        condition.broadcast()
      }
    }
    let outer = dao_thread_suspension()
    dao_set_thread_suspension(Unmanaged.passUnretained(self).toOpaque())
    defer { dao_set_thread_suspension(outer) }
    do { return try body() } catch {
      // Whatever else it looks like to who met it.
      try check()
      throw error
    }
  }

  /// Runs a body with a connection of its own, which no other call uses.
  func using<Result>(_ handle: OpaquePointer, _ body: () throws -> Result) throws -> Result {
    let isFirst = try condition.withLock {
      try check()
      return handles.insert(handle).inserted
    }
    defer { if isFirst { condition.withLock { _ = handles.remove(handle) } } }
    return try body()
  }

  /// - Throws: ``DAOCriteria/DAOError/suspended``.
  func check() throws { if isSuspended { throw DAOError.suspended } }
}

extension DAOError {
  /// Whether a call was ended, which says nothing about the file that it read.
  var isInterruption: Bool {
    switch self {
    case .suspended, .timedOut: true
    default: false
    }
  }
}

#if os(iOS) || os(tvOS) || os(visionOS)
  extension Suspension {
    /// Suspends while the app, or the host of the extension, is in the background. An app that works in the background calls ``resume()``
    /// when that work begins, and ``suspend(within:)`` when its time ends.
    public static let app = Suspension(
      suspendingOn: [
        Notification.Name("UIApplicationDidEnterBackgroundNotification"),
        Notification.Name("NSExtensionHostDidEnterBackgroundNotification"),
      ],
      resumingOn: [
        Notification.Name("UIApplicationWillEnterForegroundNotification"),
        Notification.Name("NSExtensionHostWillEnterForegroundNotification"),
      ])
  }
#endif
