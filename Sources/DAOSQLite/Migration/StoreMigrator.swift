import DAOCriteria
import DAOSQL
import DAOSchema
import GRDB

/// Makes a store fit its entities, in one transaction.
///
/// Nothing lasts before the end: an error, a kill or a power loss on the way leaves the store as it was.
struct StoreMigrator {
  let entities: [EntityDescription]
  let migration: Migration
  /// The version that the store has afterwards; nil for the one it has.
  let version: Int32?
  /// For messages.
  let path: String
  /// The start of the keys that custom steps generate.
  var keys: GeneratedKeys

  /// Whether there is anything to do. It only reads.
  func isDue(in db: Database) throws -> Bool {
    let state = try StoreState(reading: db)
    if migration.steps.contains(where: { $0.version > state.version }) { return true }
    if try !StoreSchema(reading: db, for: entities).differences(from: entities).isEmpty { return true }
    // A store fits on both sides of an exchange of names.
    if !migration.questions(about: entities).isEmpty { return true }
    guard migration.drops || migration.converts else { return false }
    let plan = try self.plan(for: db)
    return !plan.steps.isEmpty || !plan.problems.isEmpty
  }

  /// Migrates.
  /// - Parameters:
  ///   - db: open for writing, outside of a transaction.
  ///   - backup: where the store is saved before what can't be undone; nil for a copy, which needs none.
  /// - Throws: ``DAOError/migration(store:problems:)`` and others; the store is as it was.
  func migrate(_ db: Database, backup: MigrationBackup? = nil) throws -> Migration.Report {
    var backup = backup
    // Rows that reference a table are neither deleted nor checked while it is rebuilt (sqlite.org/lang_altertable.html, section 7). The
    // pragma has to run outside of the transaction; the keys are checked inside, at its end.
    try db.run("PRAGMA foreign_keys = OFF")
    defer { try? db.run("PRAGMA foreign_keys = ON") }
    try db.run("BEGIN IMMEDIATE")
    do {
      var report = try migrateInTransaction(db, &backup)
      report.backup = try backup?.keep()
      try db.run("COMMIT")
      return report
    } catch {
      try? db.run("ROLLBACK")
      throw error
    }
  }

  /// Migrates as part of a transaction that has begun with foreign keys off. Where it throws, the transaction is to be rolled back. The
  /// backup is kept when it commits.
  func migrateInTransaction(_ db: Database, _ backup: inout MigrationBackup?) throws -> Migration.Report {
    let start = ContinuousClock.now
    ConnectionFunctions.install(in: db)
    let state = try StoreState(reading: db)
    let scripts = Migration.Script.Time.allCases.map { migration.due($0, from: state.version) }
    let (before, between, after) = (scripts[0], scripts[1], scripts[2])
    let hasScripts = scripts.contains { !$0.isEmpty }
    var plan = try self.plan(for: db)
    // Changes that a custom step will make can't be checked yet.
    if before.isEmpty { try check(plan, valuesToo: between.isEmpty, in: db) }
    if hasScripts || plan.steps.contains(where: \.isIrreversible) { try backup?.save() }
    let soundness = try MigrationSoundness(of: db, mayBreakKeys: hasScripts || plan.steps.contains(where: \.mayBreakKeys))

    var run = MigrationRun(
      db, entities, migration, path: path, expected: scripts.joined().count + plan.steps.count, keys: keys)
    for script in before { try run.perform(script) }
    if !before.isEmpty {
      plan = try self.plan(for: db)
      try check(plan, valuesToo: between.isEmpty, in: db)
    }
    if !between.isEmpty {
      try run.expand(plan.steps)
      for script in between { try run.perform(script) }
      plan = try self.plan(for: db, after: run.steps)
      try check(plan, valuesToo: true, in: db)
    }
    try run.perform(plan.steps)
    try checkSchema(of: db)
    for script in after { try run.perform(script) }
    if !after.isEmpty { try checkSchema(of: db) }
    let problems = try soundness.problems(after: db, run.steps)
    guard problems.isEmpty else { throw DAOError.migration(store: path, problems: problems) }
    let newVersion = version ?? state.version
    try db.run("PRAGMA user_version = \(newVersion)")
    return Migration.Report(
      steps: run.steps, rows: run.rows, oldVersion: state.version, newVersion: newVersion, backup: nil, duration: .now - start)
  }

  private func plan(for db: Database, after taken: [Migration.Step] = []) throws -> MigrationPlanner {
    // Of views, those of entities are compared.
    let schema = try StoreSchema(reading: db) { name in entities.contains { SchemaName.same($0.table, name) } }
    return MigrationPlanner(of: schema, to: entities, migration, after: taken)
  }

  /// Checks what can be known before the first step: that hints decide ambiguous changes, and that rules and values allow the changes.
  private func check(_ plan: MigrationPlanner, valuesToo: Bool, in db: Database) throws {
    let ofStore =
      valuesToo
      ? try MigrationRun.ruleProblems(plan.steps, in: db) + MigrationRun.valueProblems(plan.steps, entities, migration, in: db) : []
    let problems = plan.problems + ofStore
    guard problems.isEmpty else { throw DAOError.migration(store: path, problems: problems) }
  }

  private func checkSchema(of db: Database) throws {
    let differences = try StoreSchema(reading: db, for: entities).differences(from: entities)
    guard differences.isEmpty else { throw DAOError.schemaMismatch(store: path, differences: differences) }
  }
}
