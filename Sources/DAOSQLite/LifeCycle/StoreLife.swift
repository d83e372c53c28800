import DAOCriteria
import DAOWaiting

/// Whose turn it is to close, open, remove or reset a store, and whether it is closed.
final class StoreLife: @unchecked Sendable {
  /// The line of those who want to.
  let line = CallLine(places: 1, "another call that closes, opens, removes or resets the store", stallTimeout: .seconds(3600))
  /// Touched by whose turn it is.
  var isClosed = false

  /// Runs a body when nobody else does; nil where that is not by the deadline.
  func alone<Result>(by deadline: Deadline, _ body: () throws -> Result) throws -> Result? {
    var hasBegun = false
    do {
      return try line.run(.maintenance, by: TimeLimit.first(TimeLimit.scoped, TimeLimit(deadline.left, .deadline))) {
        hasBegun = true
        return try body()
      }
    } catch DAOError.timedOut where !hasBegun { return nil }
  }
}
