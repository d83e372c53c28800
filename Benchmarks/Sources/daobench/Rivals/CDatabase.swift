import Foundation
import GRDBSQLite

/// A connection of SQLite's own, with the settings that DAOKit's have.
final class CDatabase {
  let handle: OpaquePointer

  /// - Parameter isReadOnly: as DAOKit's connections that read.
  init(_ url: URL, isReadOnly: Bool = false) throws {
    var handle: OpaquePointer?
    let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let code = sqlite3_open_v2(url.path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else { throw BenchmarkFailure("\(url.path) can't be opened: \(code)") }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5000)
    try execute("PRAGMA foreign_keys = ON")
    if !isReadOnly {
      try execute("PRAGMA journal_mode = WAL")
      try execute("PRAGMA synchronous = FULL")
    }
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    let result = try body()
    try execute("COMMIT")
    return result
  }

  var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  func failure(_ what: String) -> BenchmarkFailure { BenchmarkFailure("\(what): \(String(cString: sqlite3_errmsg(handle)))") }
}

/// A prepared statement.
final class CStatement {
  let handle: OpaquePointer
  private let database: CDatabase

  init(_ database: CDatabase, _ sql: String) throws {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw database.failure(sql) }
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether there is a further row.
  @inline(__always)
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure("step")
    }
  }

  @inline(__always)
  func reset() { sqlite3_reset(handle) }

  /// Runs a statement that writes one row, and makes it ready for the next run.
  @inline(__always)
  func run() throws {
    guard sqlite3_step(handle) == SQLITE_DONE, sqlite3_reset(handle) == SQLITE_OK else { throw database.failure("step") }
    guard sqlite3_changes(database.handle) == 1 else { throw BenchmarkFailure("a write hit no row") }
  }

  // Columns count from 0, as SQLite has it.

  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  @inline(__always)
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  @inline(__always)
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// SQLite gives no address for null alone. The value is looked up once, which `sqlite3_column_text` and `_bytes` would each do.
  @inline(__always)
  func optionalText(_ column: Int32) -> String? {
    let value = sqlite3_column_value(handle, column)
    guard let bytes = sqlite3_value_text(value) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
  }

  @inline(__always)
  func date(_ column: Int32) -> Date { Date(timeIntervalSince1970: Double(integer(column)) / 1000) }

  @inline(__always)
  func optionalDate(_ column: Int32) -> Date? { isNull(column) ? nil : date(column) }

  // Parameters count from 1.

  @inline(__always)
  func bind(_ value: Int64, _ parameter: Int32) { sqlite3_bind_int64(handle, parameter, value) }

  @inline(__always)
  func bind(_ value: Double, _ parameter: Int32) { sqlite3_bind_double(handle, parameter, value) }

  @inline(__always)
  func bind(_ value: String, _ parameter: Int32) {
    var value = value
    value.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text64(handle, parameter, $0.baseAddress, UInt64($0.count), Self.transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  @inline(__always)
  func bind(_ value: String?, _ parameter: Int32) {
    if let value { bind(value, parameter) } else { sqlite3_bind_null(handle, parameter) }
  }

  @inline(__always)
  func bind(_ value: Int64?, _ parameter: Int32) {
    if let value { bind(value, parameter) } else { sqlite3_bind_null(handle, parameter) }
  }

  @inline(__always)
  func bind(_ value: Double?, _ parameter: Int32) {
    if let value { bind(value, parameter) } else { sqlite3_bind_null(handle, parameter) }
  }

  @inline(__always)
  func bind(_ value: Date, _ parameter: Int32) { bind(Int64((value.timeIntervalSince1970 * 1000).rounded()), parameter) }

  @inline(__always)
  func bind(_ value: Date?, _ parameter: Int32) {
    if let value { bind(value, parameter) } else { sqlite3_bind_null(handle, parameter) }
  }

  /// SQLite copies what is bound. The macro is a cast that Swift does not import.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
