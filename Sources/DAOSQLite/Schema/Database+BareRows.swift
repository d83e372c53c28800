import DAOCriteria
import Foundation
import GRDB
import GRDBSQLite

/// A row of a short statement, as SQLite has it, while it is stood on. Columns count from 0.
struct BareRow {
  let statement: OpaquePointer

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func bool(_ column: Int32) -> Bool { integer(column) != 0 }

  /// Empty for null.
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  func optionalText(_ column: Int32) -> String? { sqlite3_column_text(statement, column).map { String(cString: $0) } }

  /// The value with all its bytes: a text may hold zeros. Invalid UTF-8 becomes replacement characters.
  func value(_ column: Int32) -> StoredValue { value(column) { .text(String(decoding: $0, as: UTF8.self)) } }

  /// The value with all its bytes, where a text that is not UTF-8 is its bytes.
  func valueOfBytes(_ column: Int32) -> StoredValue {
    value(column) { bytes in String(bytes: bytes, encoding: .utf8).map { .text($0) } ?? .blob(Data(bytes)) }
  }

  private func value(_ column: Int32, _ text: (UnsafeRawBufferPointer) -> StoredValue) -> StoredValue {
    func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }
    return switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: text(bytes(sqlite3_column_text(statement, column)))
    case SQLITE_BLOB: .blob(Data(bytes(sqlite3_column_blob(statement, column))))
    default: .null
    }
  }

  /// Values of neighbouring columns.
  func values(from first: Int, count: Int) -> [StoredValue] { (first..<first + count).map { value(Int32($0)) } }
}

/// Reads the values that every opening needs without GRDB's statements and rows, which cost more than SQLite's answers.
extension Database {
  /// The rows of a statement, with values for its parameters.
  func bareRows<Value>(_ sql: String, binding values: [StoredValue] = [], _ read: (BareRow) throws -> Value) throws -> [Value] {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(sqliteConnection, sql, -1, &statement, nil), SQLITE_OK, sql)
    guard let statement else { return [] }
    defer { ConnectionLimits.settle(statement, sqlite3_finalize(statement)) }
    for (index, value) in values.enumerated() { try check(bind(value, to: statement, at: Int32(index + 1)), SQLITE_OK, sql) }
    var values: [Value] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try check(code, SQLITE_DONE, sql)
        return values
      }
      values.append(try read(BareRow(statement: statement)))
    }
  }

  /// Runs a statement; its rows go unread.
  func run(_ sql: String, _ values: [StoredValue] = []) throws { _ = try bareRows(sql, binding: values) { _ in } }

  private func bind(_ value: StoredValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let text): sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), transient)
    case .blob(let data):
      // An empty blob has no address, and SQLite takes a null address for null.
      data.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : data.withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), transient) }
    }
  }

  private func check(_ code: Int32, _ expected: Int32, _ sql: String) throws {
    guard code != expected else { return }
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql)
  }
}
