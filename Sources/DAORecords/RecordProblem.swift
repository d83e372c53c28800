/// The reason why a text can't be read any further, or a record in it.
package struct RecordProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position of the problem.
  package let place: TextPlace
  /// One sentence without a subject: "expects ',' or ']', not '}'".
  package let message: String

  package init(_ place: TextPlace, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String { "\(message) (\(place))" }
}
