/// The keys by which rows belong to those of a relationship, noted while the rows are read: writing them again from the entities takes
/// longer than reading the rows.
package final class NotedKeys {
  private let positions: [Int]
  private let types: [AttributeType]
  private let firstPosition: Int32
  // Whether each is an integer in a column of integers: no other key is as frequent, nor as quick. No access happens within another,
  // so the checks are left out: for each row they took a thirtieth of a prefetch.
  @exclusivity(unchecked) private var isPlain: Bool
  @exclusivity(unchecked) private var plain: [Int64] = []
  @exclusivity(unchecked) private var others: [MatchKey?] = []

  /// Notes values at some positions of rows, as attributes of these types hold them.
  init(at positions: [Int], as types: [AttributeType]) {
    self.positions = positions
    self.types = types
    firstPosition = Int32(positions.first ?? 0)
    isPlain = types == [.integer] && positions.count == 1
  }

  /// The keys, where each is an integer.
  var integers: [Int64]? { isPlain ? plain : nil }

  /// How many rows there were.
  var count: Int { isPlain ? plain.count : others.count }

  /// The key of each row; nil where it leads to no row.
  var keys: [MatchKey?] { isPlain ? plain.map { MatchKey($0) } : others }

  /// The keys that there are, each once, in their order.
  var distinct: [MatchKey] {
    guard let integers else { return others.distinct }
    var seen: Set<Int64> = []
    var last: Int64?
    return integers.compactMap { key in
      // Those of one row mostly come one after the other.
      if key == last { return nil }
      last = key
      return seen.insert(key).inserted ? MatchKey(key) : nil
    }
  }

  /// Notes a row's key.
  func note(_ row: inout RowReader) throws {
    if isPlain, let value = row.integer(at: firstPosition) { return plain.append(value) }
    append(try positions.map { try row.stored(at: $0) })
  }

  /// Notes the key of a row with all its values.
  func note(_ row: [StoredValue]) {
    if isPlain, case .integer(let value) = row[positions[0]] { return plain.append(value) }
    append(positions.map { row[$0] })
  }

  /// Removes all notes.
  func forget() { (plain, others) = ([], []) }

  private func append(_ values: [StoredValue]) {
    if isPlain {
      others = keys
      isPlain = false
    }
    others.append(MatchKey(values, at: values.indices, as: types))
  }
}
