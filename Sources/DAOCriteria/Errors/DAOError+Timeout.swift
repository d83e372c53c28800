extension DAOError {
  /// The resource that a call waited for too long.
  public enum Timeout: String, Sendable, Hashable {
    /// The time of a ``withDeadline(_:_:)-(_,()->Result)``.
    case deadline = "withDeadline"
    /// The time that the factory gives each statement.
    case statement = "statementTimeout"
    /// A connection: for 30 seconds, no holder returned one.
    case connection = "no connection was given back"
  }
}
