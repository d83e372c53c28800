import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// Exact sums of decimals; null of no rows, and an error for what is no decimal or does not fit:
/// - `dao_decimal_sum(x)`: the sum of texts;
/// - `dao_decimal_average(x, digits)`: the mean of texts, or of integers that are scaled by so many digits.
///
/// Given to SQLite directly: GRDB's functions could be called by the schema.
enum DecimalFunctions {
  static func install(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_decimal_sum", 1, ConnectionFunctions.flags, nil, nil,
      { context, _, values in DecimalFunctions.add(context, values?[0], digits: 0) },
      { context in DecimalFunctions.finish(context) { $0.total } }, nil)
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_decimal_average", 2, ConnectionFunctions.flags, nil, nil,
      { context, _, values in DecimalFunctions.add(context, values?[0], digits: Int(sqlite3_value_int(values?[1]))) },
      { context in DecimalFunctions.finish(context) { $0.mean } }, nil)
  }

  /// The numbers of a group so far, in memory of SQLite's, which is zero at first.
  private struct Total {
    var isMade: Bool
    var sum: DecimalSum
  }

  private static func total(_ context: OpaquePointer?, make: Bool) -> UnsafeMutablePointer<Total>? {
    sqlite3_aggregate_context(context, make ? Int32(MemoryLayout<Total>.size) : 0)?.assumingMemoryBound(to: Total.self)
  }

  private static func add(_ context: OpaquePointer?, _ value: OpaquePointer?, digits: Int) {
    let text: String?
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return
    case SQLITE_INTEGER: text = try? DecimalStorage.scaled(digits).decimal(.integer(sqlite3_value_int64(value))).description
    case SQLITE_TEXT: text = sqlite3_value_text(value).map { String(cString: $0) }
    default: text = nil
    }
    guard let total = total(context, make: true) else { return sqlite3_result_error_nomem(context) }
    if !UnsafeRawPointer(total).load(as: Bool.self) { total.initialize(to: Total(isMade: true, sum: DecimalSum())) }
    guard let text, total.pointee.sum.add(text) else { return sqlite3_result_error(context, "a value is no decimal number", -1) }
  }

  private static func finish(_ context: OpaquePointer?, _ result: (DecimalSum) -> Decimal?) {
    guard let total = total(context, make: false), UnsafeRawPointer(total).load(as: Bool.self) else { return }
    let sum = total.move().sum
    // What was refused has made an error already.
    if sum.count == 0 { return }
    guard var text = result(sum)?.description else {
      return sqlite3_result_error(context, "decimal overflow: the sum needs more than 38 digits", -1)
    }
    text.withUTF8 { TextFunctions.reply(context, $0) }
  }
}
