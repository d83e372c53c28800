/// A call of an aggregate.
package struct CheckedAggregate: Sendable {
  /// The aggregate.
  package let aggregate: Aggregate
  /// What is aggregated; nil for the rows themselves.
  package internal(set) var term: CheckedTerm?
  /// The attribute whose stored values are read, for errors about them.
  package let origin: TermOrigin?
  /// The depth of the scope, where it is over all rows that the scope lets be seen.
  var scopeDepth = StatementDepth()
}
