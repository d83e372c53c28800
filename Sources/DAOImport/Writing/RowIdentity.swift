import DAOKit

/// The values by which a row is found, in a form that is the same for equal ones.
struct RowIdentity: Hashable {
  private let first: StoredValue
  private let others: [StoredValue]

  /// The values at some positions of a row; nil where one of them is null, which is like no other.
  init?(_ row: ImportedRow, at positions: [Int], as types: [AttributeType]) { self.init(at: positions, as: types) { row.values[$0] } }

  /// The values at some positions; nil where one of them is missing or null.
  init?(at positions: [Int], as types: [AttributeType], _ value: (Int) -> StoredValue?) {
    var others: [StoredValue] = []
    guard let position = positions.first, let first = value(position), !first.isNull else { return nil }
    for position in positions.dropFirst() {
      guard let value = value(position), !value.isNull else { return nil }
      others.append(value.identity(as: types[position]))
    }
    self.first = first.identity(as: types[position])
    self.others = others
  }

  /// The value at one of the positions, by its number among them.
  subscript(number: Int) -> StoredValue { number == 0 ? first : others[number - 1] }

  /// The values, in this form already; nil where there is none.
  init?(_ values: [StoredValue]) {
    guard let first = values.first else { return nil }
    self.init(first: first, others: Array(values.dropFirst()))
  }

  /// The values.
  var values: [StoredValue] { [first] + others }

  /// The value, where it is one integer.
  var integer: Int64? { if case .integer(let integer) = first, others.isEmpty { integer } else { nil } }

  /// The values of both.
  func joined(_ other: RowIdentity) -> RowIdentity { RowIdentity(first: first, others: others + [other.first] + other.others) }

  private init(first: StoredValue, others: [StoredValue]) {
    self.first = first
    self.others = others
  }

  static func == (left: Self, right: Self) -> Bool { left.first == right.first && left.others == right.others }

  func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    for other in others { hasher.combine(other) }
  }
}
