import DAOCriteria

extension EngineStore {
  /// How the store goes about a query, and the statements that it prefetches by. No row is read but those of a sample by
  /// which the form of a statement is chosen.
  package func explain(_ kind: Criteria.Use, _ criteria: Criteria, in target: EntityTarget) throws -> QueryPlan {
    var (rendered, sent) = try SQLPlan.withStatement(kind, criteria, in: target)
    if sent != nil, let sample = rendered.sample {
      let values = try sample.values(CriteriaShape(kind, criteria, scope: target.scope).values, of: target.entity)
      do {
        let answer = try source.read(snapshot: false) { try $0.rows(SQLStatement(sample.text, values)) }
        (rendered, sent) = try SQLPlan.withStatement(kind, criteria, in: target, mostFit: answer == [[.integer(1)]])
      } catch DAOError.overflow {
        // The statement may never come to the row whose value overflows.
      }
    }
    let (plan, statement) = (rendered, sent)
    guard let statement else { return QueryPlan(nil, steps: []) }
    let prefetches = try kind.readsRows ? criteria.prefetchQueries(of: target.entity) : []
    let (steps, missing) = try source.read(snapshot: false) { connection in
      let reader = try PlanReader(connection, aliases: plan.aliases)
      let steps = try reader.steps(of: statement, on: connection)
      if QueryPlan(statement, steps: steps).effort == 0 { return (steps, [QueryPlan.MissingIndex]()) }
      let checked = try criteria.checked(kind, in: target, within: connection.dialect.limits)
      return (steps, try connection.missingIndexes(for: statement, reader, IndexCandidates(kind, checked).groups))
    }
    return QueryPlan(
      statement, steps: steps, missingIndexes: missing,
      prefetches: try prefetches.map { try explain($0.kind, $0.criteria, in: EntityTarget($0.entity)) })
  }
}
