import DAOCriteria
import GRDB
import GRDBSQLite

/// `dao_json(document, type, step, …)`: the value at the end of a path into a JSON text, read as 'TEXT', 'INTEGER', 'REAL' or 'BOOLEAN';
/// null where there is none. A step is a text, which is a key, or an integer, which is an index.
///
/// SQLite's own `json_extract` reads other than JSON too, and means another thing from version to version.
enum JSONFunction {
  static func install(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_json", -1, ConnectionFunctions.flags, nil,
      { context, count, values in
        guard count >= 2, let document = TextFunctions.text(values, 0), let type = TextFunctions.text(values, 1),
          FunctionCharge.take(bytes: document.count, context)
        else { return }
        FunctionCharge.untilLimit(context) {
          let found = try JSONDocument.value(in: document, steps: Int(count) - 2, goOn: ConnectionLimits.goOn) {
            JSONFunction.step(values, $0 + 2)
          }
          // The types' first letters tell them apart.
          switch type.first {
          case UInt8(ascii: "T"): try found?.text?.withUTF8(goOn: ConnectionLimits.goOn) { TextFunctions.reply(context, $0) }
          case UInt8(ascii: "I"): if let value = found?.integer { sqlite3_result_int64(context, value) }
          case UInt8(ascii: "R"): if let value = found?.real { sqlite3_result_double(context, value) }
          case UInt8(ascii: "B"): if let value = found?.bool { sqlite3_result_int(context, value ? 1 : 0) }
          default: break
          }
        }
      }, nil, nil, nil)
  }

  private static func step(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> JSONDocument.Step {
    if let key = TextFunctions.text(values, index) { return .key(key) }
    // Nothing is at an index before the first.
    guard let value = values?[index], sqlite3_value_type(value) == SQLITE_INTEGER else { return .place(-1) }
    return .place(Int(clamping: sqlite3_value_int64(value)))
  }
}
