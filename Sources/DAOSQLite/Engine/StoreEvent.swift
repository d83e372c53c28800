import DAOCriteria

/// Something that happens to a store apart from its statements, for its log and its metrics.
package enum StoreEvent: Sendable {
  /// A statement failed, or a connection could not be opened.
  case failed(DAOError)
  /// A transaction, or a single statement, has written to the store's file.
  case committed
  /// A transaction was rolled back.
  case rolledBack
  /// A connection waits for another process's lock; the first time, and each time that it tries again.
  case waitsForLock(isFirst: Bool)
  /// A connection has waited for another process's lock as long as it may.
  case gaveUpLock
  /// Readers that overlap prevent the write-ahead log from being started anew; it has so many pages.
  case longLog(pages: Int)
  /// The store was suspended.
  case suspended
  /// The store lets calls in again.
  case resumed
}
