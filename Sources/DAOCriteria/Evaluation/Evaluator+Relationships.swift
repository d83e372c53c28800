extension Evaluator {
  /// From a row to those at the end of a path of relationships.
  typealias Way = (StoredRow) -> [StoredRow]

  /// The evaluator at the end of a path of relationships, and the way there, which leads to each row once.
  func way(_ path: FieldPath) throws -> (Evaluator, Way) {
    var evaluator = self
    var hops: [Hop] = []
    for name in path.names {
      guard let relationship = evaluator.entity.relationship(name) else { throw evaluator.unknown(name) }
      for step in try evaluator.entity.steps(of: relationship) {
        let here = step.pairs.compactMap { evaluator.entity.position(of: $0.here.name) }
        evaluator = try Evaluator(step.target, tables: tables, askedOf: root)
        hops.append(Hop(table: evaluator.table, here: here, there: step.pairs.compactMap { step.target.position(of: $0.there.name) }))
      }
    }
    return (evaluator, { [hops] row in hops.reduce([row]) { rows, hop in hop.reached(from: rows) } })
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

/// From rows of one table to those of another whose columns are equal.
private struct Hop {
  let table: EvaluatedTable
  let here: [Int]
  let there: [Int]

  func reached(from rows: [StoredRow]) -> [StoredRow] {
    let found = rows.map { row in table.places(where: there, are: here.map { row[$0] }) }
    // A row that several lead to counts once.
    let places = found.count == 1 ? found[0] : Set(found.joined()).sorted()
    return places.compactMap { table.places[$0] }
  }
}
