import DAOCriteria
import GRDB
import GRDBSQLite

/// Functions of numbers that mean the same everywhere; they are null for a value that is no number:
/// - `dao_number(x)`: the value where it is a number;
/// - `dao_abs(x)`: without its sign. SQLite's own takes texts for numbers;
/// - `dao_round(x)`: rounded to a whole number, halves away from zero. SQLite's own makes 1 of 0.49999999999999994.
enum NumberFunctions {
  static func install(in database: Database) {
    func add(
      _ name: String, _ flags: Int32 = ConnectionFunctions.flags,
      _ function: @escaping @convention(c) (TextFunctions.Context, Int32, TextFunctions.Values) -> Void
    ) {
      sqlite3_create_function_v2(database.sqliteConnection, name, 1, flags, nil, function, nil, nil, nil)
    }
    add("dao_number") { context, _, values in
      switch sqlite3_value_type(values?[0]) {
      case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_result_value(context, values?[0])
      default: break
      }
    }
    // It can fail: of a deterministic function of `x`, where `x = ?` stands beside it, SQLite asks before there is a row.
    add("dao_abs", ConnectionFunctions.flags & ~SQLITE_DETERMINISTIC) { context, _, values in
      switch sqlite3_value_type(values?[0]) {
      case SQLITE_INTEGER:
        let number = sqlite3_value_int64(values?[0])
        if number == .min {
          sqlite3_result_error(context, "abs(\(number)) overflows", -1)
        } else {
          sqlite3_result_int64(context, abs(number))
        }
      case SQLITE_FLOAT: sqlite3_result_double(context, sqlite3_value_double(values?[0]).magnitude)
      default: break
      }
    }
    add("dao_round") { context, _, values in
      switch sqlite3_value_type(values?[0]) {
      case SQLITE_INTEGER: sqlite3_result_value(context, values?[0])
      case SQLITE_FLOAT: sqlite3_result_double(context, sqlite3_value_double(values?[0]).rounded(.toNearestOrAwayFromZero))
      default: break
      }
    }
  }
}
