import DAOCriteria

extension Connection {
  /// Those of the candidates with which the engine spares scans and sorts. They are made in an empty copy of the store and the engine is
  /// asked again: each time the group that helps most, until none helps.
  func missingIndexes(for statement: SQLStatement, _ reader: PlanReader, _ groups: [[CandidateIndex]]) throws -> [QueryPlan.MissingIndex] {
    if groups.isEmpty { return [] }
    return try withEmptyCopy { copy in
      func plan(with indexes: [QueryPlan.MissingIndex]) throws -> QueryPlan {
        for index in indexes { _ = try copy.rows(SQLStatement(index.sql)) }
        defer { for index in indexes { _ = try? copy.rows(SQLStatement("DROP INDEX \(index.name.quotedIdentifier)")) } }
        return QueryPlan(statement, steps: try reader.knowing(indexes).steps(of: statement, on: copy))
      }
      // A table that needs another tool's collation or function can't be created in the copy, and no index can be tried on it.
      guard let own = try? plan(with: []) else { return [] }
      var best = (plan: own, indexes: [QueryPlan.MissingIndex]())
      while best.plan.effort > 0 {
        let known = best
        for group in groups {
          var indexes = known.indexes
          for candidate in group where !indexes.contains(where: { $0.entity == candidate.entity.name && $0.index == candidate.index }) {
            indexes.append(candidate.named(besides: reader.names.union(indexes.map(\.name))))
          }
          let tried = try plan(with: indexes)
          if tried.effort < best.plan.effort { best = (tried, indexes) }
        }
        if best.plan.effort == known.plan.effort { break }
      }
      return best.indexes.filter { best.plan.usedIndexes.contains($0.name) }
    }
  }
}

extension QueryPlan {
  /// The effort that an index might save.
  var effort: Int {
    kinds.reduce(0) { effort, kind in
      switch kind {
      case .fullScan, .automaticIndex: effort + 4
      case .indexScan: effort + 2
      case .sort(_, let isPartial): effort + (isPartial ? 1 : 2)
      case .search, .keySearch, .subquery, .union, .other: effort
      }
    }
  }
}
