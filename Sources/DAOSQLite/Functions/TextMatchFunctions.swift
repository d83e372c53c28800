import DAOCriteria
import DAOSQL
import GRDB
import GRDBSQLite

/// `dao_like(text, pattern)`, `dao_contains`, `dao_beginsWith` and `dao_endsWith`: whether a text fits a pattern, in time proportional to
/// its length; `dao_ilike` and the others with an `i` without regard to case. See ``TextPattern``. False for a value that is no text, null
/// for null.
enum TextMatchFunctions {
  static func install(in database: Database) {
    for kind in kinds.indices {
      let (match, caseSensitive) = kinds[kind]
      sqlite3_create_function_v2(
        database.sqliteConnection, match.function(caseSensitive: caseSensitive), 2, ConnectionFunctions.flags,
        UnsafeMutableRawPointer(bitPattern: kind + 1),
        { context, _, values in
          guard sqlite3_value_type(values?[0]) != SQLITE_NULL, let pattern = TextMatchFunctions.pattern(context, values) else { return }
          guard let text = TextFunctions.text(values, 0) else { return sqlite3_result_int(context, 0) }
          guard FunctionCharge.take(pattern.steps(bytes: text.count), context) else { return }
          FunctionCharge.untilLimit(context) {
            sqlite3_result_int(context, try pattern.fits(text, goOn: ConnectionLimits.goOn) ? 1 : 0)
          }
        }, nil, nil, nil)
    }
  }

  private static let kinds = Criteria.TextComparison.allCases.flatMap { [($0, true), ($0, false)] }

  /// The second argument as a pattern, read once for all rows of a statement.
  private static func pattern(_ context: TextFunctions.Context, _ values: TextFunctions.Values) -> TextPattern? {
    if let kept = sqlite3_get_auxdata(context, 1) { return Unmanaged<TextPattern>.fromOpaque(kept).takeUnretainedValue() }
    guard let text = TextFunctions.text(values, 1) else { return nil }
    let (match, caseSensitive) = kinds[Int(bitPattern: sqlite3_user_data(context)) - 1]
    let pattern = TextPattern(match, String(decoding: text, as: UTF8.self), caseSensitive: caseSensitive)
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(pattern).toOpaque()) { kept in
      if let kept { Unmanaged<TextPattern>.fromOpaque(kept).release() }
    }
    return pattern
  }
}
