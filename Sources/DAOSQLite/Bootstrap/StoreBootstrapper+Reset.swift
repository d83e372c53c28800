import DAOCriteria
import Foundation

extension StoreBootstrapper {
  /// Makes a store anew that is there, without keeping the old one: the old one stays until the new one is complete and takes its name.
  /// - Parameters:
  ///   - policy: whether the seed is kept for a later merge.
  ///   - close: closes this process's own connections to the store; called when the new one is complete.
  /// - Throws: as ``bootstrap(_:policy:)``; the old store is then as it was.
  package func reset(_ store: URL, policy: SeedPolicy = .copyIfMissing, closing close: () throws -> Void) throws -> BootstrapReport {
    let start = ContinuousClock.now
    let paths = try StorePaths(of: store)
    let lock = try StoreLock(paths, timeout: lockTimeout)
    defer { withExtendedLifetime(lock) {} }
    try paths.clearLeftovers()
    let seed = try lookAtSeed(for: paths)
    return try preparing(seed, paths) { state, migration in
      try close()
      try putInPlace(paths, state, policy: policy) {
        if try existing(paths.store) == nil { try paths.putInPlace() } else { try replace(paths, keeping: nil) }
      }
      return try report(.reset, state, seed: seed, migration: migration, paths, start: start)
    }
  }
}
