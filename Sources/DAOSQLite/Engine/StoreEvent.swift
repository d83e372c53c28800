import DAOCriteria

/// Something that happens to a store apart from its statements, for its log and its metrics.
package enum StoreEvent: Sendable {
  /// A statement failed.
  case failed(DAOError)
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
