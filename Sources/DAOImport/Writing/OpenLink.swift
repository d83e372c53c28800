/// A row of a relationship that was not there yet when a record named it: a later record may be it.
struct OpenLink {
  /// The rows that a link is of, and where it leads.
  struct Source: Hashable {
    /// The number of the plan of the row that is to be related.
    let plan: Int
    /// The number of the relationship in the plan.
    let relationship: Int
    /// The key of the row.
    let row: RowIdentity
  }

  /// A row that is waited for.
  struct Target: Hashable {
    /// The number of its plan.
    let plan: Int
    let identity: RowIdentity
  }

  let source: Source
  let target: Target
  /// The record that names the row.
  let origin: RecordOrigin
  /// The names that lead to the value in the record.
  let path: [String]
}
