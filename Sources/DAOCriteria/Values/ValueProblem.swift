/// The reason why a value can't be stored as an attribute, or could not be read from its column.
///
/// The store adds entity, attribute and row and throws it on as ``DAOError``.
public struct ValueProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence without a subject: "expects a date, not the text \"soon\"".
  public let description: String

  /// A problem in one sentence without a subject.
  public init(_ description: String) { self.description = description }
}

extension CustomStringConvertible {
  /// The value, which may be untrusted, as messages show it: not too long, and on one line.
  package var shown: String {
    let text = description.unicodeScalars
    let scalars = text.prefix(64).map { $0.breaksLine ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars)) + (text.dropFirst(64).isEmpty ? "" : "…")
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLine: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
