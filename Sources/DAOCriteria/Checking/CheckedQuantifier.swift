/// A path of relationships with a condition at its end.
package struct CheckedQuantifier: Sendable {
  /// The relationships; one at least.
  package let hops: [CheckedHop]
  /// The condition at the end.
  package let condition: CheckedCondition
  /// Whether it was written as a comparison of attributes over one to-one relationship: `\.country.name == "Slovakia"`.
  package let isComparison: Bool
}
