import DAOKit
import DAOTestSupport
import Testing

/// Records the SQL and the output of an article's code, and compares both with the article's blocks.
final class Article: @unchecked Sendable {
  let path: String
  /// Records the SQL of the test's factories.
  let statements = StatementRecorder()
  // Used by one test only, which runs its sections one after the other: no lock.
  private var printed: [String] = []

  /// - Parameter path: the article's path in the repository: `Documentation/criteria.md`.
  init(_ path: String) { self.path = path }

  /// Takes a text that the code prints.
  func takePrinted(_ text: String) { printed.append(text) }

  /// Takes SQL that the code renders without sending it.
  func take(_ sql: String?) { if let sql { statements.append(sql, expanded: nil) } }

  /// Expects that the article's SQL was sent and its output printed, in the article's order.
  func expectSQLAndOutput(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var sent = statements.texts.map(CodeBlock.onOneLine)[...]
    var printed = printed[...]
    for block in CodeBlock.blocks(of: try Documents.text(path)) {
      switch block.language {
      case "sql":
        for statement in block.statements {
          if let index = sent.firstIndex(of: statement) {
            sent = sent[sent.index(after: index)...]
          } else {
            fail("this was not sent, or not here", statement, in: block, sent, sourceLocation)
          }
        }
      case "output":
        let text = block.lines.joined(separator: "\n")
        if let range = printed.indices.lazy.compactMap({ Self.range(of: text, in: printed[$0...]) }).first {
          printed = printed[range.upperBound...]
        } else {
          fail("this was not printed, or not here", text, in: block, printed, sourceLocation)
        }
      default: break
      }
    }
  }

  private func fail(
    _ message: String, _ shown: String, in block: CodeBlock, _ candidates: ArraySlice<String>, _ sourceLocation: SourceLocation
  ) {
    let list = candidates.map { "- " + $0 }.joined(separator: "\n")
    Issue.record("\(path):\(block.line): \(message):\n\(shown)\nThere was:\n\(list)", sourceLocation: sourceLocation)
  }

  /// Returns the range of the first printed texts, three at most, that together are what the article shows.
  private static func range(of shown: String, in printed: ArraySlice<String>) -> Range<Int>? {
    for count in 1...3 where count <= printed.count && fits(printed.prefix(count).joined(separator: "\n"), shown) {
      return printed.startIndex..<printed.startIndex + count
    }
    return nil
  }

  /// Returns whether a printed text is what the article shows, where `…` stands for any text.
  private static func fits(_ printed: String, _ shown: String) -> Bool {
    let parts = CodeBlock.onOneLine(shown).components(separatedBy: "…")
    var rest = CodeBlock.onOneLine(printed)[...]
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for (number, part) in parts.enumerated().dropFirst() where !part.isEmpty {
      guard let range = rest.range(of: part, options: number == parts.count - 1 ? .backwards : []) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.isEmpty || (parts.count > 1 && parts.last == "")
  }
}
