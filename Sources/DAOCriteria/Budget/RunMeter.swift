/// Counts the steps that a query takes, and ends it when its budget is spent.
///
/// One thread at a time uses a meter. The clock is read once in ``stepsBetweenReadings`` steps, so a step costs a subtraction.
package final class RunMeter {
  private let budget: RunBudget
  private let start: ContinuousClock.Instant
  // The steps until the clock is read next, and those that are left after that.
  private var untilReading = 0
  private var left: Int
  /// The limit that has been exceeded.
  package private(set) var exceeded: RunBudget.Limit?

  /// How many steps are taken between two readings of the clock.
  package static let stepsBetweenReadings = 20_000

  /// A meter whose time begins now.
  package init(_ budget: RunBudget) {
    self.budget = budget
    start = .now
    left = max(0, budget.steps)
    refill()
  }

  /// How many steps have been taken.
  package var steps: Int { budget.steps - left - untilReading }

  /// Counts steps.
  /// - Parameter readingClock: whether the clock is read now, and not only once in ``stepsBetweenReadings`` steps.
  /// - Returns: false where the budget is spent.
  package func take(_ steps: Int = 1, readingClock: Bool = false) -> Bool {
    untilReading -= steps
    return untilReading >= 0 && !readingClock || hasMore()
  }

  private func hasMore() -> Bool {
    if exceeded != nil { return false }
    if left + untilReading < 0 { exceeded = .steps(budget.steps) }
    if start.duration(to: .now) > budget.time { exceeded = exceeded ?? .time(budget.time) }
    if exceeded != nil { return false }
    refill()
    return true
  }

  private func refill() {
    left += untilReading
    untilReading = min(left, Self.stepsBetweenReadings)
    left -= untilReading
  }
}
