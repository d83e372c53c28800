import DAOCriteria

/// The work of one call of a function that may take long: it counts for the query that calls it, and the limits are checked once in 64 kB.
final class FunctionWork {
  private let context: TextFunctions.Context
  @exclusivity(unchecked) private var bytes = 0

  init(_ context: TextFunctions.Context) { self.context = context }

  /// Counts bytes that have been read.
  /// - Throws: `CancellationError` where a limit is reached; see ``ConnectionLimits/goOn()``.
  func add(bytes count: Int) throws {
    bytes += max(0, count)
    guard bytes >= TextFunctions.pieceLength else { return }
    try finish()
    try ConnectionLimits.goOn()
  }

  /// Counts the work that has not been charged yet.
  /// - Throws: `CancellationError` where the budget is spent.
  func finish() throws {
    guard FunctionCharge.take(bytes: bytes, context) else { throw CancellationError() }
    bytes %= RunBudget.bytesPerStep
  }
}
