/// The separator and the order with which the texts of a group are joined.
package struct CheckedTextList: Sendable {
  /// The text between two of them.
  package let separator: CheckedValue
  /// The terms that the texts are ordered by.
  package let orders: [CheckedOrder]
}
