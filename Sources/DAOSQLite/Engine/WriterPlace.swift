import Foundation

/// The connection that writes, opened when it is first needed.
final class WriterPlace: @unchecked Sendable {
  private let open: @Sendable () throws -> Lane
  private let lock = NSLock()
  // Guarded by the lock.
  private var opened: Lane?

  /// - Parameter open: opens the connection. Where it throws, the next call tries again.
  init(_ open: @escaping @Sendable () throws -> Lane) { self.open = open }

  /// The connection.
  var lane: Lane {
    get throws {
      try lock.withLock {
        if let opened { return opened }
        let lane = try open()
        opened = lane
        return lane
      }
    }
  }
}
