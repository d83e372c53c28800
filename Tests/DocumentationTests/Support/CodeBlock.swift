import Foundation

/// A fenced block of an article: Swift, SQL, printed output, or text that nothing checks.
struct CodeBlock {
  /// The word after the fence: `swift`, `sql`, `output`, `json` or `text`.
  let language: String
  /// The block's lines, without the fences.
  let lines: [Substring]
  /// The number of the line after the opening fence, for messages.
  let line: Int

  /// The blocks of an article, in its order.
  static func blocks(of markdown: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (language: String, line: Int, lines: [Substring])?
    for (number, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let block = open {
        if line.hasPrefix("```") {
          blocks.append(CodeBlock(language: block.language, lines: block.lines, line: block.line))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), number + 2, [])
      }
    }
    return blocks
  }

  /// The statements of an SQL block, each on one line, without the semicolons that separate them. The statements within a trigger are
  /// indented, and its last line begins with `END`.
  var statements: [String] {
    var statements = [""]
    for line in lines {
      if statements[statements.count - 1].hasSuffix(";"), !line.hasPrefix(" "), !line.hasPrefix("END") {
        statements[statements.count - 1].removeLast()
        statements.append("")
      }
      statements[statements.count - 1] += "\n" + line
    }
    return statements.map(Self.onOneLine)
  }

  /// Returns a text with one space in place of each run of spaces and line ends, and without spaces after `(` and before `)`.
  static func onOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacingOccurrences(of: "( ", with: "(")
      .replacingOccurrences(of: " )", with: ")")
  }

  /// Returns whether the lines occur in a source file one after the other, all with the same indentation added.
  func stands(in source: [Substring]) -> Bool {
    guard let first = lines.first, source.count >= lines.count else { return false }
    return (0...(source.count - lines.count)).contains { start in
      guard source[start].hasSuffix(first) else { return false }
      let indentation = source[start].dropLast(first.count)
      guard indentation.allSatisfy({ $0 == " " }) else { return false }
      return zip(source[start...], lines).allSatisfy { $0 == $1 || ($0.hasPrefix(indentation) && $0.dropFirst(indentation.count) == $1) }
    }
  }
}
