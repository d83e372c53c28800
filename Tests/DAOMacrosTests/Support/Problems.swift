import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import Testing

/// What the macros report of a source.
struct Report: Equatable, CustomStringConvertible {
  /// Where the diagnostic points: the source from there on, to the end of the line.
  let place: String
  let message: String
  /// The fix-it's message and the source after it.
  let fix: Fix?

  struct Fix: Equatable {
    let message: String
    let source: String
  }

  var description: String {
    "\"\(message)\" at '\(place)'" + (fix.map { "\n\($0.message):\n\($0.source)" } ?? "")
  }
}

/// Everything that the macros report of a source, in its order.
func reports(of source: String) -> [Report] {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  _ = file.expand(macroSpecs: macros) { BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts()) }
  let bytes = Array(source.utf8)
  return context.diagnostics.map { diagnostic in
    let start = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "").offset
    let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
    let fix = diagnostic.fixIts.first.map { fixIt in
      Report.Fix(message: fixIt.message.message, source: fixed(bytes, fixIt, context))
    }
    return Report(place: String(decoding: line, as: UTF8.self), message: diagnostic.message, fix: fix)
  }
}

private func fixed(_ bytes: [UInt8], _ fixIt: FixIt, _ context: BasicMacroExpansionContext) -> String {
  var bytes = bytes
  for change in fixIt.changes {
    guard case .replaceText(let range, let text, let node) = change else {
      Issue.record("a fix-it that is not a change of text")
      continue
    }
    let start = context.location(for: range.lowerBound, anchoredAt: node, fileName: "").offset
    let end = context.location(for: range.upperBound, anchoredAt: node, fileName: "").offset
    bytes.replaceSubrange(start..<end, with: Array(text.utf8))
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// Expects exactly one problem, at the place that starts with `place`. With a fix-it, the fixed source has no problem left.
func expectProblem(
  _ source: String, at place: String, _ message: String, fix: String? = nil, fixed: String? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  let found = reports(of: source)
  #expect(found.count == 1, "\(found)", sourceLocation: sourceLocation)
  guard let report = found.first else { return }
  #expect(report.place.hasPrefix(place), "it points to '\(report.place)'", sourceLocation: sourceLocation)
  #expect(report.message == message, sourceLocation: sourceLocation)
  #expect(report.fix?.message == fix, sourceLocation: sourceLocation)
  #expect(report.fix?.source == fixed, sourceLocation: sourceLocation)
  if let fixed { #expect(reports(of: fixed) == [], "the fixed source still has problems", sourceLocation: sourceLocation) }
}
