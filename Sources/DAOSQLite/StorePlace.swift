import DAOCriteria
import Foundation

/// The location of a store's file.
enum StorePlace: Sendable {
  case at(URL)
  /// In the app's own folder.
  case named(String)

  /// The file's URL.
  /// - Throws: ``DAOError/misuse(_:use:)`` for a name that is none.
  func url() throws -> URL {
    switch self {
    case .at(let url): return url
    case .named(let name): return try Self.folder().appendingPathComponent(Self.fileName(name))
    }
  }

  /// A name's file. All end alike, so that no store is called as a file that another has beside it.
  static func fileName(_ name: String) throws -> String {
    // One file for a letter, however it is composed.
    let composed = name.precomposedStringWithCanonicalMapping
    let isAllowed = composed.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || " -_.".unicodeScalars.contains($0)
    }
    guard isAllowed, !composed.isEmpty, !composed.hasPrefix("."), composed.utf8.count <= 100 else {
      throw DAOError.misuse(
        "\(name.debugDescription) can't be a store's name",
        use: "letters, digits, spaces, -, _ and ., or .file(url) for a place of your own")
    }
    return composed.hasSuffix(fileExtension) ? composed : composed + fileExtension
  }

  private static let fileExtension = ".sqlite"

  /// The app's own folder of Application Support; it may have yet to be made.
  static func folder() throws -> URL {
    guard let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first else {
      throw DAOError.bootstrap(DAOError.BootstrapProblem(.system, path: "Application Support", "the user has no such folder"))
    }
    return support.appendingPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
  }
}
