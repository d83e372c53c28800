import DAOCriteria
import Foundation

/// Replaces an existing store by a new one, without keeping the old one: the old one stays until the new one is complete and takes its
/// name.
struct StoreReset {
  let paths: StorePaths
  let source: SeedSource
  let maker: StoreMaker
  /// Whether the seed is kept for a later merge.
  let keepsSeed: Bool

  /// Resets the store.
  /// - Parameter close: closes this process's own connections to the store; called when the new one is complete.
  /// - Throws: as ``StoreBootstrapper/bootstrap(_:policy:)``; the old store is then as it was.
  func reset(closing close: () throws -> Void) throws -> BootstrapReport {
    let start = ContinuousClock.now
    let fit = maker.fit
    let lock = try StoreLock(paths, timeout: fit.timeout)
    defer { withExtendedLifetime(lock) {} }
    try paths.clearLeftovers()
    let seed = try source.seed(for: paths, fit.requirements)
    return try maker.make(seed, paths) { state, migration in
      try close()
      try UpgradeBase(paths: paths, maker: maker).placeIncoming(state, keepingSeed: keepsSeed) {
        if try paths.existing() == nil {
          try paths.putInPlace()
        } else {
          try StoreReplacement(paths: paths, timeout: fit.timeout).replace(keeping: nil)
        }
      }
      return try BootstrapReport(.reset, state, from: seed, migration, at: paths, since: start)
    }
  }
}
