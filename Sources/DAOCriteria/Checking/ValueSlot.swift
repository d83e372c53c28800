/// Where a value of a criteria stands: what it is for, and how messages name it. A rendered statement refers to it by its number.
package struct ValueSlot: Sendable {
  /// The value with which the criteria was checked.
  package let value: CriteriaValue
  /// What it is for.
  package internal(set) var use: ValueUse
  /// How messages name it: the path of the attribute that it is compared with.
  package internal(set) var path: String
  /// Its place in the JSON that the criteria was read from.
  let place: String?
}
