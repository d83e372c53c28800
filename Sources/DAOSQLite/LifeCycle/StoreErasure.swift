import DAOCriteria
import DAOSQL
import Foundation
import GRDB

/// Replaces a store that does not match the entities by a new one, and keeps the old one under a name of its own; see
/// ``StoreDescription/MismatchPolicy``.
///
/// It takes a store of this application's, under the lock, and leaves a new one, made from the seed or the entities.
struct StoreErasure {
  let paths: StorePaths
  let source: SeedSource
  let maker: StoreMaker
  /// Whether the seed is kept for a later merge.
  let keepsSeed: Bool

  private var fit: SchemaFit { maker.fit }

  /// Erases the store.
  /// - Parameters:
  ///   - found: its state, with which ``StoreRequirements/check(_:path:)`` has let it pass.
  ///   - refusal: why it is not made to fit; thrown where it does fit.
  func erase(_ found: StoreState, _ refusal: DAOError) throws -> (
    new: StoreState, seed: Seed?, migration: Migration.Report?, differences: [SchemaDifference]
  ) {
    let requirements = fit.requirements
    let old = try SQLiteFile.examining(paths.store, timeout: fit.timeout, maximumLength: fit.maximumLength)
    let differences = try old.run { try requirements.differences(in: $0) }
    if differences.isEmpty { throw refusal }
    // Without a number to compare it with, a number of its own is another's.
    guard requirements.applicationID != nil || found.applicationID == 0 || found.stamp != nil else {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(
          .wrongApplication, path: paths.store,
          "the file does not fit the entities and has an application id; it is erased only where the store is given the same"))
    }
    if let finding = try old.run({ try $0.firstDamage() }) {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.corrupt, path: paths.store, finding))
    }
    try old.close()
    try paths.clearHalfErased()
    let seed = try source.seed(for: paths, requirements)
    return try maker.make(seed, paths) { new, migration in
      try UpgradeBase(paths: paths, maker: maker).placeIncoming(new, keepingSeed: keepsSeed) {
        let name = try paths.erasedName(at: maker.clock())
        try StoreReplacement(paths: paths, timeout: fit.timeout).replace(keeping: name) { db in
          // The previous holder of the store may have changed it.
          try requirements.check(try StoreState(reading: db), path: paths.store)
          do { try requirements.checkSchema(of: db, path: paths.store) } catch DAOError.schemaMismatch { return }
          throw DAOError.bootstrap(
            DAOError.BootstrapProblem(.locked, path: paths.store, "somebody else has just made the store fit the entities; start again"))
        }
      }
      return (new, seed, migration, differences)
    }
  }
}
