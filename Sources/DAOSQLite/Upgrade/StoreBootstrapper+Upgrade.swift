import DAOCriteria
import DAOSQL
import Foundation
import GRDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension StoreBootstrapper {
  /// Brings the store to the shipped seed, which is another than its own, and to the entities. To be called with the lock.
  func merge(_ seed: Seed, _ paths: StorePaths, _ state: StoreState, _ conflicts: ConflictPolicy, adopting: Bool) throws -> Upgraded {
    if let stamp = state.stamp {
      do {
        if let base = try base(of: stamp, paths) { return try upgrade(paths, to: seed, from: stamp, base: base, conflicts) }
      } catch DAOError.bootstrap(let problem) where problem.kind == .missingBase && adopting {}
    }
    guard adopting else {
      // Where it does not fit either, that is the reason to erase it.
      if erases, migration == nil { try look(at: paths.store).run { try checkSchema(of: $0, path: paths.store) } }
      throw missingBase(paths, state.stamp)
    }
    return try adopt(paths, seed, state.stamp)
  }

  /// What a store has become.
  typealias Upgraded = (state: StoreState, outcome: BootstrapReport.Outcome, migration: MigrationReport?)

  /// Merges the shipped seed into the store, which becomes that seed's. To be called with the lock.
  ///
  /// The new seed lies beside the store as the next base before anything else, for good. The store's schema, its rows and its stamp, which
  /// says which of the two bases holds, change in one transaction. So the store is the old one with the old base, or the new one with the
  /// new base.
  private func upgrade(
    _ paths: StorePaths, to seed: Seed, from stamp: SeedStamp, base: String, _ conflicts: ConflictPolicy
  ) throws -> Upgraded {
    try keepingSeed(seed, paths) { next, nextBase in
      try migratedBase(base, at: paths.incoming) { base in
        try changingStore(paths.store) { db in
          let (report, migration) = try merge(
            into: db, paths.store, MigrationBackup(of: paths, timeout: lockTimeout), base: base, from: stamp, seed: nextBase, to: next,
            conflicts)
          return (try StoreState(reading: db), .upgraded(report), migration)
        }
      }
    }
  }

  /// The base that a stamp names; nil where there is none.
  /// - Throws: ``BootstrapProblem/Kind/missingBase`` where it is damaged. What a row that has changed there would decide is not to be
  ///   decided.
  private func base(of stamp: SeedStamp, _ paths: StorePaths) throws -> String? {
    let bases = try paths.bases(of: stamp)
    guard let first = bases.first else { return nil }
    if let whole = try bases.first(where: paths.isWhole(base:)) { return whole }
    throw damagedBase(first)
  }

  /// Takes a store without a base as it is: the shipped seed becomes its base. To be called with the lock.
  private func adopt(_ paths: StorePaths, _ seed: Seed, _ stamp: SeedStamp?) throws -> Upgraded {
    try keepingSeed(seed, paths) { next, nextBase in
      try changingStore(paths.store) { db in
        var backup: MigrationBackup? = MigrationBackup(of: paths, timeout: lockTimeout)
        var migration = try migrateInTransaction(db, path: paths.store, &backup)
        try checkSchema(of: db, path: paths.store)
        let moved = try stamp?.highestKeys.map { try moveKeys(in: db, paths.store, after: $0, from: nextBase) } ?? [:]
        try next.write(to: db)
        migration?.backup = try backup?.keep()
        return (try StoreState(reading: db), .adopted(moved: moved), migration)
      }
    }
  }

  /// Moves rows of the user's from generated keys that rows of the shipped seed have too: it is another seed than the store was made from.
  private func moveKeys(
    in db: Database, _ store: String, after highest: [SchemaName: Int64], from seed: String
  ) throws -> [String: [Int64: Int64]] {
    try db.execute(sql: "ATTACH DATABASE ':memory:' AS \(MergeSide.base.rawValue)")
    try attach(seed, as: .seed, to: db)
    var merge = try SeedMerge(in: db, store: store, .keepMine, naturalKeys: naturalKeys)
    return try merge.adopt(after: highest)
  }

  /// Hands over the base as the entities have it: itself where it fits, and a copy that goes afterwards where it has to be migrated.
  private func migratedBase<Value>(_ base: String, at copy: String, _ body: (_ path: String) throws -> Value) throws -> Value {
    guard try migration != nil && SQLiteFile.open(base, .readUnchanging, { try mustMigrate($0, path: base) }) else { return try body(base) }
    defer { for path in [copy] + StorePaths.sidecars(of: copy) { _ = try? Files.remove(path) } }
    try OpenFile(base, O_RDONLY).copy(to: copy, permissions: Files.status(base)?.permissions) { _ in }
    try SQLiteFile.open(copy, maximumLength: maximumLength) { db in
      // Nobody needs it after this start.
      try db.run("PRAGMA synchronous = OFF")
      _ = try migrateCopy(db, path: base, .from(SeedStamp.firstKeyOfBase))
    }
    return try body(copy)
  }

  /// Keeps the shipped seed, which is the store's own, as its base, where that is not there, and removes what is left over. To be called
  /// with the lock.
  ///
  /// The store is whole without it, and is not to stay shut for a full disk or a place that can't be written to: the next start tries
  /// again.
  func keepBase(_ paths: StorePaths, _ seed: Seed, _ state: StoreState) throws {
    guard let stamp = state.stamp else { return }
    do {
      let bases = try paths.bases(of: stamp)
      // The bytes are read where it matters: in an upgrade, and where one of several stays.
      let held = bases.count > 1 ? try bases.first(where: paths.isWhole(base:)) : bases.first
      let base = try held ?? preparing(seed, paths) { _, _ in try paths.keepAsBase(paths.incoming, stamp) }
      try paths.clearBases(besides: base)
    } catch DAOError.bootstrap(let problem) where [.diskFull, .unwritable].contains(problem.kind) {}
  }

  /// Gives the incoming store its name. Where the policy merges, its base is there for good before it is.
  func putInPlace(_ paths: StorePaths, _ state: StoreState, policy: SeedPolicy, _ put: () throws -> Void) throws {
    guard policy.merges, let stamp = state.stamp else { return try put() }
    try OpenFile(paths.incoming, O_RDONLY).copy(to: paths.outgoing, permissions: Files.status(paths.store)?.permissions) { _ in }
    try Files.sync(paths.outgoing)
    let base = try paths.keepAsBase(paths.outgoing, stamp)
    do { try put() } catch {
      _ = try? Files.remove(base)
      throw error
    }
    // It is done; what can't be removed now is for the next start.
    try? paths.clearBases(besides: base)
  }

  /// The error for a store whose base is not known.
  private func missingBase(_ paths: StorePaths, _ stamp: SeedStamp?) -> DAOError {
    let made = stamp.map { "made from \($0.name), version \($0.version), which was not kept" } ?? "not made from a seed"
    return .bootstrap(
      BootstrapProblem(
        .missingBase, path: paths.store,
        "the store was \(made), so that it is not known which rows the user changed; .upgrade(conflicts:adopting: true) takes it as it is, "
          + "and the next seed can be merged"))
  }

  /// The error for a store whose base has changed.
  private func damagedBase(_ base: String) -> DAOError {
    .bootstrap(
      BootstrapProblem(
        .missingBase, path: base,
        "the copy of the store's last seed is damaged: its bytes are not those that were kept, and it is not known which rows the user "
          + "changed. Without it, .upgrade(conflicts:adopting: true) takes the store as it is, and the next seed can be merged"))
  }

  /// Works on the store with the shipped seed beside it as the next base, and removes the base that does not hold then.
  private func keepingSeed<Value>(
    _ seed: Seed, _ paths: StorePaths, _ body: (_ next: SeedStamp, _ base: String) throws -> Value
  ) throws -> Value {
    let (base, value) = try preparing(seed, paths) { state, _ in
      guard let next = state.stamp else { throw DAOError.misuse("a seed was prepared without a stamp", use: "another seed") }
      let base = try paths.keepAsBase(paths.incoming, next)
      do { return (base, try body(next, base)) } catch let failure as CommitFailure {
        // Whether the commit lasts is for the disk to say: the next start asks the store.
        throw failure.error
      } catch {
        _ = try? Files.remove(base)
        throw error
      }
    }
    // It is done; what can't be removed now is for the next start.
    try? paths.clearBases(besides: base)
    return value
  }

  /// One transaction on the store.
  private func changingStore<Value>(_ store: String, _ body: (Database) throws -> Value) throws -> Value {
    var isCommitting = false
    do {
      return try SQLiteFile.open(store, timeout: lockTimeout, maximumLength: maximumLength) { db in
        // As the library's own syncs: the old base goes when this has come to the medium.
        try db.run("PRAGMA fullfsync = ON")
        try db.run("PRAGMA synchronous = FULL")
        try db.run("BEGIN IMMEDIATE")
        do {
          let value = try body(db)
          isCommitting = true
          try db.run("COMMIT")
          return value
        } catch {
          try? db.run("ROLLBACK")
          throw error
        }
      }
    } catch { throw isCommitting ? CommitFailure(error: error) : error }
  }

  private func attach(_ path: String, as side: MergeSide, to db: Database) throws {
    try db.execute(
      sql: "ATTACH DATABASE ? AS \(side.rawValue)", arguments: [SQLiteConfiguration.uri(URL(fileURLWithPath: path), "mode=ro&immutable=1")])
  }

  /// The migration, the merge and all that belongs to them, inside a transaction.
  /// - Parameters:
  ///   - store: the store's path, for errors.
  ///   - backup: where the store is saved before a migration; nil for a copy.
  ///   - base: the path of the old seed, as the entities have it.
  ///   - seed: the path of the new one.
  private func merge(
    into db: Database, _ store: String, _ backup: MigrationBackup?, base: String, from stamp: SeedStamp, seed: String, to next: SeedStamp,
    _ conflicts: ConflictPolicy
  ) throws -> (SeedUpgradeReport, MigrationReport?) {
    // Before the others are there: a name that the store has not yet would be looked for in them.
    var backup = backup
    var migration = try migrateInTransaction(db, path: store, &backup)
    try attach(base, as: .base, to: db)
    try attach(seed, as: .seed, to: db)
    var schema = try SchemaUpgrade(in: db)
    try schema.begin()
    // Else it may be the merged rows that let the store fit.
    let isComplete = schema.isComplete
    if isComplete { try checkSchema(of: db, path: store) }
    var merge = try SeedMerge(in: db, store: store, conflicts, naturalKeys: naturalKeys)
    let tables = try merge.run()
    try schema.end()
    if !isComplete { try checkSchema(of: db, path: store) }
    try next.write(to: db)
    let version = try StoreState(reading: db).version
    if next.version > version { try db.run("PRAGMA main.user_version = \(next.version)") }
    let report = SeedUpgradeReport(
      from: SeedUpgradeReport.Seed(name: stamp.name, version: stamp.version),
      to: SeedUpgradeReport.Seed(name: next.name, version: next.version), tables: tables,
      schema: schema.changes)
    migration?.backup = try backup?.keep()
    return (report, migration)
  }

  /// The tables whose entities say that their integer keys have a meaning. Without an entity, such keys count as generated.
  private var naturalKeys: Set<SchemaName> {
    func tables(_ isGenerated: Bool) -> Set<SchemaName> {
      Set(entities.filter { $0.hasGeneratedKey == isGenerated }.map(\.table.foldedName))
    }
    return tables(false).subtracting(tables(true))
  }

  // MARK: Preview

  /// What ``bootstrap(_:policy:)`` with ``SeedPolicy/upgrade(conflicts:adopting:)`` would do to a store: the same merge, on a copy. The
  /// store, its WAL and its base stay as they are.
  ///
  /// The copy is made in the system's folder for temporary files, and takes as much time and room as the store is large.
  /// - Parameters:
  ///   - store: the store's file.
  ///   - conflicts: who is right where the seed and the user changed the same row.
  /// - Returns: the report; nil where nothing is due: there is no store, no seed, or the store is of the shipped seed.
  /// - Throws: as ``bootstrap(_:policy:)``.
  public func previewUpgrade(of store: URL, conflicts: ConflictPolicy) throws -> SeedUpgradeReport? {
    let paths = try paths(of: store)
    guard try existing(paths.store) != nil, let seed = try lookAtSeed(for: paths) else { return nil }
    let lock = try StoreLock(paths, timeout: lockTimeout)
    defer { withExtendedLifetime(lock) {} }
    let file = try look(at: paths.store)
    let state = try file.run { try StoreState(reading: $0) }
    try check(state, path: paths.store)
    guard isNews(seed, to: state.stamp, .upgrade(conflicts: conflicts)) else { return nil }
    guard let stamp = state.stamp, let base = try base(of: stamp, paths) else { throw missingBase(paths, state.stamp) }
    return try TemporaryFolder.use { folder in
      let copy = StorePaths(store: folder + "/preview")
      try file.run { try SQLiteFile.copy($0, to: copy.store) }
      return try preparing(seed, copy) { state, _ in
        guard let next = state.stamp else { return nil }
        do {
          return try migratedBase(base, at: copy.outgoing) { base in
            try changingStore(copy.store) { db in
              try merge(into: db, paths.store, nil, base: base, from: stamp, seed: copy.incoming, to: next, conflicts).0
            }
          }
        } catch let failure as CommitFailure { throw failure.error }
      }
    }
  }
}

/// A transaction that was to be committed, and may or may not have been.
private struct CommitFailure: Error {
  let error: any Error
}
