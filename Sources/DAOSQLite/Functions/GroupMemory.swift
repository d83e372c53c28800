import GRDBSQLite

/// The memory of one of the library's aggregate functions for a group: an object. SQLite holds the memory for a reference to it, which is
/// zero at first.
enum GroupMemory<Group: AnyObject> {
  /// The memory, made where there is none; nil where SQLite has no memory left.
  static func made(_ context: OpaquePointer?) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    memory(context, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))
  }

  /// The group at its end, no longer retained by SQLite; nil where nothing was added to it.
  static func taken(_ context: OpaquePointer?) -> Group? {
    guard let memory = memory(context, 0), let kept = memory.pointee else { return nil }
    memory.pointee = nil
    return Unmanaged<Group>.fromOpaque(kept).takeRetainedValue()
  }

  private static func memory(_ context: OpaquePointer?, _ size: Int32) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
