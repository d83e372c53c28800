import DAOCriteria
import DAOSQL
import Foundation

// Previews what a start would do to a store, without changing it.
extension StoreBootstrapper {
  /// Whether a store has to be migrated before it matches the entities, whether or not a migration is given. Nothing is written, and no
  /// file is created beside it; false where there is no store.
  /// - Throws: ``DAOError/bootstrap(_:)`` for a file that can't be read, is another application's or is of a later version.
  public func requiresMigration(_ store: URL) throws -> Bool {
    let paths = try StorePaths(of: store)
    guard try paths.existing() != nil else { return false }
    return try fit.unchanged(paths) { try fit.isDue(in: $0, path: paths.store) }
  }

  /// Runs the migration of a store on a copy: all its steps and checks, with the report; the store is unchanged.
  /// - Returns: the changes that it would make; nil where ``requiresMigration(_:)`` is false: there is nothing to do, or no store.
  /// - Throws: the errors of opening the store: ``DAOError/migration(store:problems:)``, or, where no migration was given to a store that
  ///   does not fit, ``DAOError/schemaMismatch(store:differences:)``.
  public func rehearseMigration(_ store: URL) throws -> Migration.Report? {
    let paths = try StorePaths(of: store)
    return try paths.existing() == nil ? nil : fit.rehearse(paths)
  }

  /// Previews what ``bootstrap(_:policy:)`` with ``SeedPolicy/upgrade(conflicts:adopting:)`` would do to a store: the same merge, on a
  /// copy. The store, its WAL and its base stay as they are.
  ///
  /// The copy is made in the system's folder for temporary files, and takes time and space in proportion to the size of the store.
  /// - Parameters:
  ///   - store: the store's file.
  ///   - conflicts: the decision where the seed and the user changed the same row.
  /// - Returns: the report; nil where there is nothing to upgrade: without a store or a seed, or if the store is of the shipped seed.
  /// - Throws: as ``bootstrap(_:policy:)``.
  public func previewUpgrade(of store: URL, conflicts: SeedConflict.Policy) throws -> SeedUpgradeReport? {
    let paths = try source.paths(of: store)
    guard try paths.existing() != nil, let seed = try source.seed(for: paths, requirements) else { return nil }
    let lock = try StoreLock(paths, timeout: lockTimeout)
    defer { withExtendedLifetime(lock) {} }
    let (file, state) = try examine(paths)
    guard SeedPolicy.upgrade(conflicts: conflicts).prefers(seed, to: state.stamp) else { return nil }
    let bases = UpgradeBase(paths: paths, maker: maker)
    guard let stamp = state.stamp, let base = try bases.find(stamp) else { throw bases.missing(state.stamp) }
    return try SeedUpgrade(paths: paths, seed: seed, conflicts: conflicts, maker: maker).preview(file, from: stamp, base: base)
  }
}
