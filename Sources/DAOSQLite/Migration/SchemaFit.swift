import DAOCriteria
import DAOSQL
import GRDB

/// The step that makes a database fit the entities: by a migration where one is given, and by refusing it elsewhere.
///
/// It takes a database that is this application's, and leaves one that fits. Seeds, stores and the base of an upgrade take it alike.
struct SchemaFit: Sendable {
  let requirements: StoreRequirements
  let migration: Migration?
  /// How long to wait for others that have a store open.
  let timeout: Duration
  /// The longest text, blob or row, in bytes.
  let maximumLength: Int

  /// Makes databases fit; nil where they have to fit as they are.
  /// - Parameter keys: where the keys begin that its steps generate.
  private func migrator(_ path: String, _ keys: GeneratedKeys = .ofStore) throws -> StoreMigrator? {
    guard let migration else { return nil }
    let version = requirements.version
    if let last = migration.steps.map(\.version).max(), version.map({ last > $0 }) ?? true {
      throw DAOError.misuse(
        "a migration has a step to version \(last), and the store's version is \(version.map(String.init) ?? "not given")",
        use: "version: \(last)")
    }
    return StoreMigrator(entities: requirements.entities, migration: migration, version: version, path: path, keys: keys)
  }

  // MARK: Reading

  /// The questions that no store can answer: whether names that were exchanged are exchanged already. Asked with or without a migration.
  var questions: [DAOError.MigrationProblem] { (migration ?? Migration()).questions(about: requirements.entities) }

  /// Whether a database has to be migrated before the entities fit, with or without a migration to do it.
  func isDue(in db: Database, path: String) throws -> Bool {
    try migrator(path)?.isDue(in: db) ?? (!questions.isEmpty || !requirements.differences(in: db).isEmpty)
  }

  /// Whether a database has to be migrated.
  /// - Throws: the mismatch, where no migration is given.
  func mustMigrate(_ db: Database, path: String) throws -> Bool {
    if let migrator = try migrator(path) { return try migrator.isDue(in: db) }
    try requirements.checkSchema(of: db, path: path)
    guard questions.isEmpty else { throw DAOError.migration(store: path, problems: questions) }
    return false
  }

  // MARK: Migrating

  /// Migrates a copy that has no name yet.
  /// - Parameter keys: where the keys begin that its steps generate.
  func migrateCopy(_ db: Database, path: String, _ keys: GeneratedKeys) throws -> Migration.Report? {
    guard let migrator = try migrator(path, keys), try migrator.isDue(in: db) else { return nil }
    return try migrator.migrate(db)
  }

  /// Migrates a store into which seeds are merged, as part of a transaction that has begun with foreign keys off; nil where it fits as it
  /// is.
  func migrateInTransaction(_ db: Database, path: String, _ backup: inout MigrationBackup?) throws -> Migration.Report? {
    guard let migrator = try migrator(path, .from(SeedStamp.firstUserKey)), try migrator.isDue(in: db) else { return nil }
    return try migrator.migrateInTransaction(db, &backup)
  }

  /// Migrates a store, under the lock. Others that have it open wait for the end, or the migration waits for them.
  func migrate(_ paths: StorePaths) throws -> Migration.Report? {
    guard let migrator = try migrator(paths.store) else { return nil }
    do {
      return try SQLiteFile.open(paths.store, timeout: timeout, maximumLength: maximumLength) { db in
        try migrator.migrate(db, backup: MigrationBackup(of: paths, timeout: timeout))
      }
    } catch {
      try? paths.clearLeftovers()
      throw error
    }
  }

  /// Runs the migration of a store on a copy: everything that it would do and check. The store stays as it is.
  /// - Returns: nil where the store fits.
  func rehearse(_ paths: StorePaths) throws -> Migration.Report? {
    guard let migrator = try migrator(paths.store) else {
      _ = try unchanged(paths) { try mustMigrate($0, path: paths.store) }
      return nil
    }
    return try TemporaryFolder.use { folder in
      let copy = folder + "/store"
      try unchanged(paths) { try SQLiteFile.copy($0, to: copy) }
      return try SQLiteFile.open(copy, maximumLength: maximumLength) { db in
        try db.run("PRAGMA synchronous = OFF")
        guard try migrator.isDue(in: db) else { return nil }
        let report = try migrator.migrate(db)
        if let finding = try db.firstDamage() {
          throw DAOError.bootstrap(DAOError.BootstrapProblem(.corrupt, path: paths.store, finding))
        }
        return report
      }
    }
  }

  /// Reads a store that is this application's, and leaves all its files as they are.
  func unchanged<Value>(_ paths: StorePaths, _ body: (Database) throws -> Value) throws -> Value {
    try StoreFiles.looking(at: paths) { files in
      if let cut = files.cut { throw DAOError.bootstrap(DAOError.BootstrapProblem(.truncated, path: paths.store, cut)) }
      return try files.open { db in
        try requirements.check(StoreState(reading: db), path: paths.store)
        return try body(db)
      }
    }
  }
}
