import DAOCriteria
import Foundation

/// The source of a store's first rows.
///
/// A seed that requires its manifest has one beside it (``SeedManifest``), written by ``SeedPacker``; it is used only where each of its
/// bytes is as it was packed, and else ``DAOError/BootstrapProblem/Kind/manifest`` is thrown. The bytes are read when the seed is copied,
/// merged or loaded, and each time that it is opened where it lies; a start that finds its store made from the seed does not read them.
public enum SeedSource: Sendable {
  /// A database file. Only its bytes are read: nothing is written beside it, and no lock is taken on it. It must not be a store that this
  /// process has open, which would lose its locks when the file is closed (sqlite.org/howtocorrupt.html, section 2.2); a backup of one is a
  /// seed.
  case file(URL, requiresManifest: Bool = false)
  /// A file of a bundle, named with its extension: `.resource("clock.sqlite", in: .module)`.
  case resource(String, in: Bundle, requiresManifest: Bool = false)
  /// No seed: an empty store made from the entities' descriptions.
  case empty

  /// The seed's path; nil for ``empty``.
  /// - Throws: ``DAOError/BootstrapProblem/Kind/missingSeed`` where the bundle has no such file;
  ///   ``DAOError/BootstrapProblem/Kind/notAFile`` for a URL that is no file's.
  func path() throws -> String? {
    switch self {
    case .file(let url, _): return try Files.path(url, "seed")
    case .resource(let name, let bundle, _):
      guard let url = bundle.url(forResource: name, withExtension: nil) else {
        throw DAOError.bootstrap(
          DAOError.BootstrapProblem(.missingSeed, path: bundle.bundlePath + "/" + name, "the bundle has no such file"))
      }
      return url.path
    case .empty: return nil
    }
  }

  /// Whether each byte of the seed has to be as its manifest says.
  var requiresManifest: Bool {
    switch self {
    case .file(_, let requires), .resource(_, _, let requires): requires
    case .empty: false
    }
  }
}
