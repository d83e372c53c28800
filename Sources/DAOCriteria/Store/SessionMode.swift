/// The access of a call or a session: reading or writing.
public enum SessionMode: Sendable {
  /// One snapshot, no writes.
  case read
  /// One transaction that has the write lock from its start.
  case write
}
