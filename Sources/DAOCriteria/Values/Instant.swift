import Foundation

/// An instant as it is counted: the whole seconds since 1970-01-01 00:00 UTC, rounded down, and the nanoseconds behind them.
package struct Instant: Sendable, Hashable, Comparable {
  package var seconds: Int64
  package var nanoseconds: Int64

  init(seconds: Int64, nanoseconds: Int64 = 0) { (self.seconds, self.nanoseconds) = (seconds, nanoseconds) }

  package static func < (a: Instant, b: Instant) -> Bool { (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds) }

  /// - Parameter count: the units of the last of so many digits of the second since 1970.
  init(count: Int64, digits: Int) {
    let (quotient, remainder) = count.dividedDown(by: Self.powers[digits])
    self.init(seconds: quotient, nanoseconds: remainder * Self.powers[9 - digits])
  }

  /// The whole second of a number of seconds since 2001, with the nanoseconds rounded down; nil beyond 2^53 seconds.
  init?(sinceReference seconds: Double) {
    let whole = seconds.rounded(.down)
    guard whole.magnitude < 0x1p53 else { return nil }
    self.init(seconds: Int64(whole) + Int64(UnixSeconds.from1970To2001), nanoseconds: Int64((seconds - whole) * 1e9))
  }

  /// The instant with so many digits of the second that is nearest to a date.
  init(nearestTo date: Date, digits: Int) {
    let exact = date.timeIntervalSince1970
    let whole = exact.rounded(.down)
    let unit = Self.powers[digits]
    let part = ((exact - whole) * Double(unit)).rounded()
    seconds = Int64(whole) + (part >= Double(unit) ? 1 : 0)
    nanoseconds = part >= Double(unit) ? 0 : Int64(part) * Self.powers[9 - digits]
  }

  /// The date that is nearest, as `Date(timeIntervalSince1970: 1795241940.123456)` is; in the year 9999 the last one of that, since its
  /// last microseconds, with which programs say “never”, are nearer to the next.
  var date: Date {
    if nanoseconds == 0 { return Date(timeIntervalSince1970: Double(seconds)) }
    let date = Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
    return seconds < Int64(AttributeType.DateStorage.range.upperBound) ? min(date, Self.last) : date
  }

  /// The last date of the year 9999.
  private static let last = Date(
    timeIntervalSinceReferenceDate: (AttributeType.DateStorage.range.upperBound - UnixSeconds.from1970To2001).nextDown)

  /// The instant so many units of the last of some digits later.
  func advanced(by count: Int64, digits: Int) -> Instant {
    let unit = Self.powers[digits]
    let part = Self.powers[9 - digits]
    let (quotient, remainder) = (nanoseconds / part + count).dividedDown(by: unit)
    return Instant(seconds: seconds + quotient, nanoseconds: remainder * part)
  }

  /// Powers of 10, up to the ninth.
  static let powers: [Int64] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]

  /// Whether dates are so far from 1970, or from 2001, that a `Date` may be read from several microseconds: before 1865, after 2106.
  static func isFar(_ date: Date) -> Bool { date.timeIntervalSinceReferenceDate <= -0x1p32 || date.timeIntervalSince1970 >= 0x1p32 }

  /// The first and the last instant with so many digits of the second that are read as a date; both the nearest where none is.
  static func bounds(_ date: Date, digits: Int) -> (lower: Instant, upper: Instant) {
    let middle = Instant(nearestTo: date, digits: digits)
    guard middle.date == date else { return (middle, middle) }
    // A date is at most so far from what is read as it.
    let width = max(date.timeIntervalSinceReferenceDate.ulp, date.timeIntervalSince1970.ulp, UnixSeconds.from1970To2001.ulp)
    let most = Int64(width * Double(powers[digits])) + 1
    /// The last step from the middle, in a direction, that is read as the date.
    func last(_ direction: Int64) -> Instant {
      var (inside, outside) = (Int64(0), most + 1)
      while outside - inside > 1 {
        let step = (inside + outside) / 2
        if middle.advanced(by: direction * step, digits: digits).date == date { inside = step } else { outside = step }
      }
      return middle.advanced(by: direction * inside, digits: digits)
    }
    return (last(-1), last(1))
  }
}
