import DAOCriteria

/// A database as the SQL floor sees it: the requirements on a driver.
package protocol Engine: ConnectionSource {
  /// The dialect that its statements are written in.
  var dialect: SQL.Dialect { get }

  /// Who follows its commits.
  var feed: ChangeFeed { get }

  /// Runs a body over a session of its own: one connection, one transaction.
  func session<Result>(_ mode: SessionMode, _ body: (Session) throws -> Result) throws -> Result

  /// Runs a body that calls this engine on a thread that does not belong to Swift's concurrency; see ``EntityStore``.
  func perform<Result: Sendable>(
    _ mode: SessionMode, isolation: isolated (any Actor)?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result

  /// Runs a body on the calling thread, with a connection to read, if that waits for nobody and takes a few microseconds.
  /// - Returns: false where it would take longer. The body may have begun; nothing that it read counts.
  func readBriefly(_ body: (any Connection) throws -> Void) throws -> Bool

  /// Leases a read connection that the caller keeps between calls; nil where the engine has no connection to spare.
  func lease() throws -> (any ConnectionLease)?

  /// The session type, which holds the one connection.
  typealias Session = ConnectionSession
}
