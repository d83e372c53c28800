import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB

/// The step that makes a new store under the incoming name: a checked copy of the seed, or an empty store of the entities.
///
/// It takes a seed whose header has been examined, or none, and a place under the lock. It leaves a complete, lasting file that matches the
/// entities and names its seed; the caller gives it its name.
struct StoreMaker: Sendable {
  let fit: SchemaFit
  /// The time, by which files are named.
  let clock: @Sendable () -> Date
  /// Receives the bytes copied so far and the bytes to copy.
  let progress: (@Sendable (_ copied: Int64, _ total: Int64) -> Void)?

  /// Makes the store, hands its state over, and removes what is then left under the incoming name.
  ///
  /// Nothing is synced on the way but the finished file: until it gets its name, nobody reads it.
  /// - Parameter old: the stamp of the store that is to be saved and replaced.
  func make<Value>(
    _ seed: Seed?, _ paths: StorePaths, inPlaceOf old: SeedStamp? = nil, _ body: (StoreState, Migration.Report?) throws -> Value
  ) throws -> Value {
    let incoming = paths.incoming
    return try paths.making {
      // A store that is replaced stays as private as it was.
      if let seed {
        try copy(seed, to: incoming, permissions: Files.status(paths.store)?.permissions)
        try seed.manifest?.check(incoming, of: seed.path)
      } else {
        try OpenFile(incoming, O_WRONLY | O_CREAT | O_EXCL).allow(Files.status(paths.store)?.permissions)
      }
      let (state, migration): (StoreState, Migration.Report?)
      do {
        (state, migration) = try SQLiteFile.open(incoming, maximumLength: fit.maximumLength) { db in
          try db.execute(sql: "PRAGMA synchronous = OFF")
          if let seed { return try checkAndStamp(seed, in: db, copiedAt: paths.copyTime(clock(), besides: old)) }
          try db.execute(sql: "PRAGMA journal_mode = MEMORY")
          return (try createEmpty(db), nil)
        }
      } catch DAOError.bootstrap(let problem) where [.corrupt, .notADatabase].contains(problem.kind) {
        // A problem that SQLite finds in the copy is one of the seed.
        throw DAOError.bootstrap(DAOError.BootstrapProblem(problem.kind, path: seed?.path ?? incoming, problem.message))
      }
      try Files.sync(incoming)
      return try body(state, migration)
    }
  }

  private func copy(_ seed: Seed, to target: String, permissions: mode_t?) throws {
    let total = seed.totalSize
    var before: Int64 = 0
    for (suffix, size) in [("", seed.size)] + seed.sidecars {
      try OpenFile(seed.file + suffix, O_RDONLY).copy(to: target + suffix, permissions: permissions) { progress?(before + $0, total) }
      before += size
    }
  }

  /// All that needs SQLite, once, on the copy.
  private func checkAndStamp(_ seed: Seed, in db: Database, copiedAt: Int64) throws -> (StoreState, Migration.Report?) {
    guard try SQLiteFile.foldWAL(db) else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.corrupt, path: seed.path, "the seed can't leave WAL mode"))
    }
    if let finding = try db.firstDamage() {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.corrupt, path: seed.path, finding))
    }
    let found = try StoreState(reading: db)
    try fit.requirements.check(found, path: seed.path)
    // A row that a step adds here belongs to the seed, as all other rows do.
    let migration = try fit.migrateCopy(db, path: seed.path, .following)
    try fit.requirements.checkSchema(of: db, path: seed.path)
    try db.execute(sql: "PRAGMA journal_mode = MEMORY")
    try SeedStamp(seed, version: found.version, copiedAt: copiedAt, highestKeys: highestKeys(in: db)).write(to: db)
    return (try StoreState(reading: db), migration)
  }

  /// See ``SeedStamp/highestKeys``.
  private func highestKeys(in db: Database) throws -> [SchemaName: Int64] {
    var keys: [SchemaName: Int64] = [:]
    for table in try StoreSchema(reading: db, view: { _ in false }).tables where !table.isView {
      guard let key = table.integerPrimaryKey else { continue }
      let highest = "SELECT ifnull(max(\(key.quotedIdentifier)), 0) FROM main.\(table.name.quotedIdentifier)"
      keys[table.name.foldedName] = try db.bareRows(highest) { $0.integer(0) }.first
    }
    return keys
  }

  /// Makes an empty store, with the application's numbers.
  func createEmpty(_ db: Database) throws -> StoreState {
    let requirements = fit.requirements
    // Asked by the next start too: better at once.
    guard fit.questions.isEmpty else { throw DAOError.migration(store: "made from the entities", problems: fit.questions) }
    for statement in try SchemaSQL.statements(for: requirements.entities) { try db.execute(sql: statement) }
    try db.execute(sql: "PRAGMA application_id = \(requirements.applicationID ?? 0); PRAGMA user_version = \(requirements.version ?? 0)")
    try requirements.checkSchema(of: db, path: "made from the entities")
    return try StoreState(reading: db)
  }
}
