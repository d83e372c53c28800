// Entities one at a time.
extension DAO {
  /// Runs a body with a cursor over the entities that a query finds: `SELECT … WHERE … ORDER BY … LIMIT`, its rows read as the cursor
  /// goes.
  ///
  /// ```swift
  /// try zones.withCursor(.where(\.offset > 0)) { cursor in
  ///   while let zone = try cursor.next() { try export(zone) }
  /// }
  /// ```
  ///
  /// All rows are of one snapshot, except for rows that the cursor's own session writes meanwhile: whether the cursor returns them is not
  /// specified. Inside the body other calls to the store go through a session, as in any closure of it: where they are needed, use a
  /// session's DAO, which can have several cursors at a time.
  ///
  /// Rows are read in batches, the first of one row, each of about a millisecond. A prefetch of the criteria runs its statements once for
  /// each batch, not once for all rows.
  /// - Returns: what the body returns.
  /// - Throws: ``DAOError``, and what the body throws.
  public final func withCursor<Result>(
    _ criteria: SearchCriteria<E> = .all, _ body: (EntityCursor<E>) throws -> Result
  ) throws -> Result {
    try context.store.withCursor(E.self, in: target, refine(criteria).criteria, body)
  }

  /// Streams the entities of a query, as they are requested:
  ///
  /// ```swift
  /// for try await zone in zones.stream(.where(\.offset > 0)) { … }
  /// ```
  ///
  /// Each loop is a run of its own, over one snapshot; see ``EntityStream``. As long as it runs, it holds a connection beside those that
  /// other reads share, so that a thousand open loops hold a thousand open files; and the store keeps all later writes in its `-wal` file.
  /// A store in memory has one connection for everything, and reads all rows when the first is requested.
  ///
  /// Errors come from the loop: ``DAOError``, ``DAOError/misuse(_:use:)`` for a session's DAO, and `CancellationError`.
  public final func stream(_ criteria: SearchCriteria<E> = .all) -> EntityStream<E> {
    EntityStream(context.store, in: target, refine(criteria).criteria)
  }
}
