import DAOCriteria
import DAOSQL
import Foundation

/// A store of SQLite's: where it is, and what it is made from at first launch.
///
/// ```swift
/// .file(appSupport / "clock.sqlite", seed: .resource("clock.sqlite", in: .module))      // copied once, then the user's
/// .file(url)                                                                            // made empty from the entities
/// .inMemory(seed: .file(url))                                                           // for tests and previews
/// .inPlace(.file(url))                                                                  // read-only, where it lies
/// ```
public struct SQLiteStore: Sendable {
  private enum Place {
    case file(URL, SeedPolicy)
    case memory
    case inPlace
  }

  private let place: Place
  private let seed: SeedSource
  private let applicationID: Int32?
  private let version: Int32?
  private let migration: Migration?
  private let progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)?

  /// A file, made from a seed where it is missing. See ``StoreBootstrapper``.
  /// - Parameters:
  ///   - url: the store's file; the folders on the way are made.
  ///   - seed: what it is made from; without one, an empty store from the entities.
  ///   - policy: whether a newer seed replaces it.
  ///   - applicationID: the `PRAGMA application_id` that seed and store must have.
  ///   - version: the highest `PRAGMA user_version` that the app understands.
  ///   - migration: how a store that does not fit the entities comes to fit them; without one it is refused.
  ///   - progress: is told how many bytes of the seed are copied.
  public static func file(
    _ url: URL, seed: SeedSource = .none, policy: SeedPolicy = .copyIfMissing, applicationID: Int32? = nil, version: Int32? = nil,
    migration: Migration? = nil, progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)? = nil
  ) -> SQLiteStore {
    SQLiteStore(
      place: .file(url, policy), seed: seed, applicationID: applicationID, version: version, migration: migration, progress: progress)
  }

  /// A store in memory, empty or with a seed's rows. It is gone with its factory.
  /// - Parameters: as for ``file(_:seed:policy:applicationID:version:migration:progress:)``.
  public static func inMemory(seed: SeedSource = .none, version: Int32? = nil, migration: Migration? = nil) -> SQLiteStore {
    SQLiteStore(place: .memory, seed: seed, applicationID: nil, version: version, migration: migration, progress: nil)
  }

  /// A seed used where it lies: read-only, and nothing is written beside it.
  public static func inPlace(_ seed: SeedSource, applicationID: Int32? = nil, version: Int32? = nil) -> SQLiteStore {
    SQLiteStore(place: .inPlace, seed: seed, applicationID: applicationID, version: version, migration: nil, progress: nil)
  }

  /// Makes the store ready, checks that the entities fit, and opens it.
  /// - Returns: the engine, and what was done to make the store ready.
  /// - Throws: ``DAOError/bootstrap(_:)``, ``DAOError/schemaMismatch(store:differences:)`` and others; see ``StoreBootstrapper``.
  public func open(
    _ entities: [EntityDescription], trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws -> (engine: SQLiteEngine, report: BootstrapReport) {
    let bootstrapper = bootstrapper(entities)
    switch place {
    case .file(let url, let policy):
      let (report, file) = try bootstrapper.ready(url, policy: policy)
      let engine =
        if let file { try SQLiteEngine(of: file, trace: trace) } else { try SQLiteEngine(opening: report.store ?? url, trace: trace) }
      try report.storeHasOpened()
      return (engine, report)
    case .memory:
      var report: BootstrapReport?
      let engine = try SQLiteEngine(inMemory: { report = try bootstrapper.load(into: $0) }, trace: trace)
      guard let report else { throw DAOError.misuse("a store in memory opened without being filled", use: "another store") }
      return (engine, report)
    case .inPlace:
      let report = try bootstrapper.useInPlace()
      guard let url = report.store else { throw DAOError.misuse("there is no seed to use where it lies", use: "SeedSource.file") }
      return (try SQLiteEngine(readingUnchanging: url, trace: trace), report)
    }
  }

  private func bootstrapper(_ entities: [EntityDescription]) -> StoreBootstrapper {
    StoreBootstrapper(
      seed: seed, entities: entities, applicationID: applicationID, version: version, migration: migration, progress: progress)
  }

  /// Whether the store is there and has to be migrated before the entities fit. Nothing is written, and no file made beside it.
  ///
  /// A store without a file never has to.
  /// - Throws: ``DAOError/bootstrap(_:)`` for a file that can't be read, is another application's or is of a later version.
  public func requiresMigration(_ entities: any Entity.Type...) throws -> Bool {
    guard case .file(let url, _) = place else { return false }
    return try bootstrapper(entities.map { $0.entityDescription }).requiresMigration(url)
  }

  /// Runs the store's migration on a copy, with all its checks, and says what it would do. The store stays as it is.
  /// - Returns: nil where there is nothing to do, or no file.
  /// - Throws: what the migration would throw.
  public func rehearseMigration(_ entities: any Entity.Type...) throws -> MigrationReport? {
    guard case .file(let url, _) = place else { return nil }
    return try bootstrapper(entities.map { $0.entityDescription }).rehearseMigration(url)
  }
}
