import Foundation

// Several stored values may be read as one date, since a `Date` has fewer digits than they do. A date in a filter stands for all of them.
extension AttributeType.DateStorage {
  /// Whether several stored values may be read as one date.
  var hasSeveralForms: Bool {
    switch self {
    case .unixSeconds, .unixMicroseconds, .unixNanoseconds, .julianDays: true
    case .text(let pattern): pattern.hasOffset || pattern.digitCount > 3
    case .iso8601, .unixMilliseconds, .secondsSince2001, .unixSecondsText, .unixMillisecondsText: false
    }
  }

  /// The clocks by which days begin that have no time; nil where dates have one.
  var clocksOfDays: Clocks? {
    if case .text(let pattern) = self, pattern.isOfDays { pattern.clocks } else { nil }
  }

  /// Whether a date of a `Date`'s digits may be read from several values.
  package var hasBounds: Bool { hasSeveralForms && !(digits.map { $0 <= 3 } ?? false) }

  /// Whether any date is read from several values, and not only one far from today.
  package var isAlwaysApproximate: Bool { self == .julianDays || (digits ?? 0) > 6 }

  /// A number, as SQL has it, that is greater than the distance between two stored numbers that are read as one date; nil for texts.
  var reach: String? {
    switch self {
    case .unixSeconds: "1e-05"
    case .julianDays: "1e-07"
    // A date of the year 9999 has about 30 microseconds, one of 2262 about 1,000 nanoseconds.
    case .unixMicroseconds: "100"
    case .unixNanoseconds: "4000"
    case .iso8601, .unixMilliseconds, .secondsSince2001, .unixSecondsText, .unixMillisecondsText, .text: nil
    }
  }

  /// Whether several stored values are read as this date.
  func isApproximate(_ date: Date) -> Bool {
    switch self {
    case .unixSeconds: UnixSeconds.isEarly(date)
    default: isAlwaysApproximate || (digits ?? 0) > 3 && Instant.isFar(date)
    }
  }

  /// The first and the last stored value that are read as a date.
  func bounds(_ date: Date) throws -> (lower: StoredValue, upper: StoredValue) {
    let middle = try stored(date)
    guard isApproximate(date) else { return (middle, middle) }
    switch self {
    case .unixSeconds:
      let bounds = UnixSeconds.bounds(date)
      return (.real(bounds.lowerBound), .real(bounds.upperBound))
    case .julianDays:
      let bounds = JulianDays.bounds(milliseconds: try Self.milliseconds(date))
      return (.real(bounds.lower), .real(bounds.upper))
    default:
      let bounds = Instant.bounds(date, digits: digits ?? 0)
      return ((try? stored(bounds.lower)) ?? middle, (try? stored(bounds.upper)) ?? middle)
    }
  }

  /// A stored value as the date that it is read as, in seconds since 2001: equal for all values that are read as one. Itself where it is of
  /// another form.
  package func secondsSinceReference(_ value: StoredValue) -> StoredValue {
    (try? date(value)).map { .real($0.timeIntervalSinceReferenceDate) } ?? value
  }
}
