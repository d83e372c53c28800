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
  /// It is the query of ``observe(_:)-(SearchCriteria<E>)`` with the key as its last order, so that the rows have one order. Where the filter and the orders speak of
  /// the row's own attributes, and no rows are skipped or fetched along, nothing is read again for a commit: its rows are taken out of the
  /// list and put into it in memory. ``LiveQuery`` says when the query runs again.
  /// - Parameters:
  ///   - criteria: the query; it needs an order.
  ///   - mostChanges: the number of rows and sections above which a commit has the whole list shown anew. With `0` all have.
  public final func fetchedResults(
    _ criteria: SearchCriteria<E>, reloadingAbove mostChanges: Int = 50
  ) -> LiveQuery<FetchedResults<E>> {
    fetchedResults(criteria, nil, mostChanges)
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
    _ criteria: SearchCriteria<E>, sections path: FieldKeyPath<E, Value>, reloadingAbove mostChanges: Int = 50
  ) -> LiveQuery<FetchedResults<E>> {
    fetchedResults(criteria, E.term(path), mostChanges)
  }

  /// The same list in sections by a function: `sections: .upper(.substring(\.name, from: 0, size: 1))`.
  public final func fetchedResults<Value>(
    _ criteria: SearchCriteria<E>, sections operand: Operand<E, Value>, reloadingAbove mostChanges: Int = 50
  ) -> LiveQuery<FetchedResults<E>> {
    fetchedResults(criteria, operand.term, mostChanges)
  }

  private func fetchedResults(
    _ criteria: SearchCriteria<E>, _ section: Criteria.Term?, _ mostChanges: Int
  ) -> LiveQuery<FetchedResults<E>> {
    LiveQuery(over: context.store) { run, store in
      let query = try FetchedQuery<E>(self.refine(criteria).criteria, in: self.target, sections: section, mostChanges: mostChanges)
      guard let followed = query.followed else { return try run.run(over: store, of: [self.entity]) { try query.read(from: $0) } }
      return try run.run(over: store, keepingRowsOf: followed) { try query.read(from: $0) }
    } patch: {
      try $0.patched(by: $1)
    } compare: {
      $0.compare(to: $1)
    }
  }
}
