import DAOCriteria
import DAOSQL
import Foundation

// The path of a start: prepare → copy, migrate or upgrade → open. Each step is a type that knows none of those after it:
//
// - prepare: ``SeedSource`` finds the seed, ``StoreLock`` keeps other starts out, and ``StorePaths`` clears what killed ones left.
// - copy: ``StoreMaker`` makes a store where there is none, and for ``StoreReplacement`` or ``StoreErasure`` to put in place of the old
//   one.
// - upgrade: ``SeedUpgrade`` merges a newer seed into the store; ``SeedAdoption`` takes a store without a base as it is.
// - migrate: ``SchemaFit`` makes what was copied or is there fit the entities.
// - open: ``StoreDescription`` opens the store with an engine, which goes on with the connection that has examined it, where there is one.
extension StoreBootstrapper {
  /// A store that is ready, and the connection that has examined it, for an engine to go on with; nil where that could only read or does
  /// not keep others from replacing the store.
  typealias ReadyStore = (report: BootstrapReport, file: SQLiteFile?)

  /// A start under way.
  private struct Start {
    let paths: StorePaths
    let policy: SeedPolicy
    let began = ContinuousClock.now
  }

  /// Makes the store ready, as ``bootstrap(_:policy:)``.
  func ready(_ store: URL, policy: SeedPolicy) throws -> ReadyStore {
    let paths = try source.paths(of: store)
    let start = Start(paths: paths, policy: policy)
    // Damage to the seed's bytes is found before any file is created.
    var seed: Seed?
    switch (try paths.existing(), policy) {
    case (nil, _), (_, .replace), (_, .upgrade): seed = try source.seed(for: paths, requirements)
    case (.some(let found), .copyIfMissing):
      do { if let held = try reuseHeld(start) { return held } } catch {
        // SQLite reads no WAL of a file that has lost its name meanwhile: under the lock the store is looked up again.
        guard try Files.status(paths.store)?.identity != found.identity else { throw error }
      }
    }
    let folders = try Files.makeFolders(Files.folder(of: paths.store), permissions: folderPermissions)
    do {
      let lock = try StoreLock(paths, timeout: lockTimeout)
      defer { withExtendedLifetime(lock) {} }
      try paths.clearLeftovers()
      return try readyUnderLock(start, seed)
    } catch {
      Files.removeFolders(folders)
      throw error
    }
  }

  private func readyUnderLock(_ start: Start, _ seed: Seed?) throws -> ReadyStore {
    let (paths, policy) = (start.paths, start.policy)
    guard try paths.existing() != nil else { return (try copy(start, seed), nil) }
    let (file, state) = try examine(paths)
    let newSeed = seed.flatMap { policy.prefers($0, to: state.stamp) ? $0 : nil }
    do {
      switch (policy, newSeed) {
      case (.upgrade(let conflicts, let adopting), let newSeed?):
        try file.close()
        return (try upgrade(start, to: newSeed, from: state.stamp, conflicts, adopting: adopting), nil)
      case (.replace, _?): break
      default: return try reuse(file, state, start, seed)
      }
    } catch let refusal as DAOError where erases && refusal.isMismatch {
      try file.close()
      let erasure = StoreErasure(paths: paths, source: source, maker: maker, keepsSeed: policy.merges)
      let (new, seed, migration, differences) = try erasure.erase(state, refusal)
      return (try report(.erased(differences: differences), new, seed, migration, start), nil)
    }
    try file.close()
    return (try replace(state.stamp, start, seed), nil)
  }

  // MARK: No store

  private func copy(_ start: Start, _ seed: Seed?) throws -> BootstrapReport {
    let paths = start.paths
    // Examined again: the store may have gone since.
    let seed = try seed ?? source.seed(for: paths, requirements)
    let (state, migration) = try maker.make(seed, paths) { state, migration in
      try UpgradeBase(paths: paths, maker: maker).placeIncoming(state, keepingSeed: start.policy.merges) { try paths.putInPlace() }
      return (state, migration)
    }
    return try report(seed == nil ? .created : .copied, state, seed, migration, start)
  }

  // MARK: A store of another seed

  private func upgrade(
    _ start: Start, to seed: Seed, from stamp: SeedStamp?, _ conflicts: SeedConflict.Policy, adopting: Bool
  ) throws -> BootstrapReport {
    let paths = start.paths
    let bases = UpgradeBase(paths: paths, maker: maker)
    if let stamp {
      do {
        if let base = try bases.find(stamp) {
          let upgrade = SeedUpgrade(paths: paths, seed: seed, conflicts: conflicts, maker: maker)
          let (state, merged, migration) = try upgrade.upgrade(from: stamp, base: base)
          return try report(.upgraded(merged), state, seed, migration, start)
        }
      } catch DAOError.bootstrap(let problem) where problem.kind == .missingBase && adopting {}
    }
    guard adopting else {
      // If the store does not match here either, that is the reason to erase it.
      if erases, migration == nil { try examine(paths).file.run { try requirements.checkSchema(of: $0, path: paths.store) } }
      throw bases.missing(stamp)
    }
    let (state, moved, migration) = try SeedAdoption(paths: paths, seed: seed, maker: maker).adopt(stamp)
    return try report(.adopted(moved: moved), state, seed, migration, start)
  }

  private func replace(_ old: SeedStamp?, _ start: Start, _ seed: Seed?) throws -> BootstrapReport {
    let paths = start.paths
    let (state, migration) = try maker.make(seed, paths, inPlaceOf: old) { state, migration in
      try StoreReplacement(paths: paths, timeout: lockTimeout).replace(keeping: paths.backup(of: old))
      return (state, migration)
    }
    return try report(.replaced(old), state, seed, migration, start)
  }

  // MARK: A store that stays

  private func reuse(_ file: SQLiteFile, _ state: StoreState, _ start: Start, _ seed: Seed?) throws -> ReadyStore {
    let paths = start.paths
    if start.policy.merges, let seed, seed.fingerprint == state.stamp?.fingerprint {
      try UpgradeBase(paths: paths, maker: maker).keep(seed, state)
    }
    let reused = BootstrapReport.Outcome.reused(state.stamp, shipped: seed, policy: start.policy)
    guard try file.run({ try fit.mustMigrate($0, path: paths.store) }) else {
      return (try report(reused, state, seed, nil, start), try file.access == .write && file.isHeld ? file : nil)
    }
    try file.close()
    let migration = try fit.migrate(paths)
    var now = state
    // Not examined again: the migration has been done, and nothing may fail any more.
    if let migration { now.version = migration.newVersion }
    return (try report(reused, now, seed, migration, start), nil)
  }

  /// Reuses a store without the lock, which is for making and replacing; nil where that is not safe.
  ///
  /// A replacement takes the old store out of WAL mode first, and can't do that while a connection in WAL mode is open; no more can a store
  /// be removed. A connection that finds itself in WAL mode, at the file that has the name, stays there.
  private func reuseHeld(_ start: Start) throws -> ReadyStore? {
    let paths = start.paths
    guard try !paths.areInUse else { return nil }
    let file = try SQLiteFile.examining(paths.store, timeout: lockTimeout, maximumLength: maximumLength)
    guard try file.access == .write && file.isHeld && !file.hasMoved else { return nil }
    let state = try file.run { try StoreState(reading: $0) }
    try requirements.check(state, path: paths.store)
    // For both the lock is needed.
    do { if try file.run({ try fit.mustMigrate($0, path: paths.store) }) { return nil } } catch DAOError.schemaMismatch where erases {
      return nil
    }
    return (try report(.reused(state.stamp, shipped: nil, policy: start.policy), state, nil, nil, start), file)
  }

  // MARK: Report

  private func report(
    _ outcome: BootstrapReport.Outcome, _ state: StoreState, _ seed: Seed?, _ migration: Migration.Report?, _ start: Start
  ) throws -> BootstrapReport {
    let backups = if case .replace = start.policy { try start.paths.backups() } else { [URL]() }
    return try BootstrapReport(
      outcome, state, from: seed, migration, at: start.paths, backups: backups, erased: erases ? start.paths.erased() : [],
      since: start.began)
  }
}

extension DAOError {
  /// Whether it says that a store does not fit its entities, or is not made to.
  fileprivate var isMismatch: Bool {
    switch self {
    case .schemaMismatch, .migration: true
    default: false
    }
  }
}
