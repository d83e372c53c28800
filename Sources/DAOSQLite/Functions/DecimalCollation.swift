import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// `COLLATE dao_decimal`: decimals that are kept as text compare as the numbers that they spell.
///
/// A collation can't end its statement: SQLite asks for the limits before and after it sorts what fits its cache (2 MB of rows), and not
/// meanwhile. A comparison of numbers of at most 36 characters therefore makes no string, and texts that are no numbers are never made into
/// one.
enum DecimalCollation {
  static func install(in database: Database) {
    guard let handle = database.sqliteConnection else { return }
    sqlite3_create_collation_v2(
      handle, "dao_decimal", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        FunctionCharge.count(1 + (Int(leftCount) + Int(rightCount)) / RunBudget.bytesPerStep)
        return CInt(DecimalCollation.compare(DecimalCollation.bytes(left, leftCount), DecimalCollation.bytes(right, rightCount)))
      }, nil)
  }

  /// A text as SQLite hands it to a collation.
  static func bytes(_ start: UnsafeRawPointer?, _ count: CInt) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: Int(count))
  }

  /// Numbers by value; texts that are no numbers after all numbers, by their bytes.
  private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    if let order = DecimalText.order(left, right) { return order }
    func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Decimal? {
      DecimalText.isNumber(text) ? DecimalText.decimal(String(decoding: text, as: UTF8.self)) : nil
    }
    return switch (decimal(left), decimal(right)) {
    case (let a?, let b?): a < b ? -1 : a == b ? 0 : 1
    case (_?, nil): -1
    case (nil, _?): 1
    case (nil, nil): left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
  }
}
