import DAOCriteria

extension SQLEntityStore {
  /// `SELECT … WHERE … ORDER BY … LIMIT`, of whose rows the first and the last page size tell their place.
  public func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E> {
    if !criteria.prefetches.isEmpty { return try pagePrefetching(type, in: target, criteria, size: size) }
    let shape = CriteriaShape(.page, criteria, scope: target.scope)
    let isFirst = criteria.after == nil && criteria.offset == nil
    return try source.read(snapshot: false) { connection in
      let entry = try connection.entry(.page, criteria, shape, in: target)
      return try connection.run(entry, in: target.entity) { statement in
        try statement.bind(entry.plan, shape.literals, of: target.entity)
        var rows = statement.rows(entry.plan)
        func place() throws -> [StoredValue] { try entry.plan.orderColumns.map { try rows.row.stored(at: $0) } }
        var items: [E] = []
        var first: [StoredValue]?
        if !isFirst {
          items = try E.read(&rows, upTo: 1)
          first = items.isEmpty ? nil : try place()
        }
        if isFirst || items.count == 1, items.count < size {
          let rest = try E.read(&rows, upTo: size - items.count)
          if items.isEmpty { items = rest } else { items += rest }
        }
        guard items.count == size else { return FoundPage(items, PageEnds(count: items.count, first: first, last: nil, hasMore: false)) }
        // The statement still stands on the last row that was read.
        let last = try place()
        return FoundPage(items, PageEnds(count: size, first: first, last: last, hasMore: try rows.advance()))
      }
    } ?? FoundPage([], PageEnds(count: 0, first: nil, last: nil, hasMore: false))
  }
}
