/// What joins the texts of a group, and in which order.
package struct CheckedTextList: Sendable {
  /// The text between two of them.
  package let separator: CheckedValue
  /// What they are ordered by.
  package let orders: [CheckedOrder]
}
