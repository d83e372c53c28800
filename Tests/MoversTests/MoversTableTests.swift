import Foundation
import Testing

/// Checks that what the tables say to write is code of this target, which its suites run.
@Suite struct MoversTableTests {
  static let articles = [
    "from-magicalrecord.md", "from-rhmanagedobject.md", "from-coredata-persistence-framework.md", "from-core-data.md", "from-grdb.md",
    "from-realm.md", "from-magicalrecord-import.md",
  ]

  /// How many rows the tables of an article have at least.
  private static func leastRows(of article: String) -> Int { article == "from-magicalrecord-import.md" ? 40 : 50 }

  /// Code that doesn't compile on Linux, with the reason.
  static let exceptions = [
    "EmptyView().environment(\\.daoFactory, factory)": "SwiftUI is Apple's", "tableView.apply(list.changes) { … }": "UIKit is Apple's",
    "collectionView.apply(list.changes) { … }": "UIKit is Apple's",
  ]

  private static let sources = Documents.sources.map { Documents.packed($0) }

  @Test(arguments: articles) func `every code of a table stands in a source file of this target`(article: String) throws {
    let rows = TableRow.rows(of: try Documents.text(article))
    #expect(rows.count > Self.leastRows(of: article))
    for row in rows {
      #expect(row.cells.count == 3, "\(article):\(row.line)")
      // A note has code too, and names of calls beside it.
      let code = row.code(of: 1) + row.code(of: 2).filter { $0.prefixMatch(of: /(try|let|var|for)\b/) != nil }
      for code in code where Self.exceptions[code] == nil {
        let packed = Documents.packed(code)
        #expect(Self.sources.contains { $0.contains(packed) }, "\(article):\(row.line): no source file has \(code)")
      }
    }
  }

  @Test func `every code of a behaviour is part of a source file of this target`() throws {
    for row in TableRow.rows(of: try Documents.text("behaviours.md")) {
      for code in row.code(of: 2) where Self.exceptions[code] == nil {
        // What stands around an ellipsis has to be there in its order.
        let parts = Documents.packed(code).split(separator: "…")
        let isThere = Self.sources.contains { source in
          var rest = source[...]
          return parts.allSatisfy { part in
            guard let place = rest.range(of: part) else { return false }
            rest = rest[place.upperBound...]
            return true
          }
        }
        #expect(isThere, "behaviours.md:\(row.line): no source file has \(code)")
      }
    }
  }

  @Test(arguments: articles) func `every note begins with what becomes of the call`(article: String) throws {
    // A table of what is in a file has notes of another kind.
    let words = /(same|corrected|left out|not yet|new|as above)\b.*/
    let rows = TableRow.rows(of: try Documents.text(article))
    for row in rows where !row.section.hasPrefix("Bringing the data") && !row.section.hasPrefix("Opening a file") {
      #expect(row.cells[2].wholeMatch(of: words) != nil, "\(article):\(row.line): \(row.cells[2])")
    }
  }

  @Test(arguments: ["moving.md", "from-grdb.md"]) func `declarations between the tables are those of this target`(article: String) throws {
    let text = try Documents.text(article)
    let block = try #require(text.components(separatedBy: "```text\n").dropFirst().first?.components(separatedBy: "```").first)
    for declaration in block.components(separatedBy: "\n\n") {
      #expect(Self.sources.contains { $0.contains(Documents.packed(declaration)) }, "\(declaration)")
    }
  }
}
