extension DAOFactory {
  /// Reports the problems of the store, each with its repair: its file, rules, schema and every value, in one snapshot. It only reads, and
  /// other calls continue meanwhile. See ``StoreDoctor``.
  ///
  /// ```swift
  /// let report = try factory.examine()
  /// if !report.isHealthy { logger.error("\(report)") }
  /// ```
  ///
  /// Examined are the entities that the factory was made with, or else those that its store was opened with; without any, all tables that
  /// the store has, with the forms that the factory's corrections state.
  /// - Throws: as ``StoreDoctor/examine(_:)-(URL)``; ``DAOError/unsupported(_:)`` for a store that is not a SQLite store.
  public final func examine() throws -> DoctorReport {
    // Over a store of another kind, the file of the report that the factory was made with.
    if let url = report?.store, (try? lifeCycle()) == nil { return try StoreDoctor(entities).examine(url) }
    return try lifeCycle().examine(entities, correctedBy: catalog.corrections)
  }

  /// ``examine()`` on the store's queue.
  public final func examine() async throws -> DoctorReport { try await store.perform(.read) { try self.examine() } }
}
