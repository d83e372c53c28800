/// Whether a call or a session writes.
public enum SessionMode: Sendable {
  /// One snapshot, no writes.
  case read
  /// One transaction that has the write lock from its start.
  case write
}
