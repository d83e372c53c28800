import Foundation
import Testing

/// Checks that each row of Documentation/behaviours.md that is not left out has a test of its name: the number of its section, a space,
/// and its first cell without the marks of code.
@Suite struct BehavioursTests {
  private func rows() throws -> [TableRow] { TableRow.rows(of: try Documents.text("behaviours.md")) }

  private func name(of row: TableRow) -> String {
    "\(row.section.prefix { $0 != " " }) \(row.cells[0].replacingOccurrences(of: "`", with: ""))"
  }

  @Test func `every row that is the same, corrected or new has a test of its name`() throws {
    for row in try rows() where !row.cells[1].hasPrefix("left out") {
      let test = "@Test func `\(name(of: row))`()"
      #expect(Documents.sources.contains { $0.contains(test) }, "behaviours.md:\(row.line): no source file has \(test)")
    }
  }

  @Test func `every test of a row has its row`() throws {
    let names = Set(try rows().filter { !$0.cells[1].hasPrefix("left out") }.map(name))
    for source in Documents.sources {
      for test in source.matches(of: /@Test func `(1[ABC][^`]*)`\(\)/) { #expect(names.contains(String(test.1)), "\(test.1)") }
    }
  }

  @Test func `every row begins with what became of it, and every section is there`() throws {
    let rows = try rows()
    for row in rows {
      #expect(row.cells[1].prefixMatch(of: /(same|corrected|new|left out)\b/) != nil, "behaviours.md:\(row.line)")
    }
    let sections = Set(rows.map { String($0.section.prefix { $0 != " " }) })
    #expect(sections == Set((1...9).map { "1A.\($0)" } + ["1B", "1C"]))
  }
}
