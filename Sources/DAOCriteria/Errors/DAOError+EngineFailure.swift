extension DAOError {
  /// An error that the engine reported.
  public struct EngineFailure: Sendable, Hashable {
    /// The engine's (extended) code.
    public let code: Int32
    /// The engine's message.
    public let message: String
    /// The statement, with placeholders for its values.
    public let sql: String?
    /// How many values the statement takes; the values themselves are left out.
    public let argumentCount: Int

    /// A failure with code and message.
    public init(code: Int32, message: String, sql: String? = nil, argumentCount: Int = 0) {
      self.code = code
      self.message = message
      self.sql = sql
      self.argumentCount = argumentCount
    }
  }
}
