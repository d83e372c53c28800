/// A row that was to be inserted or updated, and was not. The store says why.
@usableFromInline package struct RowNotWritten: Error {
  /// Which of the rows, from 0.
  package let row: Int

  @usableFromInline init(row: Int) { self.row = row }
}
