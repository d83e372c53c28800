/// The column of another table whose values an attribute takes: `REFERENCES "table"("column") ON DELETE …`.
public struct ForeignKey: Sendable, Hashable {
  /// The table pointed to.
  public let table: String
  /// Its column.
  public let column: String
  /// The action here when the other row is deleted.
  public let onDelete: DeleteRule

  /// A foreign key to one column of a table.
  public init(table: String, column: String, onDelete: DeleteRule = .deny) {
    self.table = table
    self.column = column
    self.onDelete = onDelete
  }
}
