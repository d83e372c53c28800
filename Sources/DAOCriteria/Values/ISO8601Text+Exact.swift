import Foundation

// Dates with as many digits of the second as it takes to distinguish them from any other.
extension ISO8601Text {
  /// The fixed form where it says the date exactly, else with more digits: `2026-11-21T06:19:00.12345678Z`; nil outside the years 0001 to
  /// 9999.
  static func exactText(_ date: Date) -> String? {
    let seconds = date.timeIntervalSince1970
    guard AttributeType.DateStorage.range.contains(seconds) else { return nil }
    if let text = try? text(milliseconds: Int64((seconds * 1000).rounded())), Self.date(text) == date { return text }
    // Foundation counts from 2001; text carries each digit of that.
    let reference = date.timeIntervalSinceReferenceDate
    let whole = Int64(reference.rounded(.down))
    guard let exact = Decimal(string: "\(reference)", locale: posix),
      let start = try? text(milliseconds: (whole + secondsFrom1970To2001) * 1000)
    else { return nil }
    let digits = "\(exact - Decimal(whole))".dropFirst(2)
    let text = "\(start.dropLast(4))\(digits)\(String(repeating: "0", count: max(0, 4 - digits.count)))Z"
    return exactDate(text) == date ? text : nil
  }

  /// Reads a date with any number of digits of the second, or none.
  static func exactDate(_ text: String) -> Date? {
    guard text.utf8.count <= 60, text.utf8.last == UInt8(ascii: "Z") else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.count == 2 ? String(parts[1]) : "0"
    guard parts.count <= 2, !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    if digits.count <= 3 { return date("\(parts[0]).\(digits)\(String(repeating: "0", count: 3 - digits.count))Z") }
    guard let start = date("\(parts[0]).000Z"), let fraction = Decimal(string: "0.\(digits)", locale: posix) else { return nil }
    let exact = Decimal(Int64(start.timeIntervalSinceReferenceDate)) + fraction
    return Double("\(exact)").map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  private static let secondsFrom1970To2001: Int64 = 978_307_200
  private static var posix: Locale { Locale(identifier: "en_US_POSIX") }
}
