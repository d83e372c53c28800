import Foundation

/// Instants as days since noon UTC of 24 November 4714 before our era, as SQLite's date functions have them: to the millisecond
/// (`iJD` in its date.c). The doubles between two milliseconds, about 25, are read as the nearest.
enum JulianDays {
  private static let millisecondsADay = 86_400_000.0
  /// The milliseconds from there to 1970-01-01 00:00 UTC.
  private static let to1970: Int64 = 210_866_760_000_000

  static func days(milliseconds: Int64) -> Double { Double(milliseconds + to1970) / millisecondsADay }

  /// The milliseconds since 1970; nil for a number that is no day of SQLite's, up to the year 9999.
  static func milliseconds(days: Double) -> Int64? {
    guard 0..<5_373_484.5 ~= days else { return nil }
    return Int64((days * millisecondsADay + 0.5).rounded(.down)) - to1970
  }

  /// The first and the last number of days that are read as a millisecond.
  static func bounds(milliseconds: Int64) -> (lower: Double, upper: Double) {
    let middle = days(milliseconds: milliseconds)
    func last(_ next: KeyPath<Double, Double>) -> Double {
      var value = middle
      while Self.milliseconds(days: value[keyPath: next]) == milliseconds { value = value[keyPath: next] }
      return value
    }
    return (last(\.nextDown), last(\.nextUp))
  }
}
