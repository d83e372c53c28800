import Foundation

/// A time of day to the microsecond, without a day and without a time zone: when a shop opens. One with more digits than its column's form
/// is refused.
///
/// ```swift
/// @Entity struct Shop {
///   @ID var id: Int64?
///   @Attribute(.dateText("HH:MM")) var opens: TimeOfDay      // "opens" "DATETIME_TEXT HH:MM", over a column TIME too
/// }
///
/// guard let time = TimeOfDay(9, 30) else { … }
/// try shops.findAll(.where { $0.opens <= time })           // WHERE "opens" <= '09:30'
/// ```
public struct TimeOfDay: Sendable, Hashable {
  // Since midnight.
  private let microseconds: Int64

  private static let microsecondsADay: Int64 = 86_400_000_000

  private init(microseconds: Int64) { self.microseconds = microseconds }

  /// A time; nil for one that there is not, such as 24:00.
  public init?(_ hour: Int, _ minute: Int, _ second: Int = 0, microsecond: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999_999 ~= microsecond else { return nil }
    self.init(microseconds: Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond))
  }

  /// The hour, 0 to 23.
  public var hour: Int { Int(microseconds / 3_600_000_000) }
  /// The minute, 0 to 59.
  public var minute: Int { Int(microseconds / 60_000_000 % 60) }
  /// The second, 0 to 59.
  public var second: Int { Int(microseconds / 1_000_000 % 60) }
  /// The microseconds of the second.
  public var microsecond: Int { Int(microseconds % 1_000_000) }
}

extension TimeOfDay: Comparable {
  /// Whether the time is before another.
  public static func < (a: TimeOfDay, b: TimeOfDay) -> Bool { a.microseconds < b.microseconds }
}

extension TimeOfDay: LosslessStringConvertible {
  private static let patterns: [DatePattern] = ["HH:MM", "HH:MM:SS.FFFFFF"]

  /// The time of a text such as `09:30`, `09:30:15` or `09:30:15.25`; nil for another text.
  public init?(_ description: String) {
    var text = description
    let found = text.withUTF8 { text in Self.patterns.lazy.compactMap { $0.instant(text) }.first }
    guard let found else { return nil }
    self.init(microseconds: found.seconds * 1_000_000 + found.nanoseconds / 1000)
  }

  /// The time as `09:30:15`, with as many digits of the second as it has.
  public var description: String {
    let instant = Instant(count: microseconds, digits: 6)
    return (try? Self.patterns[1].text(instant)) ?? ""
  }
}

extension TimeOfDay: Codable {
  /// Reads the time from its text.
  public init(from decoder: any Decoder) throws { self = try decoder.value(like: "09:30:15") }

  /// Writes the time as its text.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(textOf: self) }
}

extension TimeOfDay: AttributeValue {
  /// Text of the form `HH:MM:SS`.
  public static var attributeType: AttributeType { .date(.text("HH:MM:SS")) }

  /// The time of a date on 1970-01-01 in UTC.
  public init(scalar: Scalar) throws {
    guard case .date(let date) = scalar else { throw Self.mismatch(scalar) }
    let problem = ValueProblem("expects a time of day, not \(scalar.shown)")
    guard 0..<86_400 ~= date.timeIntervalSince1970 else { throw problem }
    let instant = Instant(nearestTo: date, digits: 6)
    let microseconds = instant.seconds * 1_000_000 + instant.nanoseconds / 1000
    guard microseconds < Self.microsecondsADay else { throw problem }
    self.init(microseconds: microseconds)
  }

  /// The date at this time on 1970-01-01 in UTC.
  public var scalar: Scalar { .date(Date(timeIntervalSince1970: Double(microseconds) / 1e6)) }
}
