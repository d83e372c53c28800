import Foundation

/// The documents and the source files that the tests of the tables read.
enum Documents {
  /// The repository's folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The source files of this target.
  static let sources: [String] = {
    let folder = root.appendingPathComponent("Tests/MoversTests")
    let paths = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
    return paths.sorted().compactMap { try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
  }()

  /// The text of an article in Documentation.
  static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent("Documentation/\(name)"), encoding: .utf8)
  }

  /// Returns code without spaces, line ends and semicolons, which a table and a source file set in different places.
  static func packed(_ code: some StringProtocol) -> String {
    String(String.UnicodeScalarView(code.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != ";" }))
  }
}
