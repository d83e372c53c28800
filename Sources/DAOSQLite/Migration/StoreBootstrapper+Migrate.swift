import DAOCriteria
import DAOSQL
import Foundation
import GRDB

extension StoreBootstrapper {
  /// What makes stores fit; nil where a store has to fit as it is.
  /// - Parameter keys: where the keys begin that its steps generate.
  private func migrator(_ path: String, _ keys: GeneratedKeys = .ofStore) throws -> StoreMigrator? {
    guard let migration else { return nil }
    if let last = migration.steps.map(\.version).max(), version.map({ last > $0 }) ?? true {
      throw DAOError.misuse(
        "a migration has a step to version \(last), and the store's version is \(version.map(String.init) ?? "not given")",
        use: "version: \(last)")
    }
    return StoreMigrator(entities: entities, migration: migration, version: version, path: path, keys: keys)
  }

  /// Whether a store has to be migrated; without a migration it has to fit as it is.
  func mustMigrate(_ db: Database, path: String) throws -> Bool {
    if let migrator = try migrator(path) { return try migrator.isDue(in: db) }
    try checkFit(of: db, path: path)
    return false
  }

  /// What no store can tell: whether names that were exchanged are so already. Asked with or without a migration.
  var questions: [MigrationProblem] { (migration ?? Migration()).questions(about: entities) }

  /// - Throws: what keeps a store from being used as it is, where no migration is given.
  private func checkFit(of db: Database, path: String) throws {
    try checkSchema(of: db, path: path)
    guard questions.isEmpty else { throw DAOError.migration(store: path, problems: questions) }
  }

  /// Migrates a copy that has no name yet.
  /// - Parameter keys: where the keys begin that its steps generate.
  func migrateCopy(_ db: Database, path: String, _ keys: GeneratedKeys) throws -> MigrationReport? {
    guard let migrator = try migrator(path, keys), try migrator.isDue(in: db) else { return nil }
    return try migrator.migrate(db)
  }

  /// Migrates a store into which seeds are merged, as part of a transaction that has begun with foreign keys off; nil where it fits as it
  /// is.
  func migrateInTransaction(_ db: Database, path: String, _ backup: inout MigrationBackup?) throws -> MigrationReport? {
    guard let migrator = try migrator(path, .from(SeedStamp.firstUserKey)), try migrator.isDue(in: db) else { return nil }
    return try migrator.migrateInTransaction(db, &backup)
  }

  /// Migrates a store, under the lock. Others who have it open wait for the end, or are waited for.
  func migrate(_ paths: StorePaths) throws -> MigrationReport? {
    guard let migrator = try migrator(paths.store) else { return nil }
    do {
      return try SQLiteFile.open(paths.store, timeout: lockTimeout, maximumLength: maximumLength) { db in
        try migrator.migrate(db, backup: MigrationBackup(of: paths, timeout: lockTimeout))
      }
    } catch {
      try? paths.clearLeftovers()
      throw error
    }
  }

  /// Whether a store has to be migrated before the entities fit, with or without a migration to do it. Nothing is written, and no file made
  /// beside it; false where there is no store.
  /// - Throws: ``DAOError/bootstrap(_:)`` for a file that can't be read, is another application's or is of a later version.
  public func requiresMigration(_ store: URL) throws -> Bool {
    let paths = try StorePaths(of: store)
    guard try existing(paths.store) != nil else { return false }
    return try asItIs(paths) { db in
      try migrator(paths.store)?.isDue(in: db)
        ?? (!questions.isEmpty || !StoreSchema(reading: db, for: entities).differences(from: entities).isEmpty)
    }
  }

  /// Looks at a store that is this application's, and leaves all its files as they are.
  private func asItIs<Value>(_ paths: StorePaths, _ body: (Database) throws -> Value) throws -> Value {
    try StoreFiles.looking(at: paths) { files in
      if let cut = files.cut { throw DAOError.bootstrap(BootstrapProblem(.truncated, path: paths.store, cut)) }
      return try files.open { db in
        try check(StoreState(reading: db), path: paths.store)
        return try body(db)
      }
    }
  }

  /// Runs the migration of a store on a copy: everything that it would do and check, with the report; the store stays as it is.
  /// - Returns: what it would do; nil where ``requiresMigration(_:)`` is false: there is nothing to do, or no store.
  /// - Throws: what opening the store would throw: ``DAOError/migration(store:problems:)``, or, where no migration was given to a store
  ///   that does not fit, ``DAOError/schemaMismatch(store:differences:)``.
  public func rehearseMigration(_ store: URL) throws -> MigrationReport? {
    let paths = try StorePaths(of: store)
    guard try existing(paths.store) != nil else { return nil }
    guard let migrator = try migrator(paths.store) else {
      try asItIs(paths) { try checkFit(of: $0, path: paths.store) }
      return nil
    }
    return try TemporaryFolder.use { folder in
      let copy = folder + "/store"
      try asItIs(paths) { try SQLiteFile.copy($0, to: copy) }
      return try SQLiteFile.open(copy, maximumLength: maximumLength) { db in
        try db.run("PRAGMA synchronous = OFF")
        guard try migrator.isDue(in: db) else { return nil }
        let report = try migrator.migrate(db)
        if let finding = try db.firstDamage() {
          throw DAOError.bootstrap(BootstrapProblem(.corrupt, path: paths.store, finding))
        }
        return report
      }
    }
  }
}
