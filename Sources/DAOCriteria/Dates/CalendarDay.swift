import Foundation

/// A day of the Gregorian calendar, without a time and without a time zone: a birthday, the day of an invoice.
///
/// ```swift
/// @Entity struct Invoice {
///   @ID var id: Int64?
///   var day: CalendarDay                                   // "day" "DATETIME_TEXT YYYY-MM-DD", over a column DATE too
/// }
///
/// guard let november = CalendarDay(2026, 11, 1) else { … }
/// try invoices.findAll(.where { $0.day >= november })      // WHERE "day" >= '2026-11-01'
/// ```
///
/// Filters and orders compare days as their texts, which are in the order of time, so that an index answers them. The pattern of its column
/// has no zone: a day is the same everywhere.
public struct CalendarDay: Sendable, Hashable {
  // Since 1970-01-01.
  private let days: Int32

  private static let range: ClosedRange<Int32> = -719_162...2_932_896

  private init(days: Int64) { self.days = Int32(days) }

  /// A day of the years 0001 to 9999; nil for one that there is not, such as the 29th of February of a common year.
  public init?(_ year: Int, _ month: Int, _ day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
    let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day))
    guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
    self.init(days: date.daysSince1970)
  }

  /// The day of an instant by the clocks of a time zone; nil outside the years 0001 to 9999.
  public init?(_ instant: Date, in zone: TimeZone) {
    let seconds = (instant.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: instant))) / 86_400
    guard seconds >= Double(Self.range.lowerBound), seconds < Double(Self.range.upperBound + 1) else { return nil }
    self.init(days: Int64(seconds.rounded(.down)))
  }

  /// The year, 1 to 9999.
  public var year: Int { Int(date.year) }
  /// The month, 1 to 12.
  public var month: Int { Int(date.month) }
  /// The day of the month, from 1.
  public var day: Int { Int(date.day) }

  private var date: CivilDate { CivilDate(daysSince1970: Int64(days)) }

  /// The day so many days later; nil outside the years 0001 to 9999.
  public func adding(days count: Int) -> CalendarDay? {
    let (sum, overflows) = Int(days).addingReportingOverflow(count)
    guard !overflows, let days = Int32(exactly: sum), Self.range ~= days else { return nil }
    return CalendarDay(days: Int64(days))
  }

  /// The instant at which the day begins in a time zone: where its clocks pass over midnight, when they do.
  public func start(in zone: TimeZone) -> Date {
    let start = Clocks.start(ofDay: Int64(days) * 86_400) { Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0)))) }
    return Date(timeIntervalSince1970: Double(start))
  }
}

extension CalendarDay: Comparable {
  /// Whether the day is before another.
  public static func < (a: CalendarDay, b: CalendarDay) -> Bool { a.days < b.days }
}

extension CalendarDay: LosslessStringConvertible {
  /// The day of a text such as `2026-11-21`; nil for another text.
  public init?(_ description: String) {
    guard case .date(let date)? = try? Self.attributeType.scalar(.text(description)) else { return nil }
    self.init(days: Int64(date.timeIntervalSince1970 / 86_400))
  }

  /// The day as `2026-11-21`.
  public var description: String {
    if case .text(let text)? = try? Self.attributeType.stored(scalar) { text } else { "" }
  }
}

extension CalendarDay: Codable {
  /// Reads the day from its text.
  public init(from decoder: any Decoder) throws { self = try decoder.value(like: "2026-11-21") }

  /// Writes the day as its text.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(textOf: self) }
}

extension CalendarDay: AttributeValue {
  /// Text of the form `YYYY-MM-DD`.
  public static var attributeType: AttributeType { .date(.text("YYYY-MM-DD")) }

  /// The day that begins at a date in UTC.
  public init(scalar: Scalar) throws {
    guard case .date(let date) = scalar else { throw Self.mismatch(scalar) }
    let days = date.timeIntervalSince1970 / 86_400
    guard let whole = Int32(exactly: days), Self.range ~= whole else {
      throw ValueProblem("expects a day, not \(scalar.shown), which is within one")
    }
    self.init(days: Int64(whole))
  }

  /// The date at which the day begins in UTC.
  public var scalar: Scalar { .date(Date(timeIntervalSince1970: Double(days) * 86_400)) }
}
