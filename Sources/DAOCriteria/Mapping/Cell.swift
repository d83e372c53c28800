/// The value of a column in the current row.
public struct Cell {
  /// The storage class: 1 integer, 2 double, 3 text, 4 bytes, 5 null.
  @usableFromInline let form: Int32
  /// The engine's handle, where the row is an engine's.
  @usableFromInline let handle: RowFunctions.Value?
  // The run's number of the row that it is of.
  @usableFromInline let row: Int

  @inlinable @inline(__always)
  init(form: Int32, handle: RowFunctions.Value?, row: Int) {
    self.form = form
    self.handle = handle
    self.row = row
  }

  /// Whether it is null.
  @inlinable public var isNull: Bool { form == 5 }
}
