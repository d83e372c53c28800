// How the store goes about a query. The statement's values are bound, no row is read but those of a sample by which a
// quantifier's form is chosen, and nothing is changed.
extension DAO {
  /// The plan of the store for ``findAll(_:)-(SearchCriteria<E>)``, or for a report where the criteria have projections, within the DAO's
  /// scope: `EXPLAIN QUERY PLAN SELECT …`.
  ///
  /// ```swift
  /// let plan = try zones.explain(.where(\.country == Reference("SK")).order(by: \.name))
  /// plan.sorts                 // [.order]
  /// plan.missingIndexes[0].sql // CREATE INDEX "zone_on_country_name" ON "zone" ("country", "name")
  /// ```
  /// - Throws: ``DAOError/unsupported(_:)`` on a store without SQL, and the errors of the query.
  public final func explain(_ criteria: SearchCriteria<E> = .all) throws -> QueryPlan {
    let asked = refine(criteria).criteria
    return try plan(asked.columns.isEmpty ? .entities : .report, asked)
  }

  /// The plan of the store for a page of a query.
  /// - Throws: what the page throws, and ``DAOError/unsupported(_:)`` on a store without SQL.
  public final func explain(_ criteria: SearchCriteria<E> = .all, page: PageRequest) throws -> QueryPlan {
    var asked = refine(criteria).criteria
    try asked.turn(to: page, in: target)
    return try plan(.page, asked)
  }

  /// The plan of the store for ``count(_:)-(SearchCriteria<E>)``, and for the total of a page.
  /// - Throws: what the count throws, and ``DAOError/unsupported(_:)`` on a store without SQL.
  public final func explainCount(_ criteria: SearchCriteria<E> = .all) throws -> QueryPlan { try plan(.count, refine(criteria).criteria) }

  /// Runs `explain(criteria)` on the store's queue.
  public final func explain(_ criteria: SearchCriteria<E> = .all) async throws -> QueryPlan {
    try await context.store.perform(.read) { try self.explain(criteria) }
  }

  /// Runs `explain(criteria, page: page)` on the store's queue.
  public final func explain(_ criteria: SearchCriteria<E> = .all, page: PageRequest) async throws -> QueryPlan {
    try await context.store.perform(.read) { try self.explain(criteria, page: page) }
  }

  /// Runs `explainCount(criteria)` on the store's queue.
  public final func explainCount(_ criteria: SearchCriteria<E> = .all) async throws -> QueryPlan {
    try await context.store.perform(.read) { try self.explainCount(criteria) }
  }

  private func plan(_ kind: Criteria.Use, _ criteria: Criteria) throws -> QueryPlan {
    guard let store = context.store as? EngineStore else { throw DAOError.unsupported("this store has no SQL to explain") }
    return try store.explain(kind, criteria, in: target)
  }
}
