import SwiftParser
import SwiftSyntaxMacroExpansion
import Testing

@testable import DAOMacrosPlugin

@Suite("How @Entity reads a row")
struct RowReadingTests {
  /// The lines of `init(row:)`.
  private func lines(_ attributes: String, _ members: String) -> [String] {
    let file = Parser.parse(source: "@Entity \(attributes) struct Zone {\n@ID var id: Int64?\nvar name: String\n\(members)\n}")
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let text = file.expand(macroSpecs: macros, contextGenerator: { _ in context }).description
    let lines = text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    return lines.drop { !$0.hasPrefix("init(row:") }.dropFirst().prefix { $0 != "}" }.map { $0 }
  }

  private let atOnce = "try self.init(id: row.next(), name: row.next())"
  private let oneByOne = ["id = try row.next()", "name = try row.next()"]

  @Test func `by the initialiser over all properties, which the compiler writes`() {
    #expect(lines("", "") == [atOnce])
    #expect(lines("@available(macOS 14, *)", "func greet() {}\nvar title: String { name }") == [atOnce])
    #expect(lines("", "@Transient var isSelected = false") == [atOnce])
    #expect(lines("", "var `in`: Int") == ["try self.init(id: row.next(), name: row.next(), in: row.next())"])
  }

  @Test(arguments: ["init(name: String) { self.name = name }", "#if DEBUG\ninit() { name = \"\" }\n#endif", "#memberwise"])
  func `one by one where the compiler writes none, or may not`(_ member: String) { #expect(lines("", member) == oneByOne) }

  @Test func `one by one where another macro could add one`() { #expect(lines("@Memberwise", "") == oneByOne) }
}
