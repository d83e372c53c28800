/// How rows are read from an engine's statement and values bound to it: plain C functions, so that the loop over rows compiles to
/// direct calls in the entity's own module, whatever the engine.
///
/// Their signatures are those of SQLite's `sqlite3_step`, `sqlite3_column_*` and `sqlite3_bind_*`; another engine supplies functions of
/// the same form over a handle of its own. Columns count from 0, parameters from 1.
public struct RowFunctions: Sendable {
  /// A prepared statement.
  public typealias Statement = OpaquePointer

  /// Takes the next row: 100 for a row, 101 at the end, else an error code.
  public let step: @convention(c) (Statement?) -> Int32
  /// The storage class of a column: 1 integer, 2 double, 3 text, 4 bytes, 5 null.
  public let columnType: @convention(c) (Statement?, Int32) -> Int32
  /// A column as an integer.
  public let columnInteger: @convention(c) (Statement?, Int32) -> Int64
  /// A column as a double.
  public let columnReal: @convention(c) (Statement?, Int32) -> Double
  /// A column's UTF-8, valid until the next step.
  public let columnText: @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?
  /// A column's bytes, valid until the next step.
  public let columnBytes: @convention(c) (Statement?, Int32) -> UnsafeRawPointer?
  /// How many bytes the column's text or blob has.
  public let columnByteCount: @convention(c) (Statement?, Int32) -> Int32
  /// Binds null.
  public let bindNull: @convention(c) (Statement?, Int32) -> Int32
  /// Binds an integer.
  public let bindInteger: @convention(c) (Statement?, Int32, Int64) -> Int32
  /// Binds a double.
  public let bindReal: @convention(c) (Statement?, Int32, Double) -> Int32
  /// Binds a copy of UTF-8 text.
  public let bindText: @convention(c) (Statement?, Int32, UnsafePointer<UInt8>?, Int) -> Int32
  /// Binds a copy of bytes.
  public let bindBytes: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int) -> Int32

  /// A table of functions; see the properties.
  public init(
    step: @escaping @convention(c) (Statement?) -> Int32,
    columnType: @escaping @convention(c) (Statement?, Int32) -> Int32,
    columnInteger: @escaping @convention(c) (Statement?, Int32) -> Int64,
    columnReal: @escaping @convention(c) (Statement?, Int32) -> Double,
    columnText: @escaping @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?,
    columnBytes: @escaping @convention(c) (Statement?, Int32) -> UnsafeRawPointer?,
    columnByteCount: @escaping @convention(c) (Statement?, Int32) -> Int32,
    bindNull: @escaping @convention(c) (Statement?, Int32) -> Int32,
    bindInteger: @escaping @convention(c) (Statement?, Int32, Int64) -> Int32,
    bindReal: @escaping @convention(c) (Statement?, Int32, Double) -> Int32,
    bindText: @escaping @convention(c) (Statement?, Int32, UnsafePointer<UInt8>?, Int) -> Int32,
    bindBytes: @escaping @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int) -> Int32
  ) {
    self.step = step
    self.columnType = columnType
    self.columnInteger = columnInteger
    self.columnReal = columnReal
    self.columnText = columnText
    self.columnBytes = columnBytes
    self.columnByteCount = columnByteCount
    self.bindNull = bindNull
    self.bindInteger = bindInteger
    self.bindReal = bindReal
    self.bindText = bindText
    self.bindBytes = bindBytes
  }
}
