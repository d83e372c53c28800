/// One new value of an update.
package struct CheckedChange: Sendable {
  /// The attribute that changes.
  package let attribute: Attribute
  /// The term whose value is assigned.
  package let value: CheckedTerm
}
