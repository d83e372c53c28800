/// From rows of one table to those of another whose columns are equal. The rows that each row leads to are looked up once a statement.
final class Hop {
  /// From the place of a row to those of the rows that it leads to, in order.
  let reached: (Int) throws -> [Int]
  /// The table that it leads from.
  let table: EvaluatedTable
  private let here: [Int]
  private let other: EvaluatedTable
  private let there: [Int]
  // How values here and over there are compared.
  private let types: [AttributeType]
  private let statement: EvaluatedStatement
  // For each place over there the number of the last question that came to it, so that no row is named twice.
  @exclusivity(unchecked) private var seen: [Int] = []
  @exclusivity(unchecked) private var question = 0

  init(
    from table: EvaluatedTable, _ here: [Int], to other: EvaluatedTable, _ there: [Int], as types: [AttributeType],
    in statement: EvaluatedStatement
  ) {
    (self.table, self.here, self.other, self.there, self.types, self.statement) = (table, here, other, there, types, statement)
    let lookup = other.lookup(there, as: types)
    reached = statement.remembering(table) { place in
      guard let row = table.places[place] else { return [] }
      let found = here.count == 1 ? lookup.places(row[here[0]]) : lookup.places(here.map { row[$0] })
      try statement.spend(1 + found.count)
      return found
    }
  }

  /// The rows that some rows lead to, each once, in order.
  func reached(from places: [Int]) throws -> [Int] {
    if places.count == 1 { return try reached(places[0]) }
    if seen.isEmpty { seen = [Int](repeating: 0, count: other.places.count) }
    question += 1
    var found: [Int] = []
    for place in places {
      for other in try reached(place) where seen[other] != question {
        seen[other] = question
        found.append(other)
      }
    }
    return found.sorted()
  }

  /// For each row whether it leads to one of some rows over there.
  func sources(of found: [Bool]) throws -> [Bool] {
    let lookup = table.lookup(here, as: types)
    var sources = [Bool](repeating: false, count: table.places.count)
    for (place, isFound) in found.enumerated() where isFound {
      guard let row = other.places[place] else { continue }
      let places = there.count == 1 ? lookup.places(row[there[0]]) : lookup.places(there.map { row[$0] })
      try statement.spend(1 + places.count)
      for source in places { sources[source] = true }
    }
    return sources
  }
}
