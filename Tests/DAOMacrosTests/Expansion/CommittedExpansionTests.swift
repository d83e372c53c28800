import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import Testing

/// The benchmarks build without swift-syntax, so what the macro writes of their entities is committed beside them.
@Suite("What @Entity wrote for the benchmarks")
struct CommittedExpansionTests {
  static let command = "DAO_RENEW=1 swift test --filter CommittedExpansionTests"
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Benchmarks", isDirectory: true)
  static let source = folder.appendingPathComponent("Entities.swift")
  static let committed = folder.appendingPathComponent("Sources/daobench/Entities/Entities+Expanded.swift")

  static let header = """
    // What @Entity writes of Benchmarks/Entities.swift, so that the benchmarks build without swift-syntax. Not to be changed by hand;
    // after a change of that file or of the macro it is renewed, in the repository's root, by
    //   \(command)
    // swift-format-ignore-file
    import DAOKit
    """

  @Test func `is what it writes today`() throws {
    let written = try Self.expanded(String(contentsOf: Self.source, encoding: .utf8))
    if ProcessInfo.processInfo.environment["DAO_RENEW"] != nil {
      try Data(written.utf8).write(to: Self.committed, options: .atomic)
      // Never green: the run that counts is the one that compares.
      Issue.record("\(Self.committed.lastPathComponent) is written; run again without DAO_RENEW")
      return
    }
    // By bytes: strings that are canonically equal are not the same file.
    let same = try Data(contentsOf: Self.committed) == Data(written.utf8)
    #expect(same, "\(Self.committed.path) is not what @Entity writes of \(Self.source.lastPathComponent); renew it: \(Self.command)")
  }

  /// The source with the macros expanded, without a diagnostic, under the committed file's header: it imports DAOKit alone.
  private static func expanded(_ source: String) throws -> String {
    let entities = try #require(source.range(of: "import DAOMacros\n"), "the source imports DAOMacros")
    let file = Parser.parse(source: header + "\n" + source[entities.upperBound...])
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "daobench", fullFilePath: "Entities.swift")])
    let expanded = file.expand(
      macroSpecs: macros,
      contextGenerator: { BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts()) },
      indentationWidth: .spaces(2))
    #expect(context.diagnostics.map(\.message) == [])
    return expanded.description
  }
}
