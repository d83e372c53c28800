extension DAOFactory {
  /// What a body reads from one snapshot, now and after each commit that changes it: several queries together, a report, or a function of
  /// your own DAO.
  ///
  /// ```swift
  /// let totals = factory.observe { session in
  ///   let zones = session.dao(ZoneDAO.init)
  ///   return (try zones.inhabited(in: "SK").map(\.name), try session.runtimeDAO(Country.self).count())
  /// }
  /// for try await (names, countries) in totals { show(names, countries) }
  /// ```
  ///
  /// The queries that the session's DAOs run are noted each time, and commits are compared with all of them, see ``LiveQuery``. What
  /// the body reads otherwise is not. It can't write, nor run SQL of its own. A body that reads entities that it has not read before runs
  /// again at once, since commits to them may have gone unnoticed: so the first time it runs twice.
  ///
  /// Its values come without being compared, since they can't be: where the body returns an `Equatable` value, equal ones are passed over.
  public final func observe<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) -> LiveQuery<Value> {
    observe(body) { _, _ in false }
  }

  /// What a body reads from one snapshot, now and after each commit that changes it. A value that is equal to the last one by `==` is
  /// passed over.
  public final func observe<Value: Sendable & Equatable>(_ body: @escaping @Sendable (Session) throws -> Value) -> LiveQuery<Value> {
    observe(body) { $0 == $1 }
  }

  private func observe<Value: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Value, isSame: @escaping @Sendable (Value, Value) -> Bool
  ) -> LiveQuery<Value> {
    let catalog = catalog
    return LiveQuery(over: store) { run, store in
      try run.run(over: store) { try body(Session($0, catalog)) }
    } compare: {
      isSame($0, $1) ? nil : $1
    }
  }
}
