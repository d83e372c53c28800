import CDAOSystem

/// The holder of a connection, for the error of a call that waited for one in vain.
package struct ConnectionHolder: Sendable, CustomStringConvertible {
  /// The use of the connection.
  package enum Activity: String, Sendable {
    case statement = "a call"
    case readSession = "read { }"
    case writeSession = "write { }"
    case asyncRead = "a call with await that reads"
    case asyncWrite = "a call with await that writes"
    case maintenance = "a call that closes, opens, removes or resets the store"
  }

  package let activity: Activity
  // Nil for a call with await, which has no thread yet when it is noted.
  @usableFromInline let thread: UInt64?

  /// The calling thread as a holder.
  @inlinable @inline(__always)
  package static func thisThread(_ activity: Activity) -> Self { Self(activity: activity, thread: dao_thread_number()) }

  /// A call that waits without a thread.
  package static func call(_ activity: Activity) -> Self { Self(activity: activity, thread: nil) }

  package var description: String { activity.rawValue + (thread.map { " on thread \($0)" } ?? "") }
}
