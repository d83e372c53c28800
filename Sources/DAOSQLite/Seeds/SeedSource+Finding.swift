import DAOCriteria
import Foundation

extension SeedSource {
  /// The names of a store's files, none of which is the seed's.
  func paths(of store: URL) throws -> StorePaths {
    let paths = try StorePaths(of: store)
    // Before anything is cleared, and where the seed is not examined too.
    if let path = try? self.path(), try paths.isReserved(path) {
      throw DAOError.bootstrap(
        DAOError.BootstrapProblem(.system, path: path, "the seed has a name that the bootstrap keeps for its own files; give it another"))
    }
    return paths
  }

  /// Examines the seed of a store, which is another file, and checks that it is this application's.
  func seed(for paths: StorePaths, _ requirements: StoreRequirements) throws -> Seed? {
    guard let path = try path() else { return nil }
    // Asked before the seed is opened: closing a file drops every lock of the process on it (sqlite.org/howtocorrupt.html, section 2.2).
    if let store = try Files.status(paths.store), try Files.status(path)?.identity == store.identity {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.system, path: path, "the seed and the store are one file"))
    }
    let seed = try Seed(path, requiresManifest: requiresManifest)
    // A WAL may hold later numbers; they are checked again on the copy.
    if !seed.header.isWAL {
      try requirements.check(applicationID: seed.header.applicationID, version: seed.header.userVersion, path: path)
    }
    return seed
  }
}
