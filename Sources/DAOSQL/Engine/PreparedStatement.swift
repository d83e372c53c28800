import DAOCriteria

/// A compiled statement of one connection.
package final class PreparedStatement {
  /// The engine's handle.
  package let handle: RowFunctions.Statement
  /// The engine's functions to read its rows.
  package let functions: RowFunctions
  /// The engine's functions to bind values and run it.
  package let writeFunctions: WriteFunctions
  /// Its text.
  package let sql: String
  /// The columns of its rows: the name, and the type that the column was declared with, where it comes from a table.
  package let columns: [Column]
  /// How many parameters it has.
  package let parameterCount: Int
  /// Whether it leaves the database as it is.
  package let isReadOnly: Bool

  /// A column of a statement's rows.
  package struct Column: Sendable, Hashable {
    /// The name.
    package let name: String
    /// Its declared type, as written; empty where there is none.
    package let declaredType: String
    /// The type of its values.
    package let type: AttributeType

    /// A column.
    package init(name: String, declaredType: String) {
      self.name = name
      self.declaredType = declaredType
      type = declaredType.isEmpty ? .any : AttributeType(declaredName: declaredType)
    }
  }

  /// The texts of the row that is written.
  package private(set) lazy var texts = BoundTexts()

  /// The row on which it stands.
  package let run = RowRun()

  // How often it had been compiled again when its entities were compared with the schema.
  private var knownCompilations: Int32 = 0

  /// Whether the schema may have changed since ``isChecked()``: SQLite compiles a statement again before its first step then. Asked after
  /// each run, it costs a few nanoseconds.
  @inline(__always)
  var isUnchecked: Bool { writeFunctions.compilations(handle) != knownCompilations }

  /// Called when the statement's entities fit the schema that it was compiled for.
  func isChecked() { knownCompilations = writeFunctions.compilations(handle) }

  /// Whether its rows are being read. A second reader needs a statement of its own.
  var isInUse = false

  // The owner of the handle, which must live as long.
  private let owner: AnyObject?

  /// A compiled statement.
  /// - Parameters:
  ///   - handle: the engine's handle.
  ///   - functions: the engine's functions to read its rows.
  ///   - writeFunctions: the engine's functions to bind values and run it.
  ///   - sql: its text.
  ///   - columns: the columns of its rows.
  ///   - parameterCount: how many parameters it has.
  ///   - isReadOnly: whether it leaves the database as it is.
  ///   - owner: finalizes the handle when it is released.
  package init(
    handle: RowFunctions.Statement, functions: RowFunctions, writeFunctions: WriteFunctions, sql: String, columns: [Column],
    parameterCount: Int, isReadOnly: Bool, owner: AnyObject?
  ) {
    self.handle = handle
    self.functions = functions
    self.writeFunctions = writeFunctions
    self.sql = sql
    self.columns = columns
    self.parameterCount = parameterCount
    self.isReadOnly = isReadOnly
    self.owner = owner
  }

  deinit { run.leaveRow() }

  /// Ends a run, so that the statement can be run again and holds no lock.
  package func finish() {
    run.leaveRow()
    _ = writeFunctions.reset(handle)
    isInUse = false
  }
}

// A handle belongs to the thread that its connection was leased to.
@available(*, unavailable)
extension PreparedStatement: Sendable {}
