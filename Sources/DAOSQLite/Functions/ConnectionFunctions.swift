import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import GRDBSQLite

/// What each connection is given beyond SQLite's own functions. None of it appears in a schema, so other tools can always read and write a
/// store.
enum ConnectionFunctions {
  /// How a function is made known. A view, trigger, check, index or default of the file can't call it (`SQLITE_DIRECTONLY`): it is for
  /// statements of the connection alone.
  static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

  static func install(in database: Database) {
    UnpackFunction.install(in: database)
    TextFunctions.install(in: database)
    TextMatchFunctions.install(in: database)
    NumberFunctions.install(in: database)
    SumFunctions.install(in: database)
    JSONFunction.install(in: database)
    SearchFunctions.install(in: database)
    database.add(
      collation: DatabaseCollation("dao_decimal") { left, right in
        FunctionCharge.count(1 + (left.utf8.count + right.utf8.count) / RunBudget.bytesPerStep)
        return DecimalText.compare(left, right)
      })
  }
}

extension DecimalText {
  /// Numbers by value; what is no number after all numbers, by its bytes.
  static func compare(_ left: String, _ right: String) -> ComparisonResult {
    if let order = order(left, right) { return order < 0 ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending }
    return switch (decimal(left), decimal(right)) {
    case (let a?, let b?): a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    case (_?, nil): .orderedAscending
    case (nil, _?): .orderedDescending
    case (nil, nil):
      left.utf8.elementsEqual(right.utf8)
        ? .orderedSame : left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
    }
  }
}
