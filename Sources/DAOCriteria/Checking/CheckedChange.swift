/// One new value of an update.
package struct CheckedChange: Sendable {
  /// The attribute that changes.
  package let attribute: Attribute
  /// What it takes.
  package let value: CheckedTerm
}
