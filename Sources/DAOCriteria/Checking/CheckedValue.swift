/// A use of a value in checked criteria: its number among all values, its purpose, and its name in messages. The same value may stand in
/// two places: one that is between two attributes is stored as each of them.
package struct CheckedValue: Sendable {
  /// The number by which a rendered statement refers to it.
  package let number: Int
  /// The value.
  package let value: CriteriaValue
  /// The purpose of the value.
  package internal(set) var use: ValueUse
  /// How messages name it: the path of the attribute that it is compared with.
  package internal(set) var path: String
  /// The position in the JSON that the criteria were read from.
  let place: String?

  /// The value, where it is a single one.
  package var scalar: Scalar? { if case .scalar(let scalar) = value { scalar } else { nil } }

  /// Whether the value that has its number in a query of the same form can be used as it is.
  package func fits(_ values: [CriteriaValue]) -> Bool { (try? use.stored(values[number])) != nil }

  /// The value of a position, as a store keeps it.
  package var stored: StoredValue { if case .stored(let stored) = value { stored } else { .null } }
}
