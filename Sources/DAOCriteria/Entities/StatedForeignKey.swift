/// Columns of a table that hold the key of a row of another, where the store itself does not declare it: `FOREIGN KEY ("CustomerId")
/// REFERENCES "Customer" ("CustomerId")`, by a person's word.
///
/// Criteria and prefetches go through it in both directions, as through a declared one; see ``Relationship/Declaration/absent``.
public struct StatedForeignKey: Sendable, Hashable {
  /// The table, or view.
  public let table: String
  /// Its columns.
  public let columns: [String]
  /// The table, or view, that they point to.
  public let target: String
  /// The columns over there; empty for its key.
  public let targetColumns: [String]

  /// A foreign key, of one column or several.
  /// - Parameters:
  ///   - table: the table, or view.
  ///   - columns: its columns.
  ///   - target: the table, or view, that they point to.
  ///   - targetColumns: the columns over there, in the same order; without any, its key.
  public init(_ table: String, _ columns: String..., to target: String, _ targetColumns: String...) {
    self.table = table
    self.columns = columns
    self.target = target
    self.targetColumns = targetColumns
  }
}
