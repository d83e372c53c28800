import DAOCriteria
import GRDB

extension StoreBootstrapper {
  /// Fills a store in memory: with the seed's content, checked like any other copy, or with empty tables.
  ///
  /// The copy that is checked lies in a ``TemporaryFolder`` meanwhile.
  /// - Parameter db: an empty database, outside of a transaction.
  /// - Throws: as ``bootstrap(_:policy:)``.
  func load(into db: Database) throws -> BootstrapReport {
    let start = ContinuousClock.now
    guard let path = try source.path() else {
      return BootstrapReport(inMemory: .created, try maker.createEmpty(db), from: nil, since: start)
    }
    let seed = try Seed(path, requiresManifest: source.requiresManifest)
    return try TemporaryFolder.use { folder in
      let paths = StorePaths(store: folder + "/memory")
      return try maker.make(seed, paths) { state, migration in
        try SQLiteFile.open(paths.incoming) { try $0.backup(to: db) }
        return BootstrapReport(inMemory: .loaded, state, from: seed, migration, since: start)
      }
    }
  }
}
