import Foundation

extension AttributeType.DateStorage {
  /// Dates outside the years 0001 to 9999 have no fixed-width text, so no form takes them.
  @inlinable static var range: Range<Double> { -62_135_596_800.0..<253_402_300_800.0 }

  /// The storage classes of the form's values.
  var storedForm: StoredForm {
    switch self {
    case .unixMilliseconds, .unixMicroseconds, .unixNanoseconds: .integer
    case .unixSeconds, .secondsSince2001, .julianDays: .number
    case .iso8601, .unixSecondsText, .unixMillisecondsText, .text: .text
    }
  }

  /// How many digits of the second are counted; nil for the forms of doubles.
  var digits: Int? {
    switch self {
    case .unixSecondsText: 0
    case .iso8601, .unixMilliseconds, .unixMillisecondsText: 3
    case .unixMicroseconds: 6
    case .unixNanoseconds: 9
    case .text(let pattern): pattern.digitCount
    case .unixSeconds, .secondsSince2001, .julianDays: nil
    }
  }

  /// Whether its values say an instant exactly, by digits.
  package var isCounted: Bool { digits != nil }

  /// The same instant in another form that counts digits; nil where that has too few, or no value for it.
  package func converting(_ value: StoredValue, to other: AttributeType.DateStorage) -> StoredValue? {
    guard let digits = other.digits, let instant = instant(value), Self.range.contains(instant.date.timeIntervalSince1970),
      instant.nanoseconds.isMultiple(of: Instant.powers[9 - digits]), let stored = try? other.stored(instant)
    else { return nil }
    return other.instant(stored) == instant ? stored : nil
  }

  /// The stored form of a date.
  /// - Throws: ``ValueProblem`` outside the years 0001 to 9999, and for a date that the form has no value for, as ``DatePattern`` says.
  public func stored(_ date: Date) throws -> StoredValue {
    guard Self.range.contains(date.timeIntervalSince1970) else { throw Self.outside }
    switch self {
    case .unixMilliseconds: return .integer(try Self.milliseconds(date))
    case .unixSeconds: return .number(UnixSeconds.stored(date))
    case .iso8601: return .text(try ISO8601Text.text(milliseconds: Self.milliseconds(date)))
    case .secondsSince2001: return .number(date.timeIntervalSinceReferenceDate)
    case .julianDays: return .number(JulianDays.days(milliseconds: try Self.milliseconds(date)))
    case .unixNanoseconds:
      // The date that the last integers are read as lies beyond them.
      for end in [Int64.max, .min] where Instant(count: end, digits: 9).date == date { return .integer(end) }
      return try stored(Instant(nearestTo: date, digits: 9))
    case .text(let pattern) where pattern.isOfTimes && pattern.digitCount < 6:
      let instant = Instant(nearestTo: date, digits: pattern.digitCount)
      guard instant == Instant(nearestTo: date, digits: 6) else {
        throw ValueProblem("holds times of the form \(pattern), and this one has more digits")
      }
      return try stored(instant)
    case .unixMicroseconds, .unixSecondsText, .unixMillisecondsText, .text:
      return try stored(Instant(nearestTo: date, digits: digits ?? 0))
    }
  }

  private static var outside: ValueProblem { ValueProblem("can't hold a date outside the years 0001 to 9999") }

  /// The nearest millisecond since 1970.
  static func milliseconds(_ date: Date) throws -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // The last ones of the year 9999 are rounded out of it.
    guard milliseconds < range.upperBound * 1000 else { throw outside }
    return Int64(milliseconds)
  }

  /// The stored form of an instant that has no more digits than the form.
  func stored(_ instant: Instant) throws -> StoredValue {
    guard instant.seconds < Int64(Self.range.upperBound) else { throw Self.outside }
    switch self {
    case .text(let pattern): return .text(try pattern.text(instant))
    case .unixSecondsText: return .text("\(instant.seconds)")
    case .unixMillisecondsText: return .text("\(instant.seconds * 1000 + instant.nanoseconds / 1_000_000)")
    case .unixMicroseconds: return .integer(instant.seconds * 1_000_000 + instant.nanoseconds / 1000)
    case .unixNanoseconds:
      // Towards zero, so that the first of all nanoseconds does not overflow on the way.
      let isEarly = instant.seconds < 0
      let (whole, isTooFar) = (instant.seconds + (isEarly ? 1 : 0)).multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, isOver) = whole.addingReportingOverflow(instant.nanoseconds - (isEarly ? 1_000_000_000 : 0))
      guard !isTooFar, !isOver else { throw ValueProblem("holds nanoseconds from 1677-09-21 to 2262-04-11") }
      return .integer(sum)
    case .iso8601, .unixSeconds, .unixMilliseconds, .secondsSince2001, .julianDays: return try stored(instant.date)
    }
  }

  /// The date that a stored value stands for.
  /// - Throws: ``ValueProblem`` for a value of another form.
  public func date(_ stored: StoredValue) throws -> Date {
    switch (self, stored) {
    case (.unixMilliseconds, .integer(let value)): return Date(timeIntervalSince1970: Double(value) / 1000)
    case (.unixSeconds, .integer(let value)): return Date(timeIntervalSince1970: Double(value))
    case (.unixSeconds, .real(let value)): return Date(timeIntervalSince1970: value)
    default:
      let date: Date? =
        switch (self, stored) {
        case (.secondsSince2001, .integer(let value)): Date(timeIntervalSinceReferenceDate: Double(value))
        case (.secondsSince2001, .real(let value)): Date(timeIntervalSinceReferenceDate: value)
        default: instant(stored)?.date
        }
      // A date that could not be written again would be found by no filter.
      guard let date, Self.range.contains(date.timeIntervalSince1970) else { throw problem(of: stored) }
      return date
    }
  }

  /// The instant that a stored value says exactly; nil for a value of another form, and in forms of doubles beyond 2^53 seconds from 1970.
  package func instant(_ stored: StoredValue) -> Instant? {
    switch (self, stored) {
    case (.iso8601, .text(let text)): return ISO8601Text.milliseconds(text).map { Instant(count: $0, digits: 3) }
    case (.unixMilliseconds, .integer(let count)): return Instant(count: count, digits: 3)
    case (.unixMicroseconds, .integer(let count)): return Instant(count: count, digits: 6)
    case (.unixNanoseconds, .integer(let count)): return Instant(count: count, digits: 9)
    case (.unixSecondsText, .text(let text)): return Self.count(text).map { Instant(count: $0, digits: 0) }
    case (.unixMillisecondsText, .text(let text)): return Self.count(text).map { Instant(count: $0, digits: 3) }
    case (.text(let pattern), .text(var text)): return text.withUTF8 { pattern.instant($0) }
    case (.unixSeconds, .integer(let whole)): return whole.magnitude <= 1 << 53 ? Instant(seconds: whole) : nil
    case (.unixSeconds, .real(let number)): return Instant(sinceReference: UnixSeconds.sinceReference(number))
    case (.secondsSince2001, .integer(let whole)): return Instant(sinceReference: Double(whole))
    case (.secondsSince2001, .real(let number)): return Instant(sinceReference: number)
    case (.julianDays, .integer(let days)): return JulianDays.milliseconds(days: Double(days)).map { Instant(count: $0, digits: 3) }
    case (.julianDays, .real(let days)): return JulianDays.milliseconds(days: days).map { Instant(count: $0, digits: 3) }
    default: return nil
    }
  }

  /// The date that a text of the form's own pattern says; nil where it has none.
  package func dateOfPattern(_ text: String) -> Date? { if case .text = self { try? date(.text(text)) } else { nil } }

  /// An integer in digits, spelled in the one way that a program writes it: another would be read, and then not be found again.
  private static func count(_ text: String) -> Int64? {
    guard let count = Int64(text), "\(count)" == text else { return nil }
    return count
  }

  /// Why a value can't be read.
  func problem(of stored: StoredValue) -> ValueProblem {
    let expected =
      switch self {
      case .iso8601: "a date like 2026-11-21T06:19:00.000Z"
      case .text(let pattern): "a date of the form \(pattern)"
      case .unixSecondsText: "the digits of seconds since 1970, in the years 0001 to 9999"
      case .unixMillisecondsText: "the digits of milliseconds since 1970, in the years 0001 to 9999"
      case .unixMicroseconds: "microseconds since 1970, in the years 0001 to 9999"
      case .unixNanoseconds: "nanoseconds since 1970"
      case .secondsSince2001: "seconds since 2001, in the years 0001 to 9999"
      case .julianDays: "Julian days in the years 0001 to 9999"
      case .unixSeconds, .unixMilliseconds: "a date"
      }
    return ValueProblem("expects \(expected), not \(stored.shown)")
  }
}

extension StoredValue {
  /// A number as an integer where it is whole, else as a double.
  fileprivate static func number(_ value: Double) -> StoredValue { Int64(exactly: value).map { .integer($0) } ?? .real(value) }
}
