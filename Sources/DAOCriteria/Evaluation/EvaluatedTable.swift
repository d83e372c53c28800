/// The rows of an entity, found by the values of their columns.
///
/// A row keeps its place as long as it exists; the place of a deleted row stays empty. One thread at a time uses it: the store sees to
/// that.
package final class EvaluatedTable {
  /// The rows in the order in which they came; nil where one has left.
  @exclusivity(unchecked) package private(set) var places: [StoredRow?] = []
  private var lookups: [Columns: Lookup] = [:]
  private var ordered: (column: Int, places: [Int])?
  private var largest: (column: Int, value: Int64?)?

  /// Columns as their values are looked up.
  private struct Columns: Hashable {
    let positions: [Int]
    let types: [AttributeType]
  }

  /// A table without rows.
  package init() {}

  /// The places that have a row.
  var occupied: [Int] { places.indices.filter { places[$0] != nil } }

  /// The places of the rows with these values in these columns, in order. As in a foreign key, null is equal to nothing.
  /// - Parameter types: how the values are compared.
  package func places(where columns: [Int], are values: StoredRow, as types: [AttributeType]) -> [Int] {
    lookup(columns, as: types).places(values)
  }

  /// The places of the rows by their integers in a column, the smallest first: worked out once for all statements until a row changes.
  func places(orderedBy column: Int) -> [Int] {
    if let ordered, ordered.column == column { return ordered.places }
    func number(_ place: Int) -> Int64 { self.places[place].flatMap { $0[column].integer } ?? .min }
    let numbers = occupied.map { (number($0), $0) }
    let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy { $0.0 <= $1.0 }
    let places = (isInOrder ? numbers : numbers.sorted { $0 < $1 }).map(\.1)
    ordered = (column, places)
    return places
  }

  /// The largest integer in a column; nil where there is none.
  package func largest(in column: Int) -> Int64? {
    if let largest, largest.column == column { return largest.value }
    let value = places.lazy.compactMap { $0.flatMap { $0[column].integer } }.max()
    largest = (column, value)
    return value
  }

  /// Puts a row into a place, which may be the one after the last; nil empties it.
  /// - Returns: the row that was there.
  @discardableResult
  package func put(_ row: StoredRow?, at place: Int) -> StoredRow? {
    if place == places.count { places.append(nil) }
    let before = places[place]
    places[place] = row
    ordered = nil
    for (columns, lookup) in lookups {
      if let before { lookup.remove(place, columns.positions.map { before[$0] }) }
      if let row { lookup.add(place, columns.positions.map { row[$0] }) }
    }
    if let (column, value) = largest {
      if let before, before[column].integer == value {
        largest = nil
      } else if let new = row?[column].integer, value.map({ $0 < new }) ?? true {
        largest = (column, new)
      }
    }
    return before
  }

  /// Rows by their values in some columns, made when it is first needed and kept up from then on.
  func lookup(_ columns: [Int], as types: [AttributeType]) -> Lookup {
    let key = Columns(positions: columns, types: types)
    if let kept = lookups[key] { return kept }
    let lookup = Lookup(as: types)
    for (place, row) in places.enumerated() { if let row { lookup.add(place, columns.map { row[$0] }) } }
    lookups[key] = lookup
    return lookup
  }
}

extension StoredValue {
  fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}
