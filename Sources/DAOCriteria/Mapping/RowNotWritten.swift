/// A row that was to be inserted or updated, and was not. The store says why.
public struct RowNotWritten: Error {
  /// Which of the rows, from 0.
  public let row: Int

  @usableFromInline init(row: Int) { self.row = row }
}
