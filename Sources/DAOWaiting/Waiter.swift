import DAOCriteria
import Foundation

/// A waiter for a slot in a ``WaitingLine``: a thread that blocks, or an asynchronous call that does not.
///
/// A wait ends once: with a slot or with an error. Whoever ends it has exclusive access to the waiter's other state from then on.
package class Waiter: @unchecked Sendable {
  /// By when the wait has to end; nil where only the stall timeout of the line ends it.
  package final let limit: TimeLimit?
  /// Since when it waits.
  package final let start = ContinuousClock.now
  /// The operation that waits for the slot, for the errors of others who wait for it in turn.
  package final let holder: ConnectionHolder
  // Guarded by `waiterLock`.
  private final var isOver = false

  package init(_ holder: ConnectionHolder, by limit: TimeLimit?) {
    self.holder = holder
    self.limit = limit
  }

  /// Ends the wait.
  /// - Returns: false where it has ended already.
  package final func endWait() -> Bool {
    waiterLock.withLock {
      defer { isOver = true }
      return !isOver
    }
  }

  /// Runs a body where the wait has not ended.
  /// - Returns: false where it has.
  final func whileWaiting(_ body: () -> Void) -> Bool {
    waiterLock.withLock {
      if !isOver { body() }
      return !isOver
    }
  }

  /// Whether the wait has ended.
  package final var hasEnded: Bool { waiterLock.withLock { isOver } }

  /// Ends the wait with an error, where it has not ended yet.
  package final func end(by error: any Error) { if endWait() { fail(error) } }

  /// Ends the wait with a slot.
  /// - Returns: false where it has ended already.
  package func proceed(to place: Int) -> Bool { false }

  /// Continues without a slot. The wait has ended.
  package func fail(_ error: any Error) {}
}

/// One lock for all waiters: it is held for an instant, and to make one takes longer.
let waiterLock = NSLock()
