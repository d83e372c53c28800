extension Evaluator {
  /// The rows at the end of a path of relationships, each once, and the evaluator for them.
  func reached(_ path: FieldPath, from row: StoredRow) throws -> (Evaluator, [StoredRow]) {
    var (evaluator, found) = (self, [row])
    for name in path.names {
      for step in try evaluator.steps(name) {
        let all = rows(step.target)
        let here = try step.pairs.map { pair in try evaluator.position(pair.here) }
        let there = step.pairs.compactMap { step.target.position(of: $0.there.name) }
        found = all.filter { row in
          found.contains { start in
            zip(here, there).allSatisfy { here, there in !start[here].isNull && start[here] == row[there] }
          }
        }
        evaluator = Evaluator(entity: step.target, visible: all, rows: rows)
      }
    }
    return (evaluator, found)
  }

  /// The evaluator at the end of a path of relationships.
  func target(of path: FieldPath) throws -> Evaluator {
    try path.names.reduce(self) { evaluator, name in
      try evaluator.steps(name).last.map { Evaluator(entity: $0.target, visible: rows($0.target), rows: rows) } ?? evaluator
    }
  }

  func unknown(_ relationship: String) -> DAOError {
    .invalidCriteria(
      entity: entity.name, problems: [CriteriaProblem(path: relationship, message: "\(entity.name) has no relationship '\(relationship)'")])
  }

  private func steps(_ name: String) throws -> [RelationshipStep] {
    guard let relationship = entity.relationship(name) else { throw unknown(name) }
    return try entity.steps(of: relationship)
  }

  private func position(_ attribute: Attribute) throws -> Int {
    guard let position = entity.position(of: attribute.name) else { throw unknown(attribute.name) }
    return position
  }
}
