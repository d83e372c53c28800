import DAOKit

/// A row of a relationship that was not there yet when a record named it: a later record may be it.
struct OpenLink {
  /// The number of the plan of the entity whose row is to be related.
  let plan: Int
  /// The values of that row's key, by position; nil for other attributes.
  let row: [StoredValue?]
  /// The number of the relationship in the plan.
  let relationship: Int
  /// The values of the other row's identity, by position; nil for other attributes.
  let target: [StoredValue?]
  /// The problem, where no record is that row.
  let problem: ImportProblem
}
