/// The rows of a statement, one at a time.
@_documentation(visibility: internal)
public struct RowCursor {
  /// The row at which the cursor is.
  public var row: RowReader
  @usableFromInline var isAhead = false
  /// Collects the keys of each row read. The owner keeps it alive: reference counting for each row would cost more than collecting the
  /// keys.
  @usableFromInline package var notes: Unmanaged<RowNotes>?

  /// The rows that a statement yields from here on.
  @inlinable
  public init(statement: RowFunctions.Statement, functions: RowFunctions, run: RowRun, columns: RowColumns) {
    row = RowReader(statement: statement, functions: functions, run: run, columns: columns)
    row.rowNumber = -1
  }

  /// Goes to the next row.
  /// - Returns: false at the end.
  /// - Throws: ``StepFailure`` with the engine's code; ``DAOError/misuse(_:use:)`` where the cursor was kept and its run has ended.
  @inlinable @inline(__always)
  public mutating func advance() throws -> Bool {
    if isAhead {
      isAhead = false
      return true
    }
    guard let functions = row.functions, let run = row.run else { return false }
    guard row.row == run.row else { throw RowRun.rowKept }
    run.leaveRow()
    let code = functions.step(row.statement)
    guard code == 100 else {
      row.row = run.row
      if code == 101 { return false }
      throw StepFailure(code: code)
    }
    row.startRow()
    if let notes { try notes._withUnsafeGuaranteedRef { try $0.note(&row) } }
    return true
  }

  /// Advances to the next row, which the next ``advance()`` returns again, for a caller that has to examine a row before it is read.
  /// - Returns: false at the end.
  /// - Throws: ``StepFailure`` with the engine's code.
  public mutating func peek() throws -> Bool {
    isAhead = try advance()
    return isAhead
  }
}
