import DAOCriteria
import DAOSQL
import GRDB

/// The step that takes a store without a base as it is: the shipped seed becomes its base, and nothing is merged.
///
/// It takes a store of this application's, under the lock, and leaves it as one of the shipped seed that fits the entities.
struct SeedAdoption {
  let paths: StorePaths
  let seed: Seed
  let maker: StoreMaker

  /// Adopts the store.
  /// - Parameter stamp: names the seed that it was made from; nil where that is unknown.
  /// - Returns: the keys that rows of the user's have left, and those that they have now, by table, and what else was done.
  func adopt(_ stamp: SeedStamp?) throws -> (state: StoreState, moved: [String: [Int64: Int64]], migration: Migration.Report?) {
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
  /// - Parameter highest: the highest keys of the seed that the store was made from. A table that it lacks has the user's rows alone.
  /// - Returns: the keys that rows have left, and those that they have now, by table.
  private func moveKeys(
    in db: Database, after highest: [SchemaName: Int64], from seed: String
  ) throws -> [String: [Int64: Int64]] {
    try MergeSide.base.attachEmpty(to: db)
    try MergeSide.seed.attach(seed, to: db)
    let needs = maker.fit.requirements
    let tables = try MergeTable.all(in: db, store: paths.store, naturalKeys: needs.naturalKeys, versions: needs.versions)
    try db.trustSearchTriggers()
    let moving = tables.filter(\.generatesKeys)
    for table in moving { try MergeDelta(db: db, table: table).collect() }
    try db.run("SAVEPOINT dao_adopt")
    defer { try? db.run("RELEASE dao_adopt") }
    var keys = KeyMove(in: db, tables)
    try keys.move(of: moving) { "\(KeyMove.isTaken) AND change.o0 > \(highest[$0.name.foldedName] ?? 0)" }
    guard let before = keys.violationsBefore else { return [:] }
    do { try ForeignKeyViolation.check(tables, in: db) { before } } catch DAOError.constraint {
      // A column that two foreign keys share would lead nowhere: the seed's row does not come.
      try db.run("ROLLBACK TO dao_adopt")
      return [:]
    }
    return Dictionary(keys.moved.map { (tables[$0.key].name, $0.value) }) { first, _ in first }
  }
}
