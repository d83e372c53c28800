import Foundation
import Testing

/// Checks of README.md and of every article in Documentation: their Swift is code of this target, and their links lead to files and
/// headings. The suite of each article compares its SQL and its output.
@Suite struct DocumentTests {
  @Test(arguments: Documents.paths) func `every Swift block stands in a source file of this target`(path: String) throws {
    for block in CodeBlock.blocks(of: try Documents.text(path)) where block.language == "swift" {
      #expect(
        Documents.sources.contains { block.stands(in: $0) },
        "\(path):\(block.line): no source file has this code:\n\(block.lines.joined(separator: "\n"))")
    }
  }

  @Test(arguments: Documents.paths) func `every document has a suite that runs its code`(path: String) throws {
    let blocks = CodeBlock.blocks(of: try Documents.text(path))
    let suite = "Article(\"\(path)\")"
    if blocks.contains(where: { ["swift", "sql", "output"].contains($0.language) }) {
      #expect(Documents.sources.contains { lines in lines.contains { $0.contains(suite) } }, "no suite says \(suite)")
    }
    #expect(blocks.allSatisfy { ["swift", "sql", "output", "json", "text", "csv"].contains($0.language) })
  }

  @Test(arguments: Documents.paths) func `every link leads to a file or a heading`(path: String) throws {
    let folder = Documents.root.appendingPathComponent(path).deletingLastPathComponent()
    for link in try Documents.text(path).matches(of: /\]\(([^)]+)\)/).map({ String($0.1) }) where !link.hasPrefix("http") {
      let parts = link.split(separator: "#", omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? Documents.root.appendingPathComponent(path) : folder.appendingPathComponent(String(parts[0]))
      #expect(FileManager.default.fileExists(atPath: target.path), "\(path): \(link)")
      guard parts.count == 2, let text = try? String(contentsOf: target, encoding: .utf8) else { continue }
      #expect(headings(of: text).contains(String(parts[1])), "\(path): \(link)")
    }
  }

  /// Returns the anchors of the headings: in lower case, without punctuation, with hyphens in place of spaces.
  private func headings(of text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      String(line.drop { $0 == "#" }.dropFirst().lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " })
        .replacingOccurrences(of: " ", with: "-")
    }
  }

  @Test func `README.md has at most 250 lines`() throws {
    #expect(try Documents.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 251)
  }
}
