import DAOCriteria
import GRDB

/// The step that takes a store without a base as it is: the shipped seed becomes its base, and nothing is merged.
///
/// It takes a store of this application's, under the lock, and leaves it as one of the shipped seed that fits the entities.
struct SeedAdoption {
  let paths: StorePaths
  let seed: Seed
  let maker: StoreMaker

  /// Adopts the store.
  /// - Parameter stamp: says which seed it was made from; nil where that is not known.
  /// - Returns: the keys that rows of the user's have left, and those that they have now, by table, and what else was done.
  func adopt(_ stamp: SeedStamp?) throws -> (state: StoreState, moved: [String: [Int64: Int64]], migration: MigrationReport?) {
    let fit = maker.fit
    return try UpgradeBase(paths: paths, maker: maker).change(to: seed) { next, nextBase in
      try StoreTransaction(store: paths.store, timeout: fit.timeout, maximumLength: fit.maximumLength).run { db in
        var backup: MigrationBackup? = MigrationBackup(of: paths, timeout: fit.timeout)
        var migration = try fit.migrateInTransaction(db, path: paths.store, &backup)
        try fit.requirements.checkSchema(of: db, path: paths.store)
        let moved = try stamp?.highestKeys.map { try moveKeys(in: db, after: $0, from: nextBase) } ?? [:]
        try next.write(to: db)
        migration?.backup = try backup?.keep()
        return (try StoreState(reading: db), moved, migration)
      }
    }
  }

  /// Moves rows of the user's from generated keys that rows of the shipped seed have too: it is another seed than the store was made from.
  private func moveKeys(
    in db: Database, after highest: [SchemaName: Int64], from seed: String
  ) throws -> [String: [Int64: Int64]] {
    try MergeSide.base.attachEmpty(to: db)
    try MergeSide.seed.attach(seed, to: db)
    var merge = try SeedMerge(in: db, store: paths.store, .keepMine, naturalKeys: maker.fit.requirements.naturalKeys)
    return try merge.adopt(after: highest)
  }
}
