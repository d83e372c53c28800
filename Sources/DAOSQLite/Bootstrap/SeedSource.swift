import DAOCriteria
import Foundation

/// Where a store's first rows come from.
public enum SeedSource: Sendable {
  /// A database file. Only its bytes are read: nothing is written beside it, and no lock is taken on it.
  case file(URL)
  /// A file of a bundle, named with its extension: `.resource("clock.sqlite", in: .module)`.
  case resource(String, in: Bundle)
  /// No seed: an empty store made from the entities' descriptions.
  case none

  /// The seed's path; nil for ``none``.
  /// - Throws: ``BootstrapProblem/Kind/missingSeed`` where the bundle has no such file; ``BootstrapProblem/Kind/notAFile`` for a URL that is
  ///   no file's.
  func path() throws -> String? {
    switch self {
    case .file(let url): return try Files.path(url, "seed")
    case .resource(let name, let bundle):
      guard let url = bundle.url(forResource: name, withExtension: nil) else {
        throw DAOError.bootstrap(
          BootstrapProblem(.missingSeed, path: bundle.bundlePath + "/" + name, "the bundle has no such file"))
      }
      return url.path
    case .none: return nil
    }
  }
}

/// When a store is made from its seed. More policies may follow.
public enum SeedPolicy: Sendable, Hashable {
  /// Once; a store that is there is used as it is.
  case copyIfMissing
  /// Whenever the shipped seed is not the one that the store was made from. The old store stays beside the new one as a backup until the new
  /// one has opened.
  ///
  /// Seeds are told apart by size, header and a sample of their pages, so that a start costs the same for any size; raise `user_version`
  /// with each seed you ship.
  case replace
}
