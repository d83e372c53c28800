extension DAOFactory {
  /// A factory for unit tests over an empty store that keeps the entities in memory, without SQL:
  ///
  /// ```swift
  /// let factory = try DAOFactory(store: .evaluator, entities: Zone.self, Country.self)
  /// ```
  ///
  /// DAOs are made and behave as over SQLite; see ``EvaluatorStore`` for its rules and its limits.
  /// - Throws: ``DAOError/invalidDescription(entity:problems:)``, and ``DAOError/unsupported(_:)`` for two entities that share a table.
  public convenience init(store: UnitTestStore, entities: any Entity.Type...) throws {
    self.init(over: try EvaluatorStore(entities.map { $0.entityDescription }))
  }
}
