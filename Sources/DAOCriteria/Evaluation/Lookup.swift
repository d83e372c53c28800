/// Places of rows by the values that they have in some columns. Rows with a null among them are left out.
final class Lookup {
  // The types of the columns with a collation; nil where none has one.
  private let types: [AttributeType]?
  // In order, by values that are the same for all that are equal. Most lookups have one column.
  private var ofOne: [StoredValue: [Int]] = [:]
  private var ofSeveral: [StoredRow: [Int]] = [:]

  /// The places of the rows with these values.
  func places(_ values: StoredRow) -> [Int] {
    values.count == 1 ? places(values[0]) : ofSeveral[same(values)] ?? []
  }

  /// The places of the rows with this value in the one column.
  func places(_ value: StoredValue) -> [Int] { ofOne[same(value, at: 0)] ?? [] }

  /// - Parameter types: how the values are compared.
  init(as types: [AttributeType]) { self.types = types.contains(where: \.isCollated) ? types : nil }

  /// The same for all values that are equal: in a column without a type 1 and 1.0 are, and in one with a collation texts are that it finds
  /// equal.
  private func same(_ value: StoredValue, at position: Int) -> StoredValue {
    guard let types, types[position].isCollated else { return value.identity(as: .any) }
    return value.identity(as: types[position])
  }

  private func same(_ values: StoredRow) -> StoredRow { values.indices.map { same(values[$0], at: $0) } }

  /// Adds a row.
  func add(_ place: Int, _ values: StoredRow) {
    if values.contains(.null) { return }
    if values.count == 1 {
      ofOne[same(values[0], at: 0), default: []].insertInOrder(place)
    } else {
      ofSeveral[same(values), default: []].insertInOrder(place)
    }
  }

  /// Removes a row.
  func remove(_ place: Int, _ values: StoredRow) {
    if values.count == 1 {
      Self.remove(place, from: &ofOne[same(values[0], at: 0)])
    } else {
      Self.remove(place, from: &ofSeveral[same(values)])
    }
  }

  private static func remove(_ place: Int, from places: inout [Int]?) {
    places?.removeInOrder(place)
    if places?.isEmpty == true { places = nil }
  }
}

extension [Int] {
  /// Inserts a number where it belongs; mostly that is the end.
  fileprivate mutating func insertInOrder(_ number: Int) { insert(number, at: position(of: number)) }

  fileprivate mutating func removeInOrder(_ number: Int) {
    let position = position(of: number)
    if position < count, self[position] == number { remove(at: position) }
  }

  /// How many of the numbers are smaller.
  private func position(of number: Int) -> Int {
    if let last, last < number { return count }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
