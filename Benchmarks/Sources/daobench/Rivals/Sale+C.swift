import Foundation
import GRDBSQLite

// Sales through SQLite's C functions, whose texts of dates are read by hand and checked as DAOKit checks them, and whose prices are the
// doubles' exact values rounded to two digits.
extension CStatement {
  /// Every sale that the statement yields.
  func sales() throws -> [Sale] {
    var sales: [Sale] = []
    while try step() {
      guard let sold = try dateText(2) else { throw BenchmarkFailure("a sale without a date") }
      sales.append(Sale(id: integer(0), customer: text(1), sold: sold, shipped: try dateText(3), price: try price(4)))
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

  /// A price of two digits after the point.
  @inline(__always)
  private func price(_ column: Int32) throws -> Decimal {
    let value = sqlite3_column_value(handle, column)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return Decimal(sqlite3_value_int64(value))
    case SQLITE_FLOAT:
      let number = sqlite3_value_double(value)
      // Between 2^-64 and 2^52 the number is its significand divided by a power of two less than 2^117.
      let dropped = 1075 - Int(number.exponentBitPattern)
      guard number.isNormal, dropped > 0, dropped < 117 else { throw BenchmarkFailure("a price that is none") }
      let (high, low) = (number.significandBitPattern | 1 << 52).multipliedFullWidth(by: 100)
      let (sum, carry) = low.addingReportingOverflow(1 << (dropped - 1))
      let top = high + (1 << (dropped - 65)) + (carry ? 1 : 0)
      let cents = sum >> dropped | top << (64 - dropped)
      return Decimal(sign: number < 0 ? .minus : .plus, exponent: -2, significand: Decimal(cents))
    default: throw BenchmarkFailure("a price that is none")
    }
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
