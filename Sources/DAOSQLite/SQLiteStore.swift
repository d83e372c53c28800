import DAOCriteria
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
  private let progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)?

  /// A file, made from a seed where it is missing. See ``StoreBootstrapper``.
  /// - Parameters:
  ///   - url: the store's file; the folders on the way are made.
  ///   - seed: what it is made from; without one, an empty store from the entities.
  ///   - policy: whether a newer seed replaces it or is merged into it.
  ///   - applicationID: the `PRAGMA application_id` that seed and store must have.
  ///   - version: the highest `PRAGMA user_version` that the app understands.
  ///   - progress: is told how many bytes of the seed are copied.
  public static func file(
    _ url: URL, seed: SeedSource = .none, policy: SeedPolicy = .copyIfMissing, applicationID: Int32? = nil, version: Int32? = nil,
    progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)? = nil
  ) -> SQLiteStore {
    SQLiteStore(place: .file(url, policy), seed: seed, applicationID: applicationID, version: version, progress: progress)
  }

  /// A store in memory, empty or with a seed's rows. It is gone with its factory.
  public static func inMemory(seed: SeedSource = .none) -> SQLiteStore {
    SQLiteStore(place: .memory, seed: seed, applicationID: nil, version: nil, progress: nil)
  }

  /// A seed used where it lies: read-only, and nothing is written beside it.
  public static func inPlace(_ seed: SeedSource, applicationID: Int32? = nil, version: Int32? = nil) -> SQLiteStore {
    SQLiteStore(place: .inPlace, seed: seed, applicationID: applicationID, version: version, progress: nil)
  }

  /// Makes the store ready, checks that the entities fit, and opens it.
  /// - Returns: the engine, and what was done to make the store ready.
  /// - Throws: ``DAOError/bootstrap(_:)``, ``DAOError/schemaMismatch(store:differences:)`` and others; see ``StoreBootstrapper``.
  public func open(
    _ entities: [EntityDescription], trace: (@Sendable (StatementTrace) -> Void)? = nil
  ) throws -> (engine: SQLiteEngine, report: BootstrapReport) {
    let bootstrapper = StoreBootstrapper(
      seed: seed, entities: entities, applicationID: applicationID, version: version, progress: progress)
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
}
