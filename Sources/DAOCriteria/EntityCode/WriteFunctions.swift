/// The functions that bind values to an engine's statement and run it, once for each row: plain C functions, as ``RowFunctions``.
///
/// Their signatures are those of SQLite's `sqlite3_bind_*` and `sqlite3_reset`; the engine's ``write`` reports the effect of a run on a
/// row. Parameters count from 1.
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
  /// Binds UTF-8 text that stays where it is until the statement has run.
  public let bindKeptText: @convention(c) (Statement?, Int32, UnsafePointer<UInt8>?, Int) -> Int32
  /// Binds a copy of bytes.
  public let bindBytes: @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int) -> Int32
  /// Runs a statement that writes one row: 100 or 101 where it has run, else an error code.
  ///
  /// Its parameters: the statement; whether the row may be there, so that the engine has to tell a new one from an updated one; the key
  /// that the row was given, or 0, which becomes the key of a row that is new; the number of rows that were changed; whether the row is
  /// new, where the engine had to tell. In a table without row ids SQLite can't tell.
  public let write:
    @convention(c) (Statement?, Bool, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Bool>) -> Int32
  /// Makes the statement ready for its next run; the bindings remain.
  public let reset: @convention(c) (Statement?) -> Int32
  /// How often the statement was compiled again, since the schema had changed.
  public let compilations: @convention(c) (Statement?) -> Int32

  /// A table of functions; see the properties.
  public init(
    bindNull: @escaping @convention(c) (Statement?, Int32) -> Int32,
    bindInteger: @escaping @convention(c) (Statement?, Int32, Int64) -> Int32,
    bindReal: @escaping @convention(c) (Statement?, Int32, Double) -> Int32,
    bindText: @escaping @convention(c) (Statement?, Int32, UnsafePointer<UInt8>?, Int) -> Int32,
    bindKeptText: @escaping @convention(c) (Statement?, Int32, UnsafePointer<UInt8>?, Int) -> Int32,
    bindBytes: @escaping @convention(c) (Statement?, Int32, UnsafeRawPointer?, Int) -> Int32,
    write:
      @escaping @convention(c) (
        Statement?, Bool, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Bool>
      ) -> Int32,
    reset: @escaping @convention(c) (Statement?) -> Int32,
    compilations: @escaping @convention(c) (Statement?) -> Int32
  ) {
    self.bindNull = bindNull
    self.bindInteger = bindInteger
    self.bindReal = bindReal
    self.bindText = bindText
    self.bindKeptText = bindKeptText
    self.bindBytes = bindBytes
    self.write = write
    self.reset = reset
    self.compilations = compilations
  }
}
