/// A term and a bound that it is compared with.
package struct CheckedPair: Sendable {
  /// The term.
  package let subject: CheckedTerm
  /// The bound.
  package let bound: CheckedTerm
}
