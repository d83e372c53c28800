/// A row that a commit writes.
package struct EditWrite: Sendable {
  package let id: EditID
  package let table: EditedTable
  /// The row in the store; nil for a new one.
  package var before: [StoredValue]?
  /// The row that is to be there; nil where it is deleted.
  package var after: [StoredValue]?
  /// Whether the key of the new row is the unit's own, until the store generates one.
  package let hasProvisionalKey: Bool

  package init(id: EditID, table: EditedTable, before: [StoredValue]?, after: [StoredValue]?, hasProvisionalKey: Bool = false) {
    self.id = id
    self.table = table
    self.before = before
    self.after = after
    self.hasProvisionalKey = hasProvisionalKey
  }

  /// The edit that it writes.
  package var row: EditedRow { EditedRow(base: before, mine: after, hasProvisionalKey: hasProvisionalKey) }

  /// The positions of the columns that an update sets.
  package var columns: [Int] {
    guard let before, let after else { return [] }
    return table.differences(before, after)
  }

  /// Whether an update sets these columns and no others.
  package func sets(_ columns: [Int]) -> Bool {
    guard let before, let after else { return columns.isEmpty }
    return table.differ(before, after, in: columns)
  }
}
