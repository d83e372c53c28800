// Results that follow the commits.
extension DAO {
  /// The entities of a query, now and after each commit that changes them:
  ///
  /// ```swift
  /// for try await zones in dao.observe(.where { $0.countryCode == "SK" }.order(by: \.name)) { show(zones) }
  /// // SELECT … FROM "zone" WHERE "countryCode" IS ? ORDER BY "name" ASC NULLS FIRST
  /// ```
  ///
  /// It is the query of ``findAll(_:)``, with this DAO's ``scope`` and ``refine(_:)``; an override of `findAll` does not govern it. See
  /// ``LiveQuery`` for when the query runs again. Without an order, rows may come in another one each time.
  public final func observe(_ criteria: SearchCriteria<E> = .all) -> LiveQuery<[E]> {
    let entity = entity
    let isWhole = refine(criteria).criteria.prefetches.isEmpty
    return live { dao, store in
      try store.find(E.self, in: dao.target, dao.refine(criteria).criteria)
    } isSame: {
      // The entities themselves don't say whether the rows fetched along are the same.
      isWhole && entity.areSame($0, $1)
    }
  }

  /// The entity with a key, now and after each commit that changes it; nil while no visible row has the key:
  /// `SELECT … WHERE key = ?`.
  public final func observe(_ id: E.PrimaryKey) -> LiveQuery<E?> {
    let entity = entity
    return live { dao, store in
      try store.find(E.self, in: dao.target, keys: [id]).first
    } isSame: {
      entity.areSame($0.map { [$0] } ?? [], $1.map { [$0] } ?? [])
    }
  }

  /// Calls closures after commits that change, delete or bring back the row with a key, on the actors that they belong to.
  ///
  /// ```swift
  /// let observer = try await dao.observe(7) { zone in title = zone.name } didDelete: { close() }
  /// title = observer.first?.name ?? ""
  /// ```
  ///
  /// Commits that come while a closure is still to be called are one call, with the row as it is then.
  /// - Parameters:
  ///   - id: the key.
  ///   - didUpdate: called with the row after a commit that changes it.
  ///   - didDelete: called after a commit that deletes it, or has this DAO see it no more.
  ///   - didFail: called with the error that ends it.
  /// - Returns: the observer, which ends when it is released.
  /// - Throws: the error of the first query; `CancellationError` where the task is cancelled.
  public final func observe(
    _ id: E.PrimaryKey, didUpdate: @escaping @isolated(any) @Sendable (E) -> Void = { _ in },
    didDelete: @escaping @isolated(any) @Sendable () -> Void = {},
    didFail: @escaping @isolated(any) @Sendable (any Error) -> Void = { _ in }
  ) async throws -> RowObserver<E> {
    var rows = observe(id).makeAsyncIterator()
    guard let first = try await rows.next() else { throw CancellationError() }
    return RowObserver(first, rows, didUpdate, didDelete, didFail)
  }

  /// How many rows a query finds, now and after each commit that changes that: `SELECT COUNT(*) …`.
  public final func observeCount(_ criteria: SearchCriteria<E> = .all) -> LiveQuery<Int> {
    live { dao, store in
      try store.count(in: dao.target, dao.refine(criteria).criteria)
    } isSame: {
      $0 == $1
    }
  }

  private func live<Value: Sendable>(
    _ read: @escaping @Sendable (DAO<E>, any EntityStore) throws -> Value, isSame: @escaping @Sendable (Value, Value) -> Bool
  ) -> LiveQuery<Value> {
    let entity = entity
    return LiveQuery(over: context.store) { run, store in
      try run.run(over: store, of: [entity]) { try read(self, $0) }
    } compare: {
      isSame($0, $1) ? nil : $1
    }
  }
}
