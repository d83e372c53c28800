import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import GRDBSQLite

/// An SQL function that converts a column's values while a table is rebuilt. GRDB's own functions would make null of an empty blob.
final class ConversionFunction {
  let name: String
  private let conversion: ValueConversion

  /// Makes the function known to a connection.
  init(_ name: String, _ conversion: ValueConversion, in db: Database) {
    self.name = name
    self.conversion = conversion
    sqlite3_create_function_v2(
      db.sqliteConnection, name, 1, ConnectionFunctions.flags, Unmanaged.passUnretained(self).toOpaque(),
      { context, _, values in
        guard let context, let value = values?.pointee, let data = sqlite3_user_data(context) else { return }
        let function = Unmanaged<ConversionFunction>.fromOpaque(data).takeUnretainedValue()
        do { function.reply(try function.conversion.stored(StoredValue(value)), to: context) } catch {
          sqlite3_result_error(context, "\(error)", -1)
        }
      }, nil, nil, nil)
  }

  /// Takes the function away again. It has to be done before the object goes.
  func remove(from db: Database) {
    sqlite3_create_function_v2(db.sqliteConnection, name, 1, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  private func reply(_ value: StoredValue, to context: OpaquePointer) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let data):
      data.withUnsafeBytes { bytes in
        if bytes.isEmpty {
          sqlite3_result_zeroblob(context, 0)
        } else {
          sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), transient)
        }
      }
    }
  }
}

extension StoredValue {
  /// A value as SQLite hands it to a function.
  /// - Throws: ``ValueProblem`` for text that is not UTF-8, which would come out as another.
  fileprivate init(_ value: OpaquePointer) throws {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let bytes = sqlite3_value_text(value)
      self = try StoredValue(text: bytes.map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data())
    case SQLITE_BLOB:
      let bytes = sqlite3_value_blob(value)
      self = .blob(bytes.map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data())
    default: self = .null
    }
  }

  /// A text by its bytes.
  /// - Throws: ``ValueProblem`` where they are not UTF-8.
  init(text bytes: Data) throws {
    guard let text = String(data: bytes, encoding: .utf8) else { throw ValueProblem("is no text in UTF-8") }
    self = .text(text)
  }
}
