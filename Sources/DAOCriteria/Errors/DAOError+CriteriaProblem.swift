extension DAOError {
  /// One thing that is wrong with a query.
  public struct CriteriaProblem: Sendable, Hashable, CustomStringConvertible {
    /// The field path at fault, or the position in the JSON; empty where the problem is with the whole.
    public let path: String
    /// The problem, in one sentence.
    public let message: String
    /// The nearest name there is, where a name is unknown.
    public let suggestion: String?

    /// A problem.
    public init(path: String, message: String, suggestion: String? = nil) {
      self.path = path
      self.message = message
      self.suggestion = suggestion
    }

    /// Path, sentence and suggestion in one line.
    public var description: String {
      (path.isEmpty ? "" : "\(path): ") + message + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
    }
  }
}
