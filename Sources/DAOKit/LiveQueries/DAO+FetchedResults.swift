// Lists that follow the commits.
extension DAO {
  /// A list, now and after each commit that changes it, with the differences from one to the next:
  ///
  /// ```swift
  /// for try await cities in dao.fetchedResults(.where { $0.country == "SK" }.order(by: \.name)) {
  ///   guard let changes = cities.changes else { reload(cities); continue }
  ///   apply(changes, cities)                          // see ListChanges
  /// }
  /// // SELECT "id", "name", … FROM "city" WHERE "country" = ? ORDER BY "name" ASC NULLS FIRST, "id" ASC NULLS FIRST
  /// ```
  ///
  /// The query is that of ``findAll(_:)`` with the key as its last order, so that the rows have one order. Where the filter, the orders and
  /// the section speak of the row's own attributes, and no rows are skipped or fetched along, nothing is read again for a commit: its rows
  /// are taken out of the list and put into it in memory. ``LiveQuery`` says when the query runs again.
  /// - Parameters:
  ///   - criteria: the query; it needs an order.
  ///   - window: how many rows of a long list are kept, around the one that ``FetchedResults/slide(to:)`` names; nil for all. They are
  ///     read by two statements that begin at a row, as those of pages.
  ///   - mostChanges: the number of rows and sections above which a commit has the whole list shown anew; 50 without it, and of a list
  ///     with a window none. With `0` all have.
  public final func fetchedResults(
    _ criteria: SearchCriteria<E>, window: Int? = nil, reloadingAbove mostChanges: Int? = nil
  ) -> LiveQuery<FetchedResults<E>> {
    fetchedResults(criteria, nil, window, mostChanges)
  }

  /// The same list in sections: the rows with one value of an attribute, which may be one over a relationship.
  ///
  /// ```swift
  /// dao.fetchedResults(.all.order(by: \.country, \.name), sections: \.country)
  /// dao.fetchedResults(.all.order(by: .descending(\.sentAt)), sections: \.thread)
  /// // SELECT "id", …, "thread" FROM "message" ORDER BY "sentAt" DESC NULLS LAST, "id" DESC NULLS LAST
  /// ```
  ///
  /// The sections are in the order of their first rows. The second list has the thread with the latest message first, wherever the other
  /// messages of that thread would stand.
  public final func fetchedResults<Value>(
    _ criteria: SearchCriteria<E>, sections path: FieldKeyPath<E, Value>, window: Int? = nil, reloadingAbove mostChanges: Int? = nil
  ) -> LiveQuery<FetchedResults<E>> {
    fetchedResults(criteria, E.term(path), window, mostChanges)
  }

  /// The same list in sections by a function: `sections: .upper(.substring(\.name, from: 0, size: 1))`.
  public final func fetchedResults<Value>(
    _ criteria: SearchCriteria<E>, sections operand: Operand<E, Value>, window: Int? = nil, reloadingAbove mostChanges: Int? = nil
  ) -> LiveQuery<FetchedResults<E>> {
    fetchedResults(criteria, operand.term, window, mostChanges)
  }

  private func fetchedResults(
    _ criteria: SearchCriteria<E>, _ section: Criteria.Term?, _ window: Int?, _ mostChanges: Int?
  ) -> LiveQuery<FetchedResults<E>> {
    LiveQuery(over: context.store) { run, store in
      let query = try FetchedQuery<E>(
        self.refine(criteria).criteria, in: self.target, sections: section, window: window,
        mostChanges: mostChanges ?? (window == nil ? 50 : .max))
      guard let followed = query.followed else { return try run.run(over: store, of: [self.entity]) { try query.read(from: $0, run) } }
      return try run.run(over: store, keepingRowsOf: followed) { try query.read(from: $0, run) }
    } patch: {
      // What this DAO shows may be other rows by now.
      try $0.patched(by: $1, of: self.refine(criteria).criteria, in: self.target)
    } compare: {
      $0.compare(to: $1)
    }
  }
}
