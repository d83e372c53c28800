/// One row that a commit writes.
package struct EditWrite: Sendable {
  package let id: EditID
  package let table: EditedTable
  /// The row in the store; nil for a new one.
  package var before: [StoredValue]?
  /// The row that is to be there; nil where it is deleted.
  package var after: [StoredValue]?
  /// The row in the store where it has given values away that others take.
  package var parked: [StoredValue]?

  /// The positions of the columns that an update sets.
  package var columns: [Int] {
    guard let before = parked ?? before, let after else { return [] }
    return table.differences(before, after)
  }
}
