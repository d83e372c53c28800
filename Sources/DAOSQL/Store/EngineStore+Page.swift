import DAOCriteria

extension EngineStore {
  /// Reads a page: `SELECT … WHERE … ORDER BY … LIMIT`. The first and the last row of the page size give their cursors.
  package func page<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int) throws -> FoundPage<E> {
    if !criteria.prefetches.isEmpty { return try pagePrefetching(type, in: target, criteria, size: size) }
    let shape = CriteriaShape(.page, criteria, scope: target.scope)
    let isFirst = criteria.after == nil && criteria.offset == nil
    // Results leave the closures by variables: a generic result costs a lookup of its type at each call.
    var items: [E] = []
    var ends = PageRequest.Ends(count: 0, first: nil, last: nil, hasMore: false)
    try source.read(snapshot: false) { connection in
      try connection.within(criteria.budget) {
        let entry = try connection.entry(.page, criteria, shape, in: target)
        try connection.run(entry, in: target.entity) { statement in
          let plan = entry.plan
          try statement.bind(plan, shape.values, .page, criteria, in: target)
          var rows = statement.rows(plan)
          let orders = plan.orderColumns
          if try !isFirst && !rows.peek() { return }
          let first = isFirst ? nil : try rows.row.stored(at: orders)
          try E.read(&rows, upTo: size, into: &items)
          let isFull = items.count == size
          // The statement still stands on the last row that was read.
          let last = isFull ? try rows.row.stored(at: orders) : nil
          let hasMore = try isFull && rows.advance()
          if hasMore, target.entity.mayRepeatKeys, let last {
            try target.entity.refuseSame(last, try rows.row.stored(at: orders), as: orders.map { plan.columns[$0].type })
          }
          ends = PageRequest.Ends(count: items.count, first: first, last: last, hasMore: hasMore)
        }
      }
    }
    return FoundPage(items, ends)
  }
}

extension EntityDescription {
  /// Refuses two rows that have the same cursor: the page that goes on after it would not show the second.
  fileprivate func refuseSame(_ last: [StoredValue], _ next: [StoredValue], as types: [AttributeType]) throws {
    guard types.indices.allSatisfy({ last[$0].compare(next[$0], as: types[$0]) == 0 }) else { return }
    throw DAOError.invalidDescription(
      entity: name,
      problems: ["two rows have the same key (\(key.attributes.joined(separator: ", "))), and a page that ends between them would lose one"]
    )
  }
}
