/// One order.
package struct CheckedOrder: Sendable {
  /// The order as it was asked for.
  package let ordering: Criteria.Ordering
  /// The term that rows are ordered by.
  package let term: CheckedTerm
}
