import Foundation
import GRDBSQLite

// Sales through SQLite's C functions, whose texts of dates are read by hand and checked as DAOKit checks them.
extension CStatement {
  /// Every sale that the statement yields.
  func sales() throws -> [Sale] {
    var sales: [Sale] = []
    while try step() {
      guard let sold = try dateText(2) else { throw BenchmarkFailure("a sale without a date") }
      sales.append(Sale(id: integer(0), customer: text(1), sold: sold, shipped: try dateText(3)))
    }
    reset()
    return sales
  }

  /// `YYYY-MM-DD HH:MM:SS` in UTC; nil for null.
  @inline(__always)
  private func dateText(_ column: Int32) throws -> Date? {
    let value = sqlite3_column_value(handle, column)
    guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    guard let bytes = sqlite3_value_text(value), sqlite3_value_bytes(value) == 19, let seconds = Self.seconds(bytes) else {
      throw BenchmarkFailure("a text that is no date")
    }
    return Date(timeIntervalSince1970: Double(seconds))
  }

  @inline(__always)
  private static func seconds(_ text: UnsafePointer<UInt8>) -> Int64? {
    var isWrong = false
    func two(_ at: Int) -> Int64 {
      let (tens, ones) = (text[at] &- 48, text[at + 1] &- 48)
      if tens > 9 || ones > 9 { isWrong = true }
      return Int64(tens) * 10 + Int64(ones)
    }
    let (year, month, day) = (two(0) * 100 + two(2), two(5), two(8))
    let (hour, minute, second) = (two(11), two(14), two(17))
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    guard !isWrong, text[4] == 45, text[7] == 45, text[10] == 32, text[13] == 58, text[16] == 58, year > 0, 1...12 ~= month, day > 0,
      day <= (month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31), hour < 24, minute < 60, second < 60
    else { return nil }
    // Days of the civil calendar, counted from March.
    let fromMarch = month < 3 ? year - 1 : year
    let (century, yearOfCycle) = (fromMarch / 400, fromMarch % 400)
    let dayOfYear = (153 * (month < 3 ? month + 9 : month - 3) + 2) / 5 + day - 1
    let days = century * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
    return ((days * 24 + hour) * 60 + minute) * 60 + second
  }
}
