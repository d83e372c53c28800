import DAOCriteria
import GRDB
import GRDBSQLite

/// Dates that are not stored as they compare:
/// - `COLLATE dao_instant`: texts with `Z` or an offset compare as the instants that they say, and come before all others;
/// - `dao_date(x, 'DATETIME_NANOSECONDS')`: the seconds since 2001 as which a stored value is read; a value of another form as it is.
enum DateFunctions {
  static func install(in database: Database) {
    guard let handle = database.sqliteConnection else { return }
    sqlite3_create_collation_v2(
      handle, "dao_instant", SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        FunctionCharge.count(1 + (Int(leftCount) + Int(rightCount)) / RunBudget.bytesPerStep)
        return CInt(DateFunctions.compare(DecimalCollation.bytes(left, leftCount), DecimalCollation.bytes(right, rightCount)))
      }, nil)
    sqlite3_create_function_v2(
      handle, "dao_date", 2, ConnectionFunctions.flags, nil,
      { context, _, values in
        guard case .date(let storage) = DeclaredArgument.type(context, values, 1) else { return }
        switch storage.secondsSinceReference(StoredValue(sqlite: values?[0])) {
        case .real(let seconds) where sqlite3_value_type(values?[0]) != SQLITE_BLOB: sqlite3_result_double(context, seconds)
        default: sqlite3_result_value(context, values?[0])
        }
      }, nil, nil, nil)
  }

  private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    switch (DatePattern.exactInstant(left), DatePattern.exactInstant(right)) {
    case (let a?, let b?): a < b ? -1 : a == b ? 0 : 1
    case (_?, nil): -1
    case (nil, _?): 1
    case (nil, nil): left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
  }
}
