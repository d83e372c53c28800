import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// The step that merges the shipped seed into a store of another, and makes the store fit the entities.
///
/// It takes a store with its base, under the lock, and leaves the store of the shipped seed, which is its base then.
///
/// The new seed lies beside the store as the next base before anything else, permanently. The store's schema, its rows and its stamp, which
/// names the valid one of the two bases, change in one transaction. The store is therefore the old one with the old base, or the new one
/// with the new base.
struct SeedUpgrade {
  let paths: StorePaths
  let seed: Seed
  let conflicts: SeedConflict.Policy
  let maker: StoreMaker

  private var fit: SchemaFit { maker.fit }

  /// Upgrades the store.
  /// - Parameters:
  ///   - stamp: names its seed.
  ///   - base: that seed's path.
  func upgrade(
    from stamp: SeedStamp, base: String
  ) throws -> (state: StoreState, report: SeedUpgradeReport, migration: Migration.Report?) {
    try UpgradeBase(paths: paths, maker: maker).change(to: seed) { next, nextBase in
      try migrated(base, at: paths.incoming) { base in
        try StoreTransaction(store: paths.store, timeout: fit.timeout, maximumLength: fit.maximumLength).run { db in
          let (report, migration) = try merge(
            into: db, MigrationBackup(of: paths, timeout: fit.timeout), base: base, from: stamp, seed: nextBase, to: next)
          return (try StoreState(reading: db), report, migration)
        }
      }
    }
  }

  /// Upgrades a copy of the store, and reports the changes.
  /// - Parameter file: the store, which stays as it is.
  func preview(_ file: SQLiteFile, from stamp: SeedStamp, base: String) throws -> SeedUpgradeReport? {
    try TemporaryFolder.use { folder in
      let copy = StorePaths(store: folder + "/preview")
      try file.run { try SQLiteFile.copy($0, to: copy.store) }
      return try maker.make(seed, copy) { state, _ in
        guard let next = state.stamp else { return nil }
        do {
          return try migrated(base, at: copy.outgoing) { base in
            try StoreTransaction(store: copy.store, timeout: fit.timeout, maximumLength: fit.maximumLength).run { db in
              try merge(into: db, nil, base: base, from: stamp, seed: copy.incoming, to: next).0
            }
          }
        } catch let failure as StoreTransaction.CommitFailure { throw failure.error }
      }
    }
  }

  /// Hands over the base as the entities have it: itself where it fits, and a copy that goes afterwards where it has to be migrated.
  private func migrated<Value>(_ base: String, at copy: String, _ body: (_ path: String) throws -> Value) throws -> Value {
    guard try fit.migration != nil && SQLiteFile.open(base, .readUnchanging, { try fit.mustMigrate($0, path: base) }) else {
      return try body(base)
    }
    defer { for path in [copy] + StorePaths.sidecars(of: copy) { _ = try? Files.remove(path) } }
    try OpenFile(base, O_RDONLY).copy(to: copy, permissions: Files.status(base)?.permissions) { _ in }
    try SQLiteFile.open(copy, maximumLength: fit.maximumLength) { db in
      // Nobody needs it after this start.
      try db.run("PRAGMA synchronous = OFF")
      _ = try fit.migrateCopy(db, path: base, .from(SeedStamp.firstKeyOfBase))
    }
    return try body(copy)
  }

  /// The migration, the merge and all that belongs to them, inside a transaction.
  /// - Parameters:
  ///   - backup: where the store is saved before a migration; nil for a copy.
  ///   - base: the path of the old seed, as the entities have it.
  ///   - newSeed: the path of the new one.
  private func merge(
    into db: Database, _ backup: MigrationBackup?, base: String, from stamp: SeedStamp, seed newSeed: String, to next: SeedStamp
  ) throws -> (SeedUpgradeReport, Migration.Report?) {
    let store = paths.store
    // Before the others exist: a name that the store lacks would be looked up in them.
    var backup = backup
    var migration = try fit.migrateInTransaction(db, path: store, &backup)
    try MergeSide.base.attach(base, to: db)
    try MergeSide.seed.attach(newSeed, to: db)
    var schema = try SchemaUpgrade(in: db)
    try schema.begin()
    // Else it may be the merged rows that let the store fit.
    let isComplete = schema.isComplete
    if isComplete { try fit.requirements.checkSchema(of: db, path: store) }
    var merge = try SeedMerge(
      in: db, store: store, conflicts, naturalKeys: fit.requirements.naturalKeys, versions: fit.requirements.versions)
    let tables = try merge.run()
    try schema.end()
    if !isComplete { try fit.requirements.checkSchema(of: db, path: store) }
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
}

extension StoreRequirements {
  /// The tables whose entities say that their integer keys have a meaning. Without an entity, such keys count as generated.
  var naturalKeys: Set<SchemaName> {
    func tables(_ isGenerated: Bool) -> Set<SchemaName> {
      Set(entities.filter { $0.hasGeneratedKey == isGenerated }.map(\.table.foldedName))
    }
    return tables(false).subtracting(tables(true))
  }

  /// The columns of versions, by their tables.
  var versions: [SchemaName: SchemaName] {
    let pairs = entities.compactMap { entity in entity.versionAttribute.map { (entity.table.foldedName, $0.column.foldedName) } }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}
