import Foundation

/// Dates as the fixed-width text `2026-11-21T06:19:00.000Z`, whose byte order is the order of time.
enum ISO8601Text {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let wholeSeconds = Date.ISO8601FormatStyle()

  static func text(milliseconds: Int64) throws -> String {
    // Whole seconds are formatted and the fraction appended, so that no rounding of the formatter's can show.
    let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let (floor, rest) = fraction < 0 ? (seconds - 1, fraction + 1000) : (seconds, fraction)
    let whole = wholeSeconds.format(Date(timeIntervalSince1970: Double(floor)))
    guard whole.utf8.count == 20 else { throw ValueProblem("can't hold a date outside the years 0001 to 9999") }
    let digits = String(rest)
    return whole.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  /// Reads the fixed form, and the same without a fraction.
  static func date(_ text: String) -> Date? {
    switch text.utf8.count {
    case 24: try? style.parse(text)
    case 20: try? wholeSeconds.parse(text)
    default: nil
    }
  }
}
