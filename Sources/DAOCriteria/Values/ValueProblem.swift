/// Why a value does not fit where it was to be kept, or could not be read from there.
///
/// The store adds entity, attribute and row and throws it on as ``DAOError``.
public struct ValueProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence without a subject: "expects a date, not the text \"soon\"".
  public let description: String

  /// A problem in one sentence without a subject.
  public init(_ description: String) { self.description = description }
}
