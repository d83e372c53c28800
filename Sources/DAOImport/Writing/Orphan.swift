import DAOKit

/// A row that a list no longer has: it is deleted at the end, unless another record relates it by then.
enum Orphan {
  /// A row that holds the key of another one.
  /// - Parameters:
  ///   - plan: the number of its plan.
  ///   - row: as it was.
  ///   - there: the positions of the other row's key.
  case child(plan: Int, row: ImportedRow, there: [Int])
  /// A row that was paired with another one, by the values that pairs have.
  /// - Parameters:
  ///   - there: the positions of the values in the row.
  case paired(plan: Int, pairs: RelationshipPlan.Pairs, there: [Int], values: RowIdentity, isOwnKind: Bool)
}
