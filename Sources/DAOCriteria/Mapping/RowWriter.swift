/// Runs a statement once for each of many rows, with the values that each writes.
///
/// The purpose of the statement decides whether a run must change a row, and which result is kept.
public struct RowWriter {
  /// The purpose of a statement.
  public enum Purpose: Sendable {
    /// Each row is new. Where the store generates the key, the row takes it.
    case insert(takesKeys: Bool)
    /// Each row exists.
    case update
    /// A row is new or there; ``RowWriter/outcomes`` has the result.
    case upsert(takesKeys: Bool)
    /// Rows may be there; ``RowWriter/changedCount`` has their number.
    case delete
  }

  /// The writer of the row's values.
  public var columns: ColumnWriter
  /// How many rows were run.
  public var count = 0
  /// How many rows were deleted.
  public var changedCount = 0
  /// The outcome of an upsert for each row.
  public var outcomes: [UpsertOutcome] = []
  @usableFromInline let statement: WriteFunctions.Statement
  @usableFromInline let functions: WriteFunctions
  @usableFromInline let purpose: Purpose
  // Whether the engine has to distinguish new rows from others.
  @usableFromInline let isUpsert: Bool

  /// A writer over a statement whose first parameters take a row's values, of these types.
  /// - Parameters:
  ///   - texts: the statement's; nil where its engine copies the texts.
  ///   - keyColumn: where an integer key stands among them, from 0.
  public init(
    statement: WriteFunctions.Statement, functions: WriteFunctions, texts: BoundTexts? = nil, types: [AttributeType],
    for purpose: Purpose, keyColumn: Int? = nil
  ) {
    columns = ColumnWriter(statement: statement, functions: functions, texts: texts, types: types)
    columns.keyColumn = Int32(keyColumn ?? -1)
    self.statement = statement
    self.functions = functions
    self.purpose = purpose
    isUpsert = if case .upsert = purpose { true } else { false }
  }

  /// Runs the statement with the row whose values were written, and begins the next.
  /// - Returns: the key that the row is to take, if it is to take one.
  /// - Throws: an error, of which its store makes a ``DAOError``: where too few or too many values were written, where the engine refused a
  ///   row, and where a row that was to be inserted or updated was not.
  @inlinable @inline(__always)
  public mutating func run() throws -> Int64? {
    try columns.endRow()
    var (key, changed, isNew) = (columns.key, Int32(0), false)
    columns.key = 0
    let code = functions.write(statement, isUpsert, &key, &changed, &isNew)
    guard code == 101 || code == 100 else { throw StepFailure(code: code) }
    _ = functions.reset(statement)
    switch purpose {
    case .insert(let takesKeys):
      guard changed == 1 else { throw RowNotWritten(row: count) }
      count += 1
      return takesKeys ? key : nil
    case .update:
      guard changed == 1 else { throw RowNotWritten(row: count) }
      count += 1
      return nil
    case .upsert(let takesKeys):
      count += 1
      let outcome = UpsertOutcome(changed: changed, isNew: isNew)
      outcomes.append(outcome)
      return takesKeys && outcome == .inserted ? key : nil
    case .delete:
      count += 1
      // A key can be that of several rows, where each spells the same decimal another way.
      changedCount += Int(changed)
      return nil
    }
  }
}
