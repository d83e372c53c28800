import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import DAOMacrosPlugin

/// The macros as the compiler would run them, for a type that does not name the conformance itself.
let macros: [String: MacroSpec] = [
  "Entity": MacroSpec(type: EntityMacro.self, conformances: ["Entity"]),
  "ID": MacroSpec(type: PropertyMacro.self),
  "Attribute": MacroSpec(type: PropertyMacro.self),
  "Transient": MacroSpec(type: PropertyMacro.self),
  "ToOne": MacroSpec(type: PropertyMacro.self),
  "ToMany": MacroSpec(type: PropertyMacro.self),
  "ManyToMany": MacroSpec(type: PropertyMacro.self),
]

/// Expects the source to expand to the golden text, without a diagnostic.
func expectExpansion(
  _ source: String, _ golden: String, macros: [String: MacroSpec] = macros, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  assertMacroExpansion(
    source, expandedSource: golden, macroSpecs: macros, indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: Testing.SourceLocation(
          fileID: failure.location.fileID, filePath: failure.location.filePath, line: failure.location.line,
          column: failure.location.column))
    },
    fileID: fileID, filePath: filePath, line: line, column: column)
}
