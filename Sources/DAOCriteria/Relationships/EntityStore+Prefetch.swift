// How a store answers a query that prefetches, by means of one that does not: what its own functions call. One implementation for all
// stores; each statement is one that the store knows.
extension EntityStore {
  /// The entities that a query finds, and the rows that it prefetches, from one snapshot.
  public func findPrefetching<E: Entity>(_ type: E.Type, in target: EntityTarget, _ criteria: Criteria) throws -> [E] {
    let tree = try PrefetchTree(criteria, of: target.entity)
    return try read { store in
      let notes = RowNotes(target.entity, tree)
      let found = try store.find(type, in: target, criteria.withoutPrefetches, notes)
      return try Prefetching.fill(found, of: target.entity, tree, from: store, notes)
    }
  }

  /// The same for a page.
  public func pagePrefetching<E: Entity>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, size: Int
  ) throws -> FoundPage<E> {
    let tree = try PrefetchTree(criteria, of: target.entity)
    return try read { store in
      let page = try store.page(type, in: target, criteria.withoutPrefetches, size: size)
      return FoundPage(try Prefetching.fill(page.items, of: target.entity, tree, from: store), page.ends)
    }
  }

  /// The same for a cursor, batch by batch.
  public func withPrefetchingCursor<E: Entity, Result>(
    _ type: E.Type, in target: EntityTarget, _ criteria: Criteria, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    let tree = try PrefetchTree(criteria, of: target.entity)
    return try read { store in
      try store.withCursor(type, in: target, criteria.withoutPrefetches) { rows in
        try EntityCursor.run(
          over: {
            let batch = try rows.nextBatch()
            return EntityBatch(try Prefetching.fill(batch.entities, of: target.entity, tree, from: store), isLast: batch.isLast)
          }, body)
      }
    }
  }

  /// A batch of the entities that a query finds, with the rows that it prefetches.
  public func prefetching<E: Entity>(_ batch: EntityBatch<E>, in target: EntityTarget, _ criteria: Criteria) throws -> EntityBatch<E> {
    let tree = try PrefetchTree(criteria, of: target.entity)
    return EntityBatch(try Prefetching.fill(batch.entities, of: target.entity, tree, from: self), isLast: batch.isLast)
  }
}

extension Criteria {
  fileprivate var withoutPrefetches: Criteria {
    var criteria = self
    criteria.prefetches = []
    return criteria
  }
}
