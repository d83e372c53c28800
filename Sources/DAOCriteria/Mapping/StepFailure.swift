/// A statement that failed while it ran. The store turns it into a ``DAOError`` with the SQL and the reason.
public struct StepFailure: Error {
  /// The engine's code.
  public let code: Int32

  /// A failure with the engine's code.
  public init(code: Int32) { self.code = code }
}
