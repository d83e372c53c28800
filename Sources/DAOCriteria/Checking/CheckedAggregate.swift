/// A call of an aggregate.
package struct CheckedAggregate: Sendable {
  /// The aggregate.
  package let aggregate: Aggregate
  /// The term that is aggregated; nil for the rows themselves.
  package internal(set) var term: CheckedTerm?
  /// The attribute whose stored values are read, for errors about them.
  package let origin: TermOrigin?
  /// How texts are joined, where it joins them.
  package var list: CheckedTextList?
  /// The symbols of the scope in its SQL, where it is over all rows visible in the scope.
  var scopeSymbols = 0
}
