/// A statement that failed while it ran. The store turns it into a ``DAOError`` with the SQL and the reason.
@usableFromInline package struct StepFailure: Error {
  /// The engine's code.
  package let code: Int32

  /// A failure with the engine's code.
  @usableFromInline package init(code: Int32) { self.code = code }
}
