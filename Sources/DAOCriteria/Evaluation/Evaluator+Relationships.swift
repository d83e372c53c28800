extension Evaluator {
  /// From the place of a row to those at the end of a path of relationships, in order.
  typealias Way = (Int) throws -> [Int]

  /// The evaluator at the end of a path of relationships, and the way there, which leads to each row once.
  func way(_ path: FieldPath) throws -> (Evaluator, Way) {
    let (evaluator, hops) = try hops(path)
    if hops.count == 1 { return (evaluator, hops[0].reached) }
    return (evaluator, { place in try hops.reduce([place]) { places, hop in try hop.reached(from: places) } })
  }

  /// The evaluator at the end of a path of relationships, and the hops there.
  private func hops(_ path: FieldPath) throws -> (Evaluator, [Hop]) {
    var evaluator = self
    var hops: [Hop] = []
    for name in path.names {
      guard let relationship = evaluator.entity.relationship(name) else { throw evaluator.unknown(name) }
      for step in try evaluator.entity.steps(of: relationship) {
        let next = try Evaluator(step.target, in: statement)
        let here = step.pairs.compactMap { evaluator.entity.position(of: $0.here.name) }
        let there = step.pairs.compactMap { step.target.position(of: $0.there.name) }
        hops.append(Hop(from: evaluator.table, here, to: next.table, there, as: step.targetTypes, in: statement))
        evaluator = next
      }
    }
    return (evaluator, hops)
  }

  /// Whether a path of relationships leads from a row's place to a row that a condition is true of.
  ///
  /// It is worked out once for each row on the way, up to the first that is found; where the path ends in a small table, once for all rows,
  /// from its end.
  func some(_ path: FieldPath, _ condition: Criteria.Condition) throws -> (Int) throws -> Bool {
    let (related, hops) = try hops(path)
    let test = condition.isAlwaysTrue ? { _ in true } : try related.rowTest(condition)
    let forward = hops.enumerated().reversed().reduce(test) { test, step in
      let (number, hop) = step
      let isReached: (Int) throws -> Bool = { place in try hop.reached(place).contains(where: test) }
      return number == 0 ? isReached : statement.remembering(hop.table, isReached)
    }
    let passed = hops.reduce(0) { $0 + $1.table.places.count }
    guard statement.isSnapshot, hops.count > 1, related.table.places.count <= passed / 4 else { return forward }
    let backward = Once { try sources(of: hops, to: related, where: test) }
    return { place in
      if let sources = try backward.value() { return sources[place] }
      return try forward(place)
    }
  }

  /// For each row here whether some hops lead to a row that a test is true of; nil where the test fails.
  private func sources(of hops: [Hop], to related: Evaluator, where test: (Int) throws -> Bool) throws -> [Bool]? {
    var found: [Bool]
    do { found = try related.table.places.indices.map { try related.table.places[$0] != nil && test($0) } } catch DAOError.overflow,
      DAOError.undecodable
    {
      // It may be that of a row to which none leads.
      return nil
    }
    for hop in hops.reversed() { found = try hop.sources(of: found) }
    return found
  }

  /// The first relationship of an attribute's path, which leads to one row, and the path from there.
  func throughToOne(_ path: FieldPath) throws -> (Evaluator, Way, FieldPath) {
    guard !path.rest.isEmpty else {
      throw DAOError.invalidCriteria(
        entity: entity.name, problems: [DAOError.CriteriaProblem(unknownAttribute: path.description, of: entity)])
    }
    guard entity.relationship(path.first)?.isToMany == false else { throw unknown(path.first) }
    let (related, way) = try way(FieldPath(path.first))
    return (related, way, path.rest.reduce(.root) { $0.appending($1) })
  }

  private func unknown(_ relationship: String) -> DAOError {
    .invalidCriteria(
      entity: entity.name,
      problems: [DAOError.CriteriaProblem(path: relationship, message: "\(entity.name) has no relationship '\(relationship)'")])
  }
}
