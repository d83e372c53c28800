import DAOCriteria
import DAOSQL
import Foundation

/// A SQLite store: its location, and the seed that it is made from at first launch.
///
/// ```swift
/// .file(appSupport / "clock.sqlite", seed: .resource("clock.sqlite", in: .module))      // copied once, then the user's
/// .file(url)                                                                            // made empty from the entities
/// .named("notes")                                                                       // notes.sqlite in the app's own folder
/// .inMemory(seed: .file(url))                                                           // for tests and previews
/// .inPlace(.file(url))                                                                  // read-only, where it lies
/// ```
public struct StoreDescription: Sendable {
  enum Place {
    case file(StorePlace, SeedPolicy)
    case memory
    case inPlace
  }

  let place: Place
  let seed: SeedSource
  let applicationID: Int32?
  let version: Int32?
  private let migration: Migration?
  private let mismatch: StoreDescription.MismatchPolicy
  private let progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)?
  private(set) var maximumLength = Self.defaultMaximumLength
  private(set) var suspension: Suspension?

  /// 100,000,000 bytes.
  package static let defaultMaximumLength = 100_000_000

  /// A file, made from a seed where it is missing. See ``StoreBootstrapper``.
  /// - Parameters:
  ///   - url: the store's file; missing folders are created.
  ///   - seed: the seed that it is made from; without one, an empty store from the entities.
  ///   - policy: whether a newer seed replaces the store or is merged into it.
  ///   - mismatch: the treatment of a store that does not match the entities.
  ///   - applicationID: the `PRAGMA application_id` that seed and store must have.
  ///   - version: the highest `PRAGMA user_version` that the app understands.
  ///   - migration: migrates a store that does not match the entities; without one the store is refused.
  ///   - progress: is called with the number of bytes of the seed copied so far.
  public static func file(
    _ url: URL, seed: SeedSource = .empty, policy: SeedPolicy = .copyIfMissing, mismatch: StoreDescription.MismatchPolicy = .fail,
    applicationID: Int32? = nil, version: Int32? = nil, migration: Migration? = nil,
    progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)? = nil
  ) -> StoreDescription {
    StoreDescription(
      place: .file(.at(url), policy), seed: seed, applicationID: applicationID, version: version, migration: migration, mismatch: mismatch,
      progress: progress)
  }

  /// A file in the app's own folder: `.named("notes")` is `notes.sqlite` in the folder of Application Support that is called as the app's
  /// bundle identifier or, without one, as the program. On Linux, Application Support is `$XDG_DATA_HOME` or `~/.local/share`. The folder
  /// is made, with mode 0700. See ``file(_:seed:policy:mismatch:applicationID:version:migration:progress:)`` for the rest.
  /// - Parameter name: letters, digits, spaces, `-`, `_` and `.`, not at its beginning, 100 bytes at most. Opening a store of another name
  ///   throws ``DAOError/misuse(_:use:)``.
  public static func named(
    _ name: String, seed: SeedSource = .empty, policy: SeedPolicy = .copyIfMissing, mismatch: StoreDescription.MismatchPolicy = .fail,
    applicationID: Int32? = nil, version: Int32? = nil, migration: Migration? = nil,
    progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)? = nil
  ) -> StoreDescription {
    StoreDescription(
      place: .file(.named(name), policy), seed: seed, applicationID: applicationID, version: version, migration: migration,
      mismatch: mismatch, progress: progress)
  }

  /// A store in memory, empty or with a seed's rows. Its data is lost with its factory.
  /// - Parameters: as for ``file(_:seed:policy:mismatch:applicationID:version:migration:progress:)``.
  public static func inMemory(seed: SeedSource = .empty, version: Int32? = nil, migration: Migration? = nil) -> StoreDescription {
    StoreDescription(
      place: .memory, seed: seed, applicationID: nil, version: version, migration: migration, mismatch: .fail, progress: nil)
  }

  /// A seed used where it lies: read-only, and nothing is written beside it.
  public static func inPlace(_ seed: SeedSource, applicationID: Int32? = nil, version: Int32? = nil) -> StoreDescription {
    StoreDescription(
      place: .inPlace, seed: seed, applicationID: applicationID, version: version, migration: nil, mismatch: .fail, progress: nil)
  }

  /// The same store with another limit for the length of a text, of bytes and of a whole row. The schema of a seed from elsewhere can
  /// request long values, and memory is allocated for each; the limit is therefore 100,000,000 bytes.
  ///
  /// ```swift
  /// let factory = try DAOFactory(store: .file(url).limitingLength(to: 500_000_000), entities: Film.self)
  /// ```
  ///
  /// A longer value can be neither written nor read: the call throws ``DAOError/engine(_:)`` with the code 18.
  /// - Parameter bytes: the limit; SQLite itself has one of 1,000,000,000 bytes.
  public func limitingLength(to bytes: Int) -> StoreDescription {
    var store = self
    store.maximumLength = bytes
    return store
  }

  /// The same store, suspended by a suspension that exists before it: the work that opens it can be suspended too.
  ///
  /// ```swift
  /// // iOS: suspended while the app is in the background.
  /// let factory = try DAOFactory(store: .named("notes").following(.app), entities: Note.self)
  /// ```
  public func following(_ suspension: Suspension) -> StoreDescription {
    var store = self
    store.suspension = suspension
    return store
  }

  /// The name of its file, for metrics and traces.
  package var name: String {
    switch place {
    case .file(let place, _): (try? place.url().lastPathComponent) ?? "store"
    case .memory: "memory"
    case .inPlace: "seed"
    }
  }

  /// Runs an operation on the whole store.
  func working<Result>(_ body: () throws -> Result) throws -> Result {
    if let suspension { try suspension.run(body) } else { try body() }
  }

  /// Makes the store ready, checks that the entities fit, and opens it.
  /// - Parameters:
  ///   - entities: the entities that it has to match.
  ///   - statementTimeout: how long a statement may take, its wait for a connection and for locks each; nil for any time.
  ///   - statements: receives the statements that run.
  ///   - events: receives what else happens to the store.
  ///   - carrying: takes what belongs to the calling task to the thread that works for it.
  /// - Returns: the engine, and the report on making the store ready.
  /// - Throws: ``DAOError/bootstrap(_:)``, ``DAOError/schemaMismatch(store:differences:)`` and others; see ``StoreBootstrapper``.
  package func open(
    _ entities: [EntityDescription], statementTimeout: Duration? = nil, statements: StatementObserver? = nil,
    events: (@Sendable (StoreEvent) -> Void)? = nil, carrying: CallCarrier? = nil
  ) throws -> (engine: SQLiteEngine, report: BootstrapReport) {
    try open(
      entities,
      SQLiteConfiguration(
        statements: statements, events: events, carrying: carrying, statementTimeout: statementTimeout, maximumLength: maximumLength,
        suspension: suspension ?? Suspension()))
  }

  /// Makes the store ready, checks that the entities fit, and opens it.
  package func open(
    _ entities: [EntityDescription], _ configuration: SQLiteConfiguration
  ) throws -> (engine: SQLiteEngine, report: BootstrapReport) {
    let origin = StoreOrigin(store: following(configuration.suspension), entities: entities, configuration: configuration)
    return try configuration.suspension.run {
      let (opened, report) = try origin.open()
      let engine = try SQLiteEngine(opened, from: origin)
      try report.storeHasOpened()
      return (engine, report)
    }
  }

  /// Makes the store ready, and opens what an engine begins with.
  func ready(
    _ entities: [EntityDescription], _ configuration: SQLiteConfiguration
  ) throws -> (opened: OpenedStore, report: BootstrapReport) {
    let (opened, report, version) = try open(by: bootstrapper(entities), configuration)
    // It may be another store than before.
    configuration.checked.open(entities, version: version)
    return (opened, report)
  }

  /// - Returns: the number of the schema too, where it is known from before the entities were compared.
  private func open(
    by bootstrapper: StoreBootstrapper, _ configuration: SQLiteConfiguration
  ) throws -> (opened: OpenedStore, report: BootstrapReport, version: Int64?) {
    switch place {
    case .file(let place, let policy):
      let url = try place.url()
      let (report, file) = try bootstrapper.ready(url, policy: policy)
      if let file { return (try .file(of: file, configuration), report, file.schemaVersion) }
      return (.file(StoreFile(report.store ?? url, configuration), looked: nil), report, nil)
    case .memory:
      var report: BootstrapReport?
      let connection = try SQLiteEngine.memory({ report = try bootstrapper.load(into: $0) }, configuration)
      guard let report else { throw DAOError.misuse("a store in memory opened without being filled", use: "another store") }
      return (.memory(connection), report, nil)
    case .inPlace:
      let report = try bootstrapper.useInPlace()
      guard let url = report.store else { throw DAOError.misuse("there is no seed to use where it lies", use: "SeedSource.file") }
      return (.unchanging(StoreFile(url, configuration)), report, nil)
    }
  }

  func bootstrapper(_ entities: [EntityDescription], lockTimeout: Duration = .seconds(30)) -> StoreBootstrapper {
    var bootstrapper = StoreBootstrapper(
      seed: seed, entities: entities, applicationID: applicationID, version: version, migration: migration, lockTimeout: lockTimeout,
      mismatch: mismatch, progress: progress)
    // The app's own folders are for nobody else.
    if case .file(.named, _) = place { bootstrapper.folderPermissions = 0o700 }
    bootstrapper.maximumLength = maximumLength
    return bootstrapper
  }

  /// Whether the store exists and has to be migrated before it matches the entities, whether or not a migration is given. Nothing is
  /// written, and no file is created beside it.
  ///
  /// A store without a file never has to.
  /// - Throws: ``DAOError/bootstrap(_:)`` for a file that can't be read, is another application's or is of a later version.
  public func requiresMigration(_ entities: any Entity.Type...) throws -> Bool {
    try requiresMigration(describedBy: entities.map { $0.entityDescription })
  }

  /// As ``requiresMigration(_:)``, for entities that have no Swift types.
  public func requiresMigration(describedBy entities: [EntityDescription]) throws -> Bool {
    guard case .file(let place, _) = place else { return false }
    return try working { try bootstrapper(entities).requiresMigration(place.url()) }
  }

  /// Runs the store's migration on a copy, with all its checks, and reports the changes that it would make. The store is unchanged.
  /// - Returns: nil where ``requiresMigration(_:)`` is false: there is nothing to do, or no file.
  /// - Throws: the errors of opening the store: ``DAOError/migration(store:problems:)``, or, where the store has no `migration:` and does
  ///   not fit, ``DAOError/schemaMismatch(store:differences:)``.
  public func rehearseMigration(_ entities: any Entity.Type...) throws -> Migration.Report? {
    try rehearseMigration(describedBy: entities.map { $0.entityDescription })
  }

  /// As ``rehearseMigration(_:)``, for entities that have no Swift types.
  public func rehearseMigration(describedBy entities: [EntityDescription]) throws -> Migration.Report? {
    guard case .file(let place, _) = place else { return nil }
    return try working { try bootstrapper(entities).rehearseMigration(place.url()) }
  }
}
