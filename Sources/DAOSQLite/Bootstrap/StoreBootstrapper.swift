import DAOCriteria
import DAOSQL
import Foundation

/// Makes a store ready before it is opened: copies the shipped seed, or finds that the store exists and matches.
///
/// ```swift
/// let bootstrapper = StoreBootstrapper(
///   seed: .resource("clock.sqlite", in: .module), entities: [Zone.entityDescription], applicationID: 0x44414F31, version: 3)
/// print(try bootstrapper.bootstrap(appSupport.appendingPathComponent("clock.sqlite")))
/// ```
///
/// Whatever interrupts it (an error, a kill, a power loss), the next start finds no store, the old store with all its commits, or a
/// complete new one. A bootstrap that throws leaves no file behind.
///
/// These names beside a store are reserved for the bootstrap's own files: `<store>.lock`, `<store>.incoming`, `<store>.outgoing`, the last
/// two and the store itself with `-wal`, `-shm` or `-journal` after them, `<store>.before-migration`, `<store>.backup-` with the
/// milliseconds at which the saved store was copied from its seed, and `<store>.erased-` with those at which it was erased
/// (``StoreDescription/MismatchPolicy``). A seed with one of these names is refused. A file with a backup's name is removed only if it is
/// one. The same holds for `<store>.base-`, a seed's fingerprint and a digest, the base of the next upgrade
/// (``SeedPolicy/upgrade(conflicts:adopting:)``).
///
/// Where a link, a folder or a pipe has one of these names, or a journal names another file, that is an error. No decision depends on the
/// clock being right.
///
/// The store is not in WAL mode when it gets its name; the engine switches it on opening.
public struct StoreBootstrapper: Sendable {
  let source: SeedSource
  let entities: [EntityDescription]
  let applicationID: Int32?
  let version: Int32?
  let migration: Migration?
  let lockTimeout: Duration
  let mismatch: StoreDescription.MismatchPolicy
  let progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)?
  /// The permissions of folders that are created for the store.
  var folderPermissions: mode_t = 0o755
  /// The current time. Files are named by it, and nothing is decided by it: a clock may be wrong. Files are named by it, and nothing is
  /// decided by it: a clock may be wrong.
  var clock: @Sendable () -> Date = { .now }
  /// The longest text, blob or row, in bytes; see ``StoreDescription/limitingLength(to:)``.
  var maximumLength = StoreDescription.defaultMaximumLength
  /// Whether stores are erased by ``StoreDescription/MismatchPolicy/erase``.
  var isDebugBuild = Self.isDebugBuild

  #if DEBUG
    private static let isDebugBuild = true
  #else
    private static let isDebugBuild = false
  #endif

  /// A bootstrapper.
  /// - Parameters:
  ///   - seed: the source of the first rows.
  ///   - entities: the entities that seed and store must match; ``SeedSource/empty`` makes the store from them.
  ///   - applicationID: the `PRAGMA application_id` that seed and store must have; nil for any.
  ///   - version: the app's own version of the schema. A seed or store with a higher `PRAGMA user_version` is refused; nil for any.
  ///   - migration: migrates a store that does not match the entities; without one the store is refused.
  ///   - lockTimeout: how long to wait for another process that is making the same store ready, and for others that have a store to be
  ///     replaced open.
  ///   - mismatch: the treatment of a store that does not match the entities.
  ///   - progress: is called with the bytes copied so far and the bytes to copy, every few megabytes.
  public init(
    seed: SeedSource, entities: [EntityDescription] = [], applicationID: Int32? = nil, version: Int32? = nil, migration: Migration? = nil,
    lockTimeout: Duration = .seconds(30), mismatch: StoreDescription.MismatchPolicy = .fail,
    progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)? = nil
  ) {
    source = seed
    self.entities = entities
    self.applicationID = applicationID
    self.version = version
    self.migration = migration
    self.lockTimeout = lockTimeout
    self.mismatch = mismatch
    self.progress = progress
  }

  /// Makes the store ready.
  /// - Parameters:
  ///   - store: the store's file; missing folders are created.
  ///   - policy: when the store is made from the seed.
  /// - Returns: the action and its reason. After replacing, call ``BootstrapReport/storeHasOpened()`` when the store has opened.
  /// - Throws: ``DAOError/bootstrap(_:)``, naming the file; ``DAOError/schemaMismatch(store:differences:)`` with every difference;
  ///   ``DAOError/invalidDescription(entity:problems:)`` for entities that no store can have.
  public func bootstrap(_ store: URL, policy: SeedPolicy = .copyIfMissing) throws -> BootstrapReport {
    try ready(store, policy: policy).report
  }

  // MARK: Steps

  var requirements: StoreRequirements { StoreRequirements(entities: entities, applicationID: applicationID, version: version) }

  var fit: SchemaFit {
    SchemaFit(requirements: requirements, migration: migration, timeout: lockTimeout, maximumLength: maximumLength)
  }

  var maker: StoreMaker { StoreMaker(fit: fit, clock: clock, progress: progress) }

  /// Whether a store that does not fit the entities is created again.
  var erases: Bool { mismatch.erases(isDebugBuild: isDebugBuild) }

  /// Opens an existing store, and checks that it is this application's.
  func examine(_ paths: StorePaths) throws -> (file: SQLiteFile, state: StoreState) {
    let file = try SQLiteFile.examining(paths.store, timeout: lockTimeout, maximumLength: maximumLength)
    let state = try file.run { try StoreState(reading: $0) }
    try requirements.check(state, path: paths.store)
    return (file, state)
  }
}
