/// How many rows are read at a time: as many as take about a millisecond.
///
/// A batch costs tens of microseconds where an actor waits for it, which is little beside a millisecond. Rows that are large, or far apart
/// in what a query walks through, are returned in small batches, so that few are held and the wait for each is short. The first batch is
/// one row, as the cost of a row is not known yet.
struct BatchSize {
  private(set) var count = 1

  static let most = 4_096

  /// Reads a batch, and learns from the time that it takes.
  mutating func reading<Result>(_ read: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try read()
    adapt(to: start.duration(to: .now))
    return result
  }

  /// Takes four times as many where a batch was over soon, half as many where it took long.
  mutating func adapt(to time: Duration) {
    if time < .microseconds(250) { count = min(count * 4, Self.most) } else if time > .milliseconds(2) { count = max(count / 2, 1) }
  }
}
