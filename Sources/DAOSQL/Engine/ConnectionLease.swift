import DAOCriteria

/// A connection that is kept from call to call, and goes back when the lease does. It keeps the engine in memory, but not open: an engine
/// that is closed takes the connection back, and calls that follow throw.
package protocol ConnectionLease: AnyObject, Sendable {
  /// The object that stays open on the connection between two calls, such as a statement being stepped. It is released before the
  /// connection, and accessed only inside ``run(_:)``.
  var held: AnyObject? { get set }

  /// Runs a body with the connection. Threads take turns.
  func run<Result>(_ body: (any Connection) throws -> Result) throws -> Result
}
