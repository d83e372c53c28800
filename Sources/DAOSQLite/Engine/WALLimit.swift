import DAOWaiting
import GRDBSQLite

/// Keeps a store's write-ahead log short. SQLite begins the log anew when a write meets nobody who reads from it (sqlite.org/wal.html,
/// section 6): readers who overlap without a pause prevent that for ever, and the log grows with each commit. So a commit after which it is
/// long waits a moment for them; those who begin meanwhile read the store's file.
final class WALLimit {
  /// So many pages are folded into the file, as SQLite does by itself.
  private static let folded: CInt = 1_000
  /// Above so many pages a commit waits for readers, and again each time that so many more have come: 16 MB of pages of 4 KB.
  private static let most: CInt = 4_096
  /// How often it looks again, and after what time: 100 ms in all.
  private static let (attempts, pause) = (50, Duration.milliseconds(2))

  private let limits: ConnectionLimits
  private let events: (@Sendable (StoreEvent) -> Void)?
  private var next = most

  init(_ limits: ConnectionLimits, events: (@Sendable (StoreEvent) -> Void)? = nil) {
    self.limits = limits
    self.events = events
  }

  /// Watches a connection that writes, until ``uninstall(from:)``.
  func install(on handle: OpaquePointer) {
    sqlite3_wal_hook(
      handle,
      { limit, handle, name, pages in
        if let limit { Unmanaged<WALLimit>.fromOpaque(limit).takeUnretainedValue().noteCommit(handle, name, pages) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The log is still folded into the file when the connection closes.
  static func uninstall(from handle: OpaquePointer) { sqlite3_wal_hook(handle, nil, nil) }

  private func noteCommit(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ pages: CInt) {
    events?(.committed)
    if pages < Self.most { next = Self.most }
    if pages >= Self.folded { sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
    if pages < next { return }
    next = pages + Self.most
    limits.withoutBusyTimeout {
      for _ in 0..<Self.attempts {
        if sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_RESTART, nil, nil) != SQLITE_BUSY || limits.isSuspended { return }
        BlockedThread.sleep(for: Self.pause)
      }
      events?(.longLog(pages: Int(pages)))
    }
  }
}
