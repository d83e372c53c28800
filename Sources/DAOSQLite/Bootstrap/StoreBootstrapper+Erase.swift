import DAOCriteria
import DAOSQL
import Foundation
import GRDB

extension StoreBootstrapper {
  /// Whether a store that does not fit the entities is made anew.
  var erases: Bool { mismatch.erases(isDebugBuild: isDebugBuild) }

  /// The erased stores there are, where stores are erased.
  func erased(_ paths: StorePaths) throws -> [URL] { erases ? try paths.erased() : [] }

  /// Makes a store anew that does not fit the entities, and keeps the old one.
  /// - Parameters:
  ///   - found: what was found in it, by which ``check(_:path:)`` has let it pass.
  ///   - refusal: why it is not made to fit; thrown where it does fit.
  func erase(_ paths: StorePaths, _ found: StoreState, policy: SeedPolicy, _ refusal: DAOError) throws -> (
    new: StoreState, seed: Seed?, migration: MigrationReport?, differences: [SchemaDifference]
  ) {
    let old = try look(at: paths.store)
    let differences = try old.run { try StoreSchema(reading: $0, for: entities).differences(from: entities) }
    if differences.isEmpty { throw refusal }
    // Without a number to compare it with, a number of its own is another's.
    guard applicationID != nil || found.applicationID == 0 || found.stamp != nil else {
      throw DAOError.bootstrap(
        BootstrapProblem(
          .wrongApplication, path: paths.store,
          "the file does not fit the entities and has an application id; it is erased only where the store is given the same"))
    }
    if let finding = try old.run({ try $0.firstDamage() }) {
      throw DAOError.bootstrap(BootstrapProblem(.corrupt, path: paths.store, finding))
    }
    try old.close()
    try paths.clearHalfErased()
    let seed = try lookAtSeed(for: paths)
    return try preparing(seed, paths) { new, migration in
      try putInPlace(paths, new, policy: policy) {
        try replace(paths, keeping: paths.erasedName(at: clock())) { db in
          // Whoever had the store until now may have changed it.
          try check(try StoreState(reading: db), path: paths.store)
          do { try checkSchema(of: db, path: paths.store) } catch DAOError.schemaMismatch { return }
          throw DAOError.bootstrap(
            BootstrapProblem(.locked, path: paths.store, "somebody else has just made the store fit the entities; start again"))
        }
      }
      return (new, seed, migration, differences)
    }
  }
}

extension DAOError {
  /// Whether it says that a store does not fit its entities, or is not made to.
  var isMismatch: Bool {
    switch self {
    case .schemaMismatch, .migration: true
    default: false
    }
  }
}
