import CDAOSystem
import DAOCriteria

/// A call that a task awaits. It waits for its slot without a thread; then a thread of the line's works for it. The task may cancel it at
/// any time.
package class AsyncCall: Waiter, @unchecked Sendable {
  /// Set when the call is cancelled; progress handlers read it.
  @usableFromInline final let cancelled = dao_flag_make()
  /// The line in which the call has a slot, or waits.
  @usableFromInline final let line: CallLine
  // Whether what the thread does for the call now comes to its end all the same. Touched by that thread alone.
  @usableFromInline final var isUninterrupted = false
  // A wait of the thread that works for the call. Guarded by `waiterLock`.
  private final var blocked: BlockedThread?

  init(_ holder: ConnectionHolder, in line: CallLine, by limit: TimeLimit?) {
    self.line = line
    super.init(holder, by: limit)
  }

  deinit { dao_flag_free(cancelled) }

  /// The call that this thread works for.
  @inlinable
  package static var current: AsyncCall? {
    dao_thread_call().map { Unmanaged<AsyncCall>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether its task was cancelled, for the thread that works for it.
  @inlinable
  package final var isCancelled: Bool { dao_flag_is_set(cancelled) != 0 && !isUninterrupted }

  /// Ends the call's wait, or that of the thread that works for it; a statement that runs finds the flag.
  final func cancel() {
    dao_flag_set(cancelled, 1)
    end(by: CancellationError())
    waiterLock.withLock { blocked }?.end(by: CancellationError())
  }

  /// Has a wait of the thread that works for the call end when the call is cancelled.
  final func block(on waiter: BlockedThread) {
    if isUninterrupted { return }
    waiterLock.withLock { blocked = waiter }
    if isCancelled { waiter.end(by: CancellationError()) }
  }

  final func unblock() { waiterLock.withLock { blocked = nil } }

  /// Whether this thread works for a call that has a slot of the line.
  @inlinable package static func hasPlace(in line: CallLine) -> Bool { current?.line === line }

  /// Runs a body as the work of the call.
  final func working<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = dao_thread_call()
    dao_set_thread_call(Unmanaged.passUnretained(self).toOpaque())
    defer { dao_set_thread_call(outer) }
    return try body()
  }

  /// Runs a body of the thread that works for the call, which the call's cancellation does not end.
  final func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isUninterrupted
    isUninterrupted = true
    defer { isUninterrupted = outer }
    return try body()
  }

  package override func proceed(to place: Int) -> Bool {
    if hasEnded { return false }
    line.start(self, at: place)
    return true
  }

  /// Does the work, unless the call was cancelled before.
  func run() {}

  /// Hands the result to the task. The slot was left.
  func finish() {}
}
