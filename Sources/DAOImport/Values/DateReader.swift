import DAOCriteria
import Foundation

/// Reads dates in the forms that an attribute's mapping names, the first that fits.
final class DateReader {
  private let forms: [(form: DateForm, formatter: DateFormatter?)]

  init(_ forms: [DateForm]) {
    self.forms = forms.map { form in
      guard case .pattern(let pattern) = form else { return (form, nil) }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.calendar = Calendar(identifier: .gregorian)
      formatter.isLenient = false
      // Dates before 1582 are of the same calendar as those of ISO 8601.
      formatter.gregorianStartDate = .distantPast
      formatter.dateFormat = pattern
      return (form, formatter)
    }
  }

  /// The date that a text says; nil where no form fits.
  func date(_ text: String) -> Date? {
    for (form, formatter) in forms {
      let date: Date? =
        switch form {
        case .iso8601: ISO8601Date.date(text)
        case .unixSeconds: Double(digits: text).map { Date(timeIntervalSince1970: $0) }
        case .unixMilliseconds: Double(digits: text).map { Date(timeIntervalSince1970: $0 / 1000) }
        case .pattern: formatter?.date(from: text)
        }
      if let date { return date }
    }
    return nil
  }

  /// The date that a number says, by the first form of numbers, else as seconds since 1970; nil where all forms are patterns.
  func date(number: Double) -> Date? {
    for (form, _) in forms {
      if form == .unixMilliseconds { return Date(timeIntervalSince1970: number / 1000) }
      if form == .unixSeconds { return Date(timeIntervalSince1970: number) }
    }
    return forms.contains { $0.form == .iso8601 } ? Date(timeIntervalSince1970: number) : nil
  }

  /// A date as a record has it.
  enum Exported {
    case number(String)
    case text(String)
  }

  /// A date in the first of the forms; nil where that can't say it.
  func exported(_ date: Date) -> Exported? {
    guard let (form, formatter) = forms.first else { return nil }
    switch form {
    case .iso8601: return DatePattern.text(of: date).map { .text($0) }
    case .unixSeconds, .unixMilliseconds:
      guard case .integer(let milliseconds)? = try? AttributeType.date(.unixMilliseconds).stored(.date(date)) else { return nil }
      return .number(form == .unixSeconds ? "\(Decimal(milliseconds) / 1000)" : "\(milliseconds)")
    case .pattern:
      guard let formatter else { return nil }
      let text = formatter.string(from: date)
      // A pattern without a time says no more than the day.
      return formatter.date(from: text).map { abs($0.timeIntervalSince(date)) < 0.001 } == true ? .text(text) : nil
    }
  }

  /// The forms, as messages show them.
  var expected: String {
    forms.map { form, _ in
      switch form {
      case .iso8601: "a date like 2026-11-21T06:19:00Z"
      case .unixSeconds: "seconds since 1970"
      case .unixMilliseconds: "milliseconds since 1970"
      case .pattern(let pattern): "a date like \(pattern)"
      }
    }.joined(separator: " or ")
  }
}
