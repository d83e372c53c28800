import DAOCriteria

/// One connection inside one transaction, for as long as the closure of `read` or `write` runs.
///
/// It can be kept, but not used: after its end, and on another thread, every call is a typed error.
package final class ConnectionSession: ConnectionSource, @unchecked Sendable {
  // Only ever touched on the thread that the session runs on, which `check` makes sure of.
  private let connection: any Connection
  private let mode: SessionMode
  private let isOnItsThread: @Sendable () -> Bool
  private var isOpen = true

  /// A session over a connection that is inside a transaction.
  /// - Parameter isOnItsThread: whether the calling thread is the one that the session's closure runs on.
  package init(_ connection: any Connection, _ mode: SessionMode, isOnItsThread: @escaping @Sendable () -> Bool) {
    self.connection = connection
    self.mode = mode
    self.isOnItsThread = isOnItsThread
  }

  /// Ends the session.
  package func close() { isOpen = false }

  /// The session's connection.
  package func read<Result>(snapshot: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    try check()
    return try body(connection)
  }

  /// The session's connection; atomic statements get a savepoint.
  package func write<Result>(atomic: Bool, _ body: (any Connection) throws -> Result) throws -> Result {
    try check()
    guard case .write = mode else { throw DAOError.sessionOnlyReads }
    if atomic { return try connection.savepoint { try body(connection) } }
    // Asked first: a generic call through a protocol takes its time.
    return connection.capturesChanges ? try connection.statement { try body(connection) } : try body(connection)
  }

  /// Runs a body inside the session: one that writes in a savepoint.
  package func withSession<Result>(_ mode: SessionMode, _ body: () throws -> Result) throws -> Result {
    mode == .read ? try read(snapshot: true) { _ in try body() } : try write(atomic: true) { _ in try body() }
  }

  private func check() throws {
    // The thread is asked first: a session's state may only be accessed where the session runs.
    guard isOnItsThread() else { throw DAOError.sessionElsewhere }
    guard isOpen else { throw DAOError.sessionOver }
    // Later statements would be committed at once, each by itself.
    guard connection.isInTransaction else {
      throw DAOError.misuse("an earlier error in the session has rolled everything back", use: "a new session")
    }
  }
}
