import DAOCriteria
import GRDB
import GRDBSQLite

/// Functions of numbers that mean the same everywhere; what is no number is null to them:
/// - `dao_number(x)`: the value where it is a number;
/// - `dao_round(x)`: rounded to a whole number, halves away from zero. SQLite's own makes 1 of 0.49999999999999994;
/// - `dao_sum(x)`, `dao_average(x)`: the same in any order of the rows; see ``ExactSum``.
enum NumberFunctions {
  static func install(in database: Database) {
    let flags = ConnectionFunctions.flags
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_number", 1, flags, nil,
      { context, _, values in
        switch sqlite3_value_type(values?[0]) {
        case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_result_value(context, values?[0])
        default: break
        }
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_round", 1, flags, nil,
      { context, _, values in
        switch sqlite3_value_type(values?[0]) {
        case SQLITE_INTEGER: sqlite3_result_value(context, values?[0])
        case SQLITE_FLOAT: sqlite3_result_double(context, sqlite3_value_double(values?[0]).rounded(.toNearestOrAwayFromZero))
        default: break
        }
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_sum", 1, flags, nil, nil, { context, _, values in NumberFunctions.add(context, values) },
      { context in NumberFunctions.finish(context) { $0.total } }, nil)
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_average", 1, flags, nil, nil, { context, _, values in NumberFunctions.add(context, values) },
      { context in NumberFunctions.finish(context) { $0.mean } }, nil)
  }

  /// The numbers of a group so far, in memory of SQLite's, which is zero at first.
  private struct Total {
    var isMade: Bool
    var sum: ExactSum
  }

  private static func total(_ context: OpaquePointer?, make: Bool) -> UnsafeMutablePointer<Total>? {
    sqlite3_aggregate_context(context, make ? Int32(MemoryLayout<Total>.size) : 0)?.assumingMemoryBound(to: Total.self)
  }

  private static func add(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let type = sqlite3_value_type(values?[0])
    guard type == SQLITE_INTEGER || type == SQLITE_FLOAT else { return }
    guard let total = total(context, make: true) else { return sqlite3_result_error_nomem(context) }
    if !UnsafeRawPointer(total).load(as: Bool.self) { total.initialize(to: Total(isMade: true, sum: ExactSum())) }
    if type == SQLITE_INTEGER {
      total.pointee.sum.add(sqlite3_value_int64(values?[0]))
    } else {
      total.pointee.sum.add(sqlite3_value_double(values?[0]))
    }
  }

  private static func finish(_ context: OpaquePointer?, _ result: (ExactSum) -> StoredValue?) {
    // Without a number there is no total, and the result is null.
    guard let total = total(context, make: false), UnsafeRawPointer(total).load(as: Bool.self) else { return }
    switch result(total.move().sum) {
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .null, .text, .blob: break
    case nil: sqlite3_result_error(context, "integer overflow", -1)
    }
  }
}
