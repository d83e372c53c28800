import DAOCriteria
import GRDB
import GRDBSQLite

/// `dao_rounded(number, 2)`: a number in the one form of all that are read as the same decimal number of so many digits after the point,
/// the double nearest to that. Any other value as it is.
enum RoundedFunction {
  static func install(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_rounded", 2, ConnectionFunctions.flags, nil,
      { context, _, values in
        let number = sqlite3_value_double(values?[0])
        guard sqlite3_value_type(values?[0]) == SQLITE_FLOAT,
          let rounded = RoundedNumber(number, scale: Int(sqlite3_value_int(values?[1])))
        else { return sqlite3_result_value(context, values?[0]) }
        sqlite3_result_double(context, rounded.nearestDouble)
      }, nil, nil, nil)
  }
}
