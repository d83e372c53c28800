import Foundation

/// The files of the repository that the tests read.
enum Documents {
  /// The repository's folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// README.md and the articles, by their paths. `criteria-json.md` has a test of its own.
  static let paths: [String] = {
    let articles = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Documentation").path)) ?? []
    return ["README.md"] + articles.filter { $0.hasSuffix(".md") && $0 != "criteria-json.md" }.sorted().map { "Documentation/\($0)" }
  }()

  /// The text of a file.
  static func text(_ path: String) throws -> String { try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }

  /// The lines of each source file of this target.
  static let sources: [[Substring]] = {
    let folder = root.appendingPathComponent("Tests/DocumentationTests")
    let paths = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
    let texts = paths.compactMap { try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    return texts.map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
  }()
}
