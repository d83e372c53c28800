import Foundation

/// The form of a date in a text column, in the notation of SQLite's documentation (sqlite.org/lang_datefunc.html, section 2).
///
/// ```swift
/// DatePattern("YYYY-MM-DD HH:MM:SS")                                   // 2026-11-21 06:19:00, in UTC
/// DatePattern("YYYY-MM-DD HH:MM:SS", zone: "Europe/Bratislava")        // by the clocks there
/// DatePattern("YYYY-MM-DDTHH:MM:SS.SSSSSSZ")                           // 2026-11-21T06:19:00.000000Z
/// DatePattern("YYYY-MM-DD")                                            // the day that begins then
/// ```
///
/// | part | meaning |
/// |---|---|
/// | `YYYY-MM-DD` | the day |
/// | a blank, or `T` | stands between the day and the time |
/// | `HH:MM`, `HH:MM:SS` | the time |
/// | `.SSS` | digits of the second, one to nine |
/// | `[.SSSSSS]` | the same, left out where all are 0, as Python writes them |
/// | `.FFFFFFF` | up to so many digits without zeros at the end, as .NET writes them |
/// | `Z` | UTC |
/// | `+HH:MM` | the offset from UTC: any is read, that of the zone is written |
/// | nothing | the time by the clocks of the zone |
///
/// `HH:MM…` alone is a time of day: the instant on 1970-01-01.
///
/// An index answers equality and, as their bytes are in the order of time, ranges and orders too; but not with `+HH:MM`, and with `Z` only
/// where the number of digits is fixed. Those are compared by a function of the connection: `ORDER BY "sent" COLLATE dao_instant`.
///
/// Where clocks are set back, an hour is there twice: its texts are read as the first, and a date in the second is refused, since its text
/// would say another, also where a filter compares with it. A pattern with an offset holds both.
public struct DatePattern: Sendable, Hashable {
  enum Separator: UInt8, Sendable {
    case blank, letter
    /// A day or a time alone.
    case none
  }

  enum Clock: UInt8, Sendable { case none, minutes, seconds }

  enum Fraction: UInt8, Sendable { case fixed, allOrNone, trimmed }

  enum Suffix: UInt8, Sendable { case none, utc, offset }

  // Eight bytes, since types are copied for each value that is read.
  var hasDay = false
  var separator = Separator.none
  var clock = Clock.none
  private var digits: UInt8 = 0
  var fraction = Fraction.fixed
  var suffix = Suffix.none
  private let number: UInt16

  /// The number of digits of a pattern that is none, whose number is that of a ``WrongPattern``.
  private static let wrong = UInt8.max

  /// A pattern.
  ///
  /// One that is not of the form above, or whose zone is not known, is a problem of the entity that has it.
  /// - Parameters:
  ///   - pattern: the form of the texts.
  ///   - zone: the time zone of times without `Z`: a name of the time zone database, or an offset such as `+02:00`.
  public init(_ pattern: String, zone: String = "UTC") {
    self = Clocks(zone).flatMap { DatePattern(pattern, $0) } ?? DatePattern(WrongPattern(pattern, zone: zone))
  }

  private init?(_ pattern: String, _ clocks: Clocks) {
    number = clocks.number
    if !read(pattern) { return nil }
  }

  private init(_ wrong: WrongPattern) {
    number = wrong.number
    digits = Self.wrong
  }

  /// The pattern of a declared type's ``description``; nil where that is none.
  init?(declared text: String) {
    // The zone has no blank.
    let named = text.lastIndex(of: " ").flatMap { end in
      Clocks(String(text[text.index(after: end)...])).flatMap { DatePattern(String(text[..<end]), $0) }
    }
    guard let pattern = DatePattern(text, .utc) ?? named, pattern.problem == nil else { return nil }
    self = pattern
  }

  /// The clocks by which the time is read.
  var clocks: Clocks { digits == Self.wrong ? .utc : Clocks(number: number) }

  /// Reads the parts of a pattern.
  /// - Returns: false where it is none.
  private mutating func read(_ pattern: String) -> Bool {
    var rest = Substring(pattern).utf8
    func take(_ text: String) -> Bool {
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }
    hasDay = take("YYYY-MM-DD")
    if hasDay, rest.isEmpty { return true }
    if hasDay {
      separator = take(" ") ? .blank : .letter
      if separator == .letter, !take("T") { return false }
    }
    guard take("HH:MM") else { return false }
    clock = take(":SS") ? .seconds : .minutes
    if clock == .seconds {
      let isOptional = take("[.")
      if isOptional || take(".") {
        let letter = !isOptional && rest.first == UInt8(ascii: "F") ? UInt8(ascii: "F") : UInt8(ascii: "S")
        let count = rest.prefix { $0 == letter }.count
        guard 1...9 ~= count else { return false }
        rest = rest.dropFirst(count)
        digits = UInt8(count)
        fraction = isOptional ? .allOrNone : letter == UInt8(ascii: "F") ? .trimmed : .fixed
        if isOptional, !take("]") { return false }
      }
    }
    guard hasDay else { return rest.isEmpty }
    suffix = take("Z") ? .utc : take("+HH:MM") ? .offset : .none
    return rest.isEmpty
  }

  /// The pattern as it is written.
  public var pattern: String {
    if digits == Self.wrong { return WrongPattern(number: number).pattern }
    let separator =
      switch separator {
      case .blank: " "
      case .letter: "T"
      case .none: ""
      }
    let time = clock == .none ? "" : clock == .minutes ? "HH:MM" : "HH:MM:SS"
    let letters = String(repeating: fraction == .trimmed ? "F" : "S", count: Int(digits))
    let fraction = digits == 0 ? "" : self.fraction == .allOrNone ? "[.\(letters)]" : ".\(letters)"
    let suffix =
      switch suffix {
      case .none: ""
      case .utc: "Z"
      case .offset: "+HH:MM"
      }
    return (hasDay ? "YYYY-MM-DD" : "") + separator + time + fraction + suffix
  }

  /// The name of the time zone.
  public var zone: String { digits == Self.wrong ? WrongPattern(number: number).zone : clocks.name }

  /// Why it is no pattern; nil for one that is.
  package var problem: String? {
    if digits == Self.wrong {
      return Clocks(zone) == nil ? "'\(zone)' is no time zone" : "'\(pattern)' is no form of a date; one is 'YYYY-MM-DD HH:MM:SS'"
    }
    if clocks != .utc, suffix == .utc || !hasDay { return "'\(pattern)' is in UTC, not in the zone '\(zone)'" }
    return nil
  }

  /// How many digits of the second there are.
  var digitCount: Int { digits == Self.wrong ? 0 : Int(digits) }

  /// The parts of a pattern in UTC that stand at fixed places.
  package enum Parts {
    case day
    case instant(separator: String, digits: Int, hasZone: Bool)
  }

  /// Its parts, where they stand at fixed places and the texts are in UTC.
  package var parts: Parts? {
    guard problem == nil, hasDay, clocks == .utc, suffix != .offset, digitCount == 0 || fraction == .fixed else { return nil }
    switch clock {
    case .none: return .day
    case .minutes: return nil
    case .seconds: return .instant(separator: separator == .blank ? " " : "T", digits: digitCount, hasZone: suffix == .utc)
    }
  }

  /// Whether the texts are times without a day.
  var isOfTimes: Bool { !hasDay && digits != Self.wrong }

  /// Whether the texts are days without a time.
  var isOfDays: Bool { clock == .none && digits != Self.wrong }

  /// Whether the texts have an offset from UTC.
  var hasOffset: Bool { suffix == .offset }

  /// Whether the bytes of the texts are in the order of time.
  package var isOrderedByBytes: Bool {
    switch suffix {
    case .none: true
    case .utc: digits == 0 || fraction == .fixed
    case .offset: false
    }
  }
}

extension DatePattern: CustomStringConvertible {
  /// The pattern, and the zone where it is not UTC, as a declared type has them.
  public var description: String { clocks == .utc ? pattern : "\(pattern) \(zone)" }
}

extension DatePattern: ExpressibleByStringLiteral {
  /// A pattern in UTC: `.text("YYYY-MM-DD HH:MM:SS")`.
  public init(stringLiteral pattern: String) { self.init(pattern) }
}
