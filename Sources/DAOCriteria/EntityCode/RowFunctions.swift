/// The functions that read rows from an engine's statement: plain C functions, so that the loop over rows compiles to direct calls in the
/// entity's own module, whatever the engine.
///
/// Their signatures are those of SQLite's `sqlite3_step`, `sqlite3_column_value` and `sqlite3_value_*`; another engine supplies functions
/// of the same form over a handle of its own. Columns count from 0. A column's value is fetched once: with SQLite, reading its type and its
/// content is then a few instructions each, where each `sqlite3_column_*` looks up the column again.
@_documentation(visibility: internal)
public struct RowFunctions: Sendable {
  /// A prepared statement.
  public typealias Statement = OpaquePointer
  /// A column's value, valid until the next step.
  public typealias Value = OpaquePointer

  /// Takes the next row: 100 for a row, 101 at the end, else an error code.
  public let step: @convention(c) (Statement?) -> Int32
  /// The value of a column.
  public let column: @convention(c) (Statement?, Int32) -> Value?
  /// The storage class of a value: 1 integer, 2 double, 3 text, 4 bytes, 5 null.
  public let type: @convention(c) (Value?) -> Int32
  /// A value as an integer.
  public let integer: @convention(c) (Value?) -> Int64
  /// A value as a double.
  public let real: @convention(c) (Value?) -> Double
  /// A value's UTF-8, valid until the next step.
  public let text: @convention(c) (Value?) -> UnsafePointer<UInt8>?
  /// A value's bytes, valid until the next step.
  public let bytes: @convention(c) (Value?) -> UnsafeRawPointer?
  /// How many bytes the value's text or blob has.
  public let byteCount: @convention(c) (Value?) -> Int32

  /// A table of functions; see the properties.
  public init(
    step: @escaping @convention(c) (Statement?) -> Int32,
    column: @escaping @convention(c) (Statement?, Int32) -> Value?,
    type: @escaping @convention(c) (Value?) -> Int32,
    integer: @escaping @convention(c) (Value?) -> Int64,
    real: @escaping @convention(c) (Value?) -> Double,
    text: @escaping @convention(c) (Value?) -> UnsafePointer<UInt8>?,
    bytes: @escaping @convention(c) (Value?) -> UnsafeRawPointer?,
    byteCount: @escaping @convention(c) (Value?) -> Int32
  ) {
    self.step = step
    self.column = column
    self.type = type
    self.integer = integer
    self.real = real
    self.text = text
    self.bytes = bytes
    self.byteCount = byteCount
  }
}

extension RowFunctions {
  /// A value's text. An engine that is out of memory has no address for it.
  @inlinable @inline(__always)
  func string(_ value: Value?) -> String {
    let bytes = text(value)
    return String(decoding: UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(byteCount(value))), as: UTF8.self)
  }
}
