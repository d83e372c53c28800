import Foundation
import Testing

/// Checks that what the tables say to write is code of this target, which its suites run.
@Suite struct MoversTableTests {
  static let articles = ["from-magicalrecord.md", "from-rhmanagedobject.md", "from-coredata-persistence-framework.md"]

  /// Code that doesn't compile on Linux, with the reason.
  static let exceptions: [String: String] = [:]

  private static let sources = Documents.sources.map { Documents.packed($0) }

  @Test(arguments: articles) func `every code of a middle column stands in a source file of this target`(article: String) throws {
    let rows = TableRow.rows(of: try Documents.text(article))
    #expect(rows.count > 50)
    for row in rows {
      #expect(row.cells.count == 3, "\(article):\(row.line)")
      for code in row.code(of: 1) where Self.exceptions[code] == nil {
        let packed = Documents.packed(code)
        #expect(Self.sources.contains { $0.contains(packed) }, "\(article):\(row.line): no source file has \(code)")
      }
    }
  }

  @Test(arguments: articles) func `every note begins with what becomes of the call`(article: String) throws {
    let words = /(same|corrected|left out|not yet|new|as above)\b.*/
    for row in TableRow.rows(of: try Documents.text(article)) {
      #expect(row.cells[2].wholeMatch(of: words) != nil, "\(article):\(row.line): \(row.cells[2])")
    }
  }

  @Test func `the entities of moving.md are those of this target`() throws {
    let article = try Documents.text("moving.md")
    let block = try #require(article.components(separatedBy: "```text\n").dropFirst().first?.components(separatedBy: "```").first)
    for declaration in block.components(separatedBy: "\n\n") {
      #expect(Self.sources.contains { $0.contains(Documents.packed(declaration)) }, "\(declaration)")
    }
  }
}
