extension Evaluator {
  /// From the place of a row to those at the end of a path of relationships, in order.
  typealias Way = (Int) throws -> [Int]

  /// The evaluator at the end of a path of relationships, and the way there, which leads to each row once.
  func way(_ path: FieldPath) throws -> (Evaluator, Way) {
    var evaluator = self
    var hops: [Hop] = []
    for name in path.names {
      guard let relationship = evaluator.entity.relationship(name) else { throw evaluator.unknown(name) }
      for step in try evaluator.entity.steps(of: relationship) {
        let next = try Evaluator(step.target, in: statement)
        let here = step.pairs.compactMap { evaluator.entity.position(of: $0.here.name) }
        let there = step.pairs.compactMap { step.target.position(of: $0.there.name) }
        hops.append(Hop(from: evaluator.table, here, to: next.table, there, in: statement))
        evaluator = next
      }
    }
    if hops.count == 1 { return (evaluator, hops[0].reached) }
    return (evaluator, { [hops] place in try hops.reduce([place]) { places, hop in try hop.reached(from: places) } })
  }

  /// The first relationship of an attribute's path, which leads to one row, and the path from there.
  func throughToOne(_ path: FieldPath) throws -> (Evaluator, Way, FieldPath) {
    guard !path.rest.isEmpty else {
      throw DAOError.invalidCriteria(entity: entity.name, problems: [CriteriaProblem(unknownAttribute: path.description, of: entity)])
    }
    guard entity.relationship(path.first)?.isToMany == false else { throw unknown(path.first) }
    let (related, way) = try way(FieldPath(path.first))
    return (related, way, path.rest.reduce(.root) { $0.appending($1) })
  }

  private func unknown(_ relationship: String) -> DAOError {
    .invalidCriteria(
      entity: entity.name, problems: [CriteriaProblem(path: relationship, message: "\(entity.name) has no relationship '\(relationship)'")])
  }
}

/// From rows of one table to those of another whose columns are equal. The rows that each row leads to are looked up once a statement.
private final class Hop {
  /// From the place of a row to those of the rows that it leads to, in order.
  let reached: (Int) throws -> [Int]
  // For each place over there the number of the last question that came to it, so that no row is named twice.
  @exclusivity(unchecked) private var seen: [Int]
  @exclusivity(unchecked) private var question = 0

  init(
    from table: EvaluatedTable, _ here: [Int], to other: EvaluatedTable, _ there: [Int], in statement: EvaluatedStatement
  ) {
    let lookup = other.lookup(there)
    reached = statement.remembering(table) { place in
      guard let row = table.places[place] else { return [] }
      let found = here.count == 1 ? lookup.places(row[here[0]]) : lookup.places(here.map { row[$0] })
      try statement.spend(1 + found.count)
      return found
    }
    seen = [Int](repeating: 0, count: other.places.count)
  }

  /// The rows that some rows lead to, each once.
  func reached(from places: [Int]) throws -> [Int] {
    if places.count == 1 { return try reached(places[0]) }
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
}
