import DAOCriteria
import Foundation
import GRDBSQLite

extension StoredValue {
  /// A value of SQLite's (`sqlite3_value`); null where there is none.
  init(sqlite value: OpaquePointer?) {
    // The pointer comes first: it may convert the text whose bytes are counted.
    func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
    self =
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
      case SQLITE_FLOAT: .real(sqlite3_value_double(value))
      case SQLITE_TEXT: .text(String(decoding: bytes(sqlite3_value_text(value)), as: UTF8.self))
      case SQLITE_BLOB: .blob(Data(bytes(sqlite3_value_blob(value))))
      default: .null
      }
  }
}
