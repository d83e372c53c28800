import Foundation

/// Instants as seconds since 1970, in a column where other programs may have written any double.
///
/// `Date` counts from 2001, so before the middle of 1985 it has fewer bits for the fraction than a double that counts from 1970: many
/// stored values are read as one date. A date in a filter stands for all of them. It is written as the one with the fewest decimal digits:
/// a value read as 0.1 is written as 0.1 again.
package enum UnixSeconds {
  /// The seconds between the two epochs.
  package static let from1970To2001 = 978_307_200.0

  /// Before this, several stored values are read as one date.
  private static let endOfEarlyDates = from1970To2001 / 2

  /// Whether several stored values are read as this date.
  static func isEarly(_ date: Date) -> Bool { date.timeIntervalSince1970 < endOfEarlyDates }

  /// The stored value that a date is written as.
  static func stored(_ date: Date) -> Double {
    let seconds = date.timeIntervalSince1970
    guard isEarly(date), seconds != seconds.rounded() else { return seconds }
    // Up to nine digits distinguish any two dates.
    for digits in 0..<10 {
      let scale = pow(10, Double(digits))
      let short = (seconds * scale).rounded() / scale
      if isRead(short, as: date) { return short }
    }
    return seconds
  }

  /// The smallest and the largest stored value that are read as a date.
  static func bounds(_ date: Date) -> ClosedRange<Double> {
    let middle = stored(date)
    guard isEarly(date) else { return middle...middle }
    let (reference, exact) = (date.timeIntervalSinceReferenceDate, date.timeIntervalSince1970)
    let lower = bound(exact - (reference - reference.nextDown) / 2, of: date, outward: \.nextDown, inward: \.nextUp)
    let upper = bound(exact + (reference.nextUp - reference) / 2, of: date, outward: \.nextUp, inward: \.nextDown)
    return min(lower, middle)...max(upper, middle)
  }

  /// The seconds since 2001 as which a stored value is read: equal for all values that are read as one date.
  static func sinceReference(_ seconds: Double) -> Double { seconds - from1970To2001 }

  private static func isRead(_ seconds: Double, as date: Date) -> Bool {
    sinceReference(seconds) == date.timeIntervalSinceReferenceDate
  }

  /// The last value that is read as a date, from one that is at most a few doubles away from it.
  private static func bound(
    _ guess: Double, of date: Date, outward: KeyPath<Double, Double>, inward: KeyPath<Double, Double>
  ) -> Double {
    var value = guess
    while !isRead(value, as: date) { value = value[keyPath: inward] }
    while isRead(value[keyPath: outward], as: date) { value = value[keyPath: outward] }
    return value
  }
}
