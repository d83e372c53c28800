/// What a call ran out of.
public enum Timeout: String, Sendable, Hashable {
  /// The time of a ``withDeadline(_:_:)-(_,()->Result)``.
  case deadline = "withDeadline"
  /// The time that the factory gives each statement.
  case statement = "statementTimeout"
  /// The patience with those who hold the connections: for 30 seconds none of them gave one back.
  case connection = "no connection was given back"
}
