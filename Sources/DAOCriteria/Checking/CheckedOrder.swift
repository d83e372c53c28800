/// One order.
package struct CheckedOrder: Sendable {
  /// The order as it was asked for.
  package let ordering: Criteria.Ordering
  /// What is ordered by.
  package let term: CheckedTerm
}
