import DAOCriteria
import DAOSQL
import Foundation
import GRDB

extension StoreBootstrapper {
  /// Fills a store in memory: with the seed's content, checked like any other copy, or with empty tables.
  ///
  /// The copy that is checked lies in a ``TemporaryFolder`` meanwhile.
  /// - Parameter db: an empty database, outside of a transaction.
  /// - Throws: as ``bootstrap(_:policy:)``.
  func load(into db: Database) throws -> BootstrapReport {
    let start = ContinuousClock.now
    guard let path = try seed.path() else {
      let state = try createEmpty(db)
      return report(.created, state, seed: nil, start: start)
    }
    let seed = try Seed(path, requiresManifest: self.seed.requiresManifest)
    return try TemporaryFolder.use { folder in
      let paths = StorePaths(store: folder + "/memory")
      return try preparing(seed, paths) { state, migration in
        try SQLiteFile.open(paths.incoming) { try $0.backup(to: db) }
        return report(.loaded, state, seed: seed, migration: migration, start: start)
      }
    }
  }

  /// Checks a seed that is to be used where it lies, in a place that can only be read, as `file:…?immutable=1`: nothing is ever written
  /// beside it.
  /// - Throws: as ``bootstrap(_:policy:)``; ``BootstrapProblem/Kind/walMode`` for a seed in WAL mode.
  public func useInPlace() throws -> BootstrapReport {
    let start = ContinuousClock.now
    guard let path = try seed.path() else { throw DAOError.misuse("there is no seed to use where it lies", use: "SeedSource.file") }
    let seed = try Seed(path, requiresManifest: self.seed.requiresManifest)
    guard !seed.header.isWAL else {
      throw DAOError.bootstrap(
        BootstrapProblem(.walMode, path: path, "a seed in WAL mode can't be used where it lies; ship what VACUUM INTO writes"))
    }
    guard seed.sidecars.allSatisfy({ $0.size == 0 }) else {
      throw DAOError.bootstrap(
        BootstrapProblem(.corrupt, path: path, "a writer was interrupted and left a -journal; the seed can't be used where it lies"))
    }
    try seed.manifest?.check(seed.file, of: path)
    let state = try SQLiteFile.open(path, .readUnchanging, maximumLength: maximumLength) { db in
      let state = try StoreState(reading: db)
      try check(state, path: path)
      try checkSchema(of: db, path: path)
      return state
    }
    return report(.inPlace, state, seed: seed, start: start)
  }

  private func report(
    _ outcome: BootstrapReport.Outcome, _ state: StoreState, seed: Seed?, migration: MigrationReport? = nil, start: ContinuousClock.Instant
  )
    -> BootstrapReport
  {
    let isInPlace = outcome == .inPlace
    return BootstrapReport(
      outcome: outcome, store: isInPlace ? seed.map { URL(fileURLWithPath: $0.path) } : nil, seed: seed?.path, seedSize: seed?.totalSize,
      storeSize: isInPlace ? seed?.size : nil, seedVersion: seed.map { _ in state.version }, storeVersion: state.version, backups: [],
      erased: [], migration: migration, duration: .now - start)
  }
}
