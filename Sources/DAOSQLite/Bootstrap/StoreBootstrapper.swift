import DAOCriteria
import DAOSQL
import Foundation

/// Makes a store ready before it is opened: copies the shipped seed, or finds that the store is there and fits.
///
/// ```swift
/// let bootstrapper = StoreBootstrapper(
///   seed: .resource("clock.sqlite", in: .module), entities: [Zone.entityDescription], applicationID: 0x44414F31, version: 3)
/// print(try bootstrapper.bootstrap(appSupport.appendingPathComponent("clock.sqlite")))
/// ```
///
/// Whatever happens on the way (an error, a kill, a power loss) the next start finds no store, the old store with all its commits, or a
/// complete new one. A bootstrap that throws leaves no file behind.
///
/// These names beside a store are kept for the bootstrap's own files: `<store>.lock`, `<store>.incoming`, `<store>.outgoing`, the last two
/// and the store itself with `-wal`, `-shm` or `-journal` after them, `<store>.before-migration`, `<store>.backup-` with the milliseconds
/// at which the saved store was copied from its seed, and `<store>.erased-` with those at which it was erased (``MismatchPolicy``). A seed
/// with such a name is refused. A file with a backup's name is removed only if it is one. So it is with `<store>.base-`, a seed's
/// fingerprint and a digest, the base of the next upgrade (``SeedPolicy/upgrade(conflicts:adopting:)``).
///
/// Where a link, a folder or a pipe has such a name, or a journal names another file, that is an error. No decision depends on the clock
/// being right.
///
/// The store is not in WAL mode when it gets its name; the engine switches it on opening.
public struct StoreBootstrapper: Sendable {
  let seed: SeedSource
  let entities: [EntityDescription]
  let applicationID: Int32?
  let version: Int32?
  let migration: Migration?
  let lockTimeout: Duration
  let mismatch: MismatchPolicy
  let progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)?
  /// Who may look into folders that are made on the way to the store.
  var folderPermissions: mode_t = 0o755
  /// What time it is. Files are named by it, and nothing is decided by it: a clock may be wrong.
  var clock: @Sendable () -> Date = { .now }
  /// The longest text, blob or row, in bytes; see ``SQLiteStore/limitingLength(to:)``.
  var maximumLength = SQLiteStore.defaultMaximumLength
  /// Whether stores are erased by ``MismatchPolicy/erase``.
  var isDebugBuild = Self.isDebugBuild

  #if DEBUG
    private static let isDebugBuild = true
  #else
    private static let isDebugBuild = false
  #endif

  /// A bootstrapper.
  /// - Parameters:
  ///   - seed: where the first rows come from.
  ///   - entities: what seed and store have to fit; ``SeedSource/none`` makes the store from them.
  ///   - applicationID: the `PRAGMA application_id` that seed and store must have; nil for any.
  ///   - version: the app's own version of the schema. A seed or store with a higher `PRAGMA user_version` is refused; nil for any.
  ///   - migration: how a store that does not fit the entities comes to fit them; without one it is refused.
  ///   - lockTimeout: how long to wait for another process that is making the same store ready, and for those who have a store open that is
  ///     to be replaced.
  ///   - mismatch: what is done with a store that does not fit the entities.
  ///   - progress: is told the bytes copied so far and the bytes to copy, every few megabytes.
  public init(
    seed: SeedSource, entities: [EntityDescription] = [], applicationID: Int32? = nil, version: Int32? = nil, migration: Migration? = nil,
    lockTimeout: Duration = .seconds(30), mismatch: MismatchPolicy = .fail,
    progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)? = nil
  ) {
    self.seed = seed
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
  ///   - store: the store's file; folders on the way to it are made.
  ///   - policy: when the store is made from the seed.
  /// - Returns: what was done and why. After replacing, call ``BootstrapReport/storeHasOpened()`` when the store has opened.
  /// - Throws: ``DAOError/bootstrap(_:)``, naming the file; ``DAOError/schemaMismatch(store:differences:)`` with every difference;
  ///   ``DAOError/invalidDescription(entity:problems:)`` for entities that no store can have.
  public func bootstrap(_ store: URL, policy: SeedPolicy = .copyIfMissing) throws -> BootstrapReport {
    try ready(store, policy: policy).report
  }

  /// Makes the store ready, as ``bootstrap(_:policy:)``.
  /// - Returns: the report; and, of a store that stays, the connection that has looked at it, for an engine to go on with; nil where the
  ///   look could only read or does not keep others from replacing the store.
  func ready(_ store: URL, policy: SeedPolicy) throws -> (report: BootstrapReport, file: SQLiteFile?) {
    let start = ContinuousClock.now
    let paths = try paths(of: store)
    // What is wrong with the seed's bytes shows before anything is made.
    let seed: Seed?
    switch (try existing(paths.store), policy) {
    case (nil, _), (_, .replace), (_, .upgrade): seed = try lookAtSeed(for: paths)
    case (.some(let found), .copyIfMissing):
      do { if let held = try reuseHeld(paths, start: start) { return held } } catch {
        // SQLite reads no WAL of a file that has lost its name meanwhile: behind the lock the store is looked for again.
        guard try Files.status(paths.store)?.identity != found.identity else { throw error }
      }
      seed = nil
    }
    let folders = try Files.makeFolders(Files.folder(of: paths.store), permissions: folderPermissions)
    do {
      let lock = try StoreLock(paths, timeout: lockTimeout)
      defer { withExtendedLifetime(lock) {} }
      try paths.clearLeftovers()
      return try decide(paths, seed: seed, policy: policy, start: start)
    } catch {
      Files.removeFolders(folders)
      throw error
    }
  }

  /// The names of a store's files.
  func paths(of store: URL) throws -> StorePaths {
    let paths = try StorePaths(of: store)
    // Before anything is cleared, and where the seed is not looked at too.
    if let path = try? self.seed.path(), try paths.isReserved(path) {
      throw DAOError.bootstrap(
        BootstrapProblem(.system, path: path, "the seed has a name that the bootstrap keeps for its own files; give it another"))
    }
    return paths
  }

  /// Under the lock: copy, reuse, upgrade or replace.
  private func decide(
    _ paths: StorePaths, seed: Seed?, policy: SeedPolicy, start: ContinuousClock.Instant
  ) throws -> (report: BootstrapReport, file: SQLiteFile?) {
    func report(
      _ outcome: BootstrapReport.Outcome, _ state: StoreState, seed: Seed?, migration: MigrationReport? = nil
    ) throws -> BootstrapReport {
      let backups = if case .replace = policy { try paths.backups() } else { [URL]() }
      return try self.report(
        outcome, state, seed: seed, migration: migration, paths, backups: backups, erased: erased(paths), start: start)
    }
    guard try existing(paths.store) != nil else {
      // Looked at again: the store may have gone since.
      let seed = try seed ?? lookAtSeed(for: paths)
      let (state, migration) = try preparing(seed, paths) { state, migration in
        try putInPlace(paths, state, policy: policy) { try paths.putInPlace() }
        return (state, migration)
      }
      return (try report(seed == nil ? .created : .copied, state, seed: seed, migration: migration), nil)
    }
    let file = try look(at: paths.store)
    let state = try file.run { try StoreState(reading: $0) }
    try check(state, path: paths.store)
    let isDue = policy.looksAtSeed && seed.map { isNews($0, to: state.stamp, policy) } == true
    do {
      if case .upgrade(let conflicts, let adopting) = policy, let seed {
        if isDue {
          try file.close()
          let (state, outcome, migration) = try merge(seed, paths, state, conflicts, adopting: adopting)
          return (try report(outcome, state, seed: seed, migration: migration), nil)
        }
        if seed.fingerprint == state.stamp?.fingerprint { try keepBase(paths, seed, state) }
      }
      if !isDue {
        let reused = BootstrapReport.Outcome.reused(reason: reason(state.stamp, seed, policy: policy))
        if try file.run({ try mustMigrate($0, path: paths.store) }) {
          try file.close()
          let migration = try migrate(paths)
          var now = state
          // Not looked at again: the migration has been done, and nothing may fail any more.
          if let migration { now.version = migration.newVersion }
          return (try report(reused, now, seed: seed, migration: migration), nil)
        }
        return (try report(reused, state, seed: seed), try file.access == .write && file.isHeld ? file : nil)
      }
    } catch let refusal as DAOError where erases && refusal.isMismatch {
      try file.close()
      let (new, seed, migration, differences) = try erase(paths, state, policy: policy, refusal)
      return (try report(.erased(differences: differences), new, seed: seed, migration: migration), nil)
    }
    try file.close()
    let (new, migration) = try preparing(seed, paths, inPlaceOf: state.stamp) { new, migration in
      try replace(paths, keeping: paths.backup(of: state.stamp))
      return (new, migration)
    }
    let reason =
      state.stamp.map { "it was made from \($0.name), version \($0.version), which is another seed" }
      ?? "it does not say which seed it was made from"
    return (try report(.replaced(reason: reason), new, seed: seed, migration: migration), nil)
  }

  /// Whether a seed is another than the store's own. One of an earlier version is nothing to merge: an older release of the app was
  /// started.
  func isNews(_ seed: Seed, to stamp: SeedStamp?, _ policy: SeedPolicy) -> Bool {
    guard let stamp else { return true }
    // A WAL may have a later one.
    let isCertain = !seed.header.isWAL || seed.sidecars.allSatisfy { $0.size == 0 }
    return seed.fingerprint != stamp.fingerprint && !(policy.merges && isCertain && seed.header.userVersion < stamp.version)
  }

  /// Reuses a store without the lock, which is for making and replacing; nil where that is not safe.
  ///
  /// A replacement takes the old store out of WAL mode first, and can't do that while a connection in WAL mode is open; no more can a store
  /// be removed. So a look that finds itself in WAL mode, at the file that has the name, stays there.
  private func reuseHeld(_ paths: StorePaths, start: ContinuousClock.Instant) throws -> (report: BootstrapReport, file: SQLiteFile?)? {
    guard try !paths.areInUse else { return nil }
    let file = try look(at: paths.store)
    guard try file.access == .write && file.isHeld && !file.hasMoved else { return nil }
    let state = try file.run { try StoreState(reading: $0) }
    try check(state, path: paths.store)
    // For both the lock is needed.
    do { if try file.run({ try mustMigrate($0, path: paths.store) }) { return nil } } catch DAOError.schemaMismatch where erases {
      return nil
    }
    let outcome = BootstrapReport.Outcome.reused(reason: reason(state.stamp, nil, policy: .copyIfMissing))
    return (try report(outcome, state, seed: nil, paths, backups: [], erased: erased(paths), start: start), file)
  }

  func report(
    _ outcome: BootstrapReport.Outcome, _ state: StoreState, seed: Seed?, migration: MigrationReport? = nil, _ paths: StorePaths,
    backups: [URL] = [], erased: [URL] = [],
    start: ContinuousClock.Instant
  ) throws -> BootstrapReport {
    BootstrapReport(
      outcome: outcome, store: URL(fileURLWithPath: paths.store), seed: seed?.path, seedSize: seed?.totalSize,
      storeSize: try Files.status(paths.store)?.size, seedVersion: seed.map { state.stamp?.version ?? $0.header.userVersion },
      storeVersion: state.version, backups: backups, erased: erased, migration: migration, duration: .now - start)
  }

  /// Opens a store that is there, in a way that leaves it as it is: a connection that can write would fold the WAL in when it closes, and
  /// one that can't would leave an empty WAL where there is none.
  func look(at store: String) throws -> SQLiteFile {
    let hasWAL = try Files.status(store + "-wal").map { $0.size > 0 } ?? false
    // Somebody who can only read would make an index of the WAL, and not remove it.
    if hasWAL { try Files.checkIsWritable(store) }
    let file: SQLiteFile
    do {
      file = try SQLiteFile(
        store, hasWAL ? .read : .write, timeout: lockTimeout,
        SQLiteConfiguration(trace: nil, maximumLength: maximumLength).make(isReadOnly: hasWAL))
    } catch DAOError.bootstrap(let problem) where problem.kind == .diskFull {
      SQLiteFile.removeWAL(of: store)
      throw DAOError.bootstrap(problem)
    }
    if !hasWAL { try checkIsWhole(file) }
    return file
  }

  private func reason(_ stamp: SeedStamp?, _ seed: Seed?, policy: SeedPolicy) -> String {
    guard let stamp else { return "it is there, and was not made from a seed" }
    let date = Date(timeIntervalSince1970: Double(stamp.copiedAt) / 1000).formatted(.iso8601)
    let made = "made from \(stamp.name), version \(stamp.version), on \(date)"
    guard policy.looksAtSeed else { return "it is there, \(made); the shipped seed is not looked at" }
    guard let seed else { return "it was \(made), and no seed is shipped" }
    return seed.fingerprint == stamp.fingerprint
      ? "it was \(made), which is the shipped seed"
      : "it was \(made), and the shipped seed is of version \(seed.header.userVersion), which is earlier"
  }

  /// The store, if there is one. A file without bytes is none: SQLite itself drops a WAL or journal that lies beside such a file.
  func existing(_ path: String) throws -> Files.Status? {
    guard let status = try Files.status(path) else {
      if try Files.isLink(path) {
        throw DAOError.bootstrap(BootstrapProblem(.notAFile, path: path, "the store is a link, and there is nothing where it points to"))
      }
      return nil
    }
    guard status.isRegular else { throw DAOError.bootstrap(BootstrapProblem(.notAFile, path: path, "the store is no file")) }
    return status.size > 0 ? status : nil
  }

  func lookAtSeed(for paths: StorePaths) throws -> Seed? {
    guard let path = try seed.path() else { return nil }
    // Asked before the seed is opened: closing a file drops every lock of the process on it (sqlite.org/howtocorrupt.html, section 2.2).
    if let store = try Files.status(paths.store), try Files.status(path)?.identity == store.identity {
      throw DAOError.bootstrap(BootstrapProblem(.system, path: path, "the seed and the store are one file"))
    }
    let seed = try Seed(path, requiresManifest: self.seed.requiresManifest)
    // A WAL may hold later numbers; they are checked again on the copy.
    if !seed.header.isWAL { try check(applicationID: seed.header.applicationID, version: seed.header.userVersion, path: path) }
    return seed
  }
}
