/// The reason why a text can't be read any further, or a record in it.
package struct RecordProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position of the problem.
  package let position: TextPosition
  /// One sentence without a subject: "expects ',' or ']', not '}'".
  package let message: String

  package init(_ position: TextPosition, _ message: String) {
    self.position = position
    self.message = message
  }

  package var description: String { "\(message) (\(position))" }
}
