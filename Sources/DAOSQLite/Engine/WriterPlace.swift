import Foundation

/// The connection that writes, opened when it is first needed.
final class WriterPlace: @unchecked Sendable {
  private let open: @Sendable () throws -> Lane
  private let lock = NSLock()
  // Guarded by the lock.
  private var opened: Lane?
  // Could write too: kept so that the one that closes last can fold the WAL in where nothing was written.
  private let substitute: Lane?

  /// - Parameters:
  ///   - substitute: what stands in for the connection when the store closes.
  ///   - open: opens the connection. Where it throws, the next call tries again.
  init(substitute: Lane? = nil, open: @escaping @Sendable () throws -> Lane) {
    self.substitute = substitute
    self.open = open
  }

  /// The connection, opened as the inside of an engine: its trace may call a DAO, which is not to wait for this very connection.
  func lane(for engine: SQLiteEngine) throws -> Lane {
    try lock.withLock {
      if let opened { return opened }
      let lane = try ThreadMarker.entering(engine, open)
      opened = lane
      return lane
    }
  }
}
