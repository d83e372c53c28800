import DAOSQL
import GRDB
import GRDBSQLite

/// `dao_unpack(text)`: the values of a packed `in` list; see ``ListText``.
///
/// Given to SQLite directly: a function of GRDB's returns text up to its first NUL.
enum UnpackFunction {
  static func install(in database: Database) {
    sqlite3_create_function_v2(
      database.sqliteConnection, "dao_unpack", 1, ConnectionFunctions.flags, nil,
      { context, _, arguments in
        guard let packed = sqlite3_value_text(arguments?[0]), let value = ListText.unpack(String(cString: packed)) else {
          sqlite3_result_error(context, "dao_unpack: not a packed value", -1)
          return
        }
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let integer): sqlite3_result_int64(context, integer)
        case .real(let number): sqlite3_result_double(context, number)
        case .text(var text):
          text.withUTF8 { bytes in
            // A text without an address would be null.
            guard let address = bytes.baseAddress else { return sqlite3_result_text64(context, "", 0, transient, UInt8(SQLITE_UTF8)) }
            let characters = UnsafeRawPointer(address).assumingMemoryBound(to: CChar.self)
            sqlite3_result_text64(context, characters, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
          }
        case .blob(let data):
          if data.isEmpty { return sqlite3_result_zeroblob(context, 0) }
          data.withUnsafeBytes { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), transient) }
        }
      }, nil, nil, nil)
  }
}
