/// The storage classes that the values of an attribute have.
package enum StoredForm: Sendable {
  /// One storage class.
  case integer, real, text, blob
  /// Integers and doubles.
  case number
  /// Any.
  case any
}
