import Foundation

/// Dates as the fixed-width text `2026-11-21T06:19:00.000Z`, whose byte order is the order of time.
///
/// Written by hand: Foundation's formatter goes over to the Julian calendar before 1582, where ISO 8601 and SQLite stay with the Gregorian
/// one, and its parser takes dates that there are not, such as the 30th of February.
enum ISO8601Text {
  private static let millisecondsADay: Int64 = 86_400_000
  private static let form = Array("0000-00-00T00:00:00.000Z".utf8)

  static func text(milliseconds: Int64) throws -> String {
    guard -62_135_596_800_000..<253_402_300_800_000 ~= milliseconds else {
      throw ValueProblem("can't hold a date outside the years 0001 to 9999")
    }
    let (days, time) = milliseconds.dividedDown(by: millisecondsADay)
    let date = CivilDate(daysSince1970: days)
    var bytes = form
    func put(_ value: Int64, _ range: Range<Int>) {
      var value = value
      for index in range.reversed() {
        bytes[index] = UInt8(ascii: "0") + UInt8(value % 10)
        value /= 10
      }
    }
    put(date.year, 0..<4)
    put(date.month, 5..<7)
    put(date.day, 8..<10)
    put(time / 3_600_000, 11..<13)
    put(time / 60_000 % 60, 14..<16)
    put(time / 1000 % 60, 17..<19)
    put(time % 1000, 20..<23)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the fixed form and nothing else (another spelling of the same date would be read, and then not be found again), and no day or
  /// time that there is not.
  static func date(_ text: String) -> Date? { milliseconds(text).map { Date(timeIntervalSince1970: Double($0) / 1000) } }

  /// The same in milliseconds since 1970.
  static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == form.count else { return nil }
    for (byte, expected) in zip(bytes, form) {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
    }
    func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) } }
    let date = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard date.year > 0, 1...12 ~= date.month, CivilDate(daysSince1970: date.daysSince1970) == date, hour < 24, minute < 60, second < 60
    else {
      return nil
    }
    let seconds = ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
    return seconds * 1000 + number(20..<23)
  }
}
