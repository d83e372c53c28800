/// The point in time by which a call has to end, and what set it. A class: that there is none, as with most statements, is then one
/// comparison, while an instant's size is known at run time alone.
package final class TimeLimit: Sendable {
  /// When it is over.
  package let end: ContinuousClock.Instant
  /// How long it was when it began.
  package let length: Duration
  /// The kind of limit that the call reaches first.
  package let cause: DAOError.Timeout

  package init(_ length: Duration, _ cause: DAOError.Timeout, from start: ContinuousClock.Instant = .now) {
    end = start + length
    self.length = length
    self.cause = cause
  }

  /// The limit of the innermost ``withDeadline(_:_:)-(_,()->Result)``, or an outer one that ends sooner.
  @TaskLocal package static var scoped: TimeLimit?

  /// The one of two limits that ends first.
  package static func first(_ one: TimeLimit?, _ other: TimeLimit?) -> TimeLimit? {
    guard let one else { return other }
    guard let other else { return one }
    return one.end <= other.end ? one : other
  }

  /// Whether it is over.
  package var isOver: Bool { end <= .now }

  /// The error of a call that has not ended by then.
  /// - Parameter activity: what the call was doing.
  package func error(_ activity: String) -> DAOError {
    .timedOut(cause, message: "\(activity) had not ended after \(length) (\(cause.rawValue))")
  }
}
