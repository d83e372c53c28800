/// How values are bound to an engine's statement and it is run, once a row: plain C functions, as ``RowFunctions``.
///
/// Their signatures are those of SQLite's `sqlite3_bind_*`, `sqlite3_step` and `sqlite3_reset`. Parameters count from 1.
@_documentation(visibility: internal)
public struct WriteFunctions: Sendable {
  /// A prepared statement.
  public typealias Statement = RowFunctions.Statement

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
  /// Runs the statement: 100 for a row, 101 at the end, else an error code.
  public let step: @convention(c) (Statement?) -> Int32
  /// Makes the statement ready for its next run; what is bound stays.
  public let reset: @convention(c) (Statement?) -> Int32
  /// How often the statement was compiled again, since the schema had changed.
  public let compilations: @convention(c) (Statement?) -> Int32
  /// How many rows the last run on the statement's connection changed.
  public let changedRowCount: @convention(c) (Statement?) -> Int32
  /// The key that the last insert on the statement's connection generated or was given.
  public let lastKey: @convention(c) (Statement?) -> Int64
  /// Sets that key, so that it shows whether an insert took place.
  public let setLastKey: @convention(c) (Statement?, Int64) -> Void

  /// A table of functions; see the properties.
  public init(
    bindNull: @escaping @convention(c) (Statement?, Int32) -> Int32,
    bindInteger: @escaping @convention(c) (Statement?, Int32, Int64) -> Int32,
    bindReal: @escaping @convention(c) (Statement?, Int32, Double) -> Int32,
    bindText: @escaping @convention(c) (Statement?, Int32, UnsafePointer<UInt8>?, Int) -> Int32,
    bindBytes: @escaping @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int) -> Int32,
    step: @escaping @convention(c) (Statement?) -> Int32,
    reset: @escaping @convention(c) (Statement?) -> Int32,
    compilations: @escaping @convention(c) (Statement?) -> Int32,
    changedRowCount: @escaping @convention(c) (Statement?) -> Int32,
    lastKey: @escaping @convention(c) (Statement?) -> Int64,
    setLastKey: @escaping @convention(c) (Statement?, Int64) -> Void
  ) {
    self.bindNull = bindNull
    self.bindInteger = bindInteger
    self.bindReal = bindReal
    self.bindText = bindText
    self.bindBytes = bindBytes
    self.step = step
    self.reset = reset
    self.compilations = compilations
    self.changedRowCount = changedRowCount
    self.lastKey = lastKey
    self.setLastKey = setLastKey
  }
}
