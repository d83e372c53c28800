import Foundation
import SwiftParser
import SwiftSyntaxMacroExpansion
import TestCases
import Testing

/// What the compiler says of slips, by compiling some. Left out where the modules are not built in the usual place.
@Suite("What the compiler says", .enabled(if: FileManager.default.fileExists(atPath: Compiler.modules.path)))
struct CompilerMessageTests {
  @Test func `a type that is no attribute names the conformance that it needs`() throws {
    let enumeration = "AttributeValue: 'enum Kind: String, AttributeValue'"
    let codable = "JSONAttributeValue: 'struct Address: JSONAttributeValue'"
    let cases: [(declaration: String, type: String, expected: String?)] = [
      ("enum Kind: String { case land }", "Kind", enumeration), ("enum Kind: Int, Codable { case land }", "Kind?", enumeration),
      ("struct Address: Codable { var street: String }", "Address", codable),
      ("struct Plain { var x: Int }", "Plain", "or ConvertedAttributeValue"),
      ("enum Kind: String, AttributeValue { case land }", "Kind", nil), ("struct Kind: JSONAttributeValue { var x: Int }", "Kind", nil),
    ]
    try expect(cases.map { ($0.declaration, "@Entity struct Zone { @ID var id: Int64?; var x: \($0.type) }", $0.expected) })
  }

  @Test func `a type in an array or dictionary names the conformance that it needs`() throws {
    let types = TestCases.some(
      ["[TYPE]", "[String: TYPE]", "[TYPE]?", "[String: TYPE]?", "[TYPE?]", "[Int: [TYPE]]", "[TYPE: Int]"], every: 7)
    let declarations: [(text: String, expected: String?)] = [
      ("struct Own: Codable, Hashable { var street: String }", "JSONAttributeValue: 'struct Address: JSONAttributeValue'"),
      ("enum Own: String, Codable { case land }", "AttributeValue: 'enum Kind: String, AttributeValue'"),
      ("struct Own: Hashable { var x: Int }", "or ConvertedAttributeValue"),
      ("enum Own: String, AttributeValue { case land }", "'Own' does not conform to protocol 'Decodable'"),
      ("enum Own: String, Codable, AttributeValue { case land }", nil), ("struct Own: JSONAttributeValue, Hashable { var x: Int }", nil),
    ]
    try expect(
      types.flatMap { type in
        let entity = "@Entity struct Zone { @ID var id: Int64?; var x: \(type.replacingOccurrences(of: "TYPE", with: "Own")) }"
        return declarations.map { ($0.text, entity, $0.expected) }
      })
  }

  @Test func `a wrong member in a closure is named`() throws {
    let zone = Compiler.expanded("@Entity struct Zone { @ID var id: Int64?; var name: String; var offset: Int; var comment: String? }")
    let filters = [
      "$0.nmae == \"x\"", "$0.offset > 3600 && ($0.nmae == \"x\" || $0.comment == nil)", "$0.offset > $0.nmae.average()",
      ".like($0.nmae, \"x\") && $0.offset == 1",
    ]
    let errors = try Compiler.errors(in: filters.map { zone + "\nlet found = SearchCriteria<Zone>.where { \($0) }" })
    for (filter, errors) in zip(filters, errors) {
      #expect(errors.first?.contains("has no member 'nmae'") == true, "\(filter): \(errors)")
    }
  }

  /// Each source has an error with a text, or none.
  private func expect(_ cases: [(declaration: String, entity: String, expected: String?)]) throws {
    let errors = try Compiler.errors(in: cases.map { $0.declaration + "\n" + Compiler.expanded($0.entity) })
    for ((declaration, entity, expected), errors) in zip(cases, errors) {
      #expect(expected.map { text in errors.contains { $0.contains(text) } } ?? errors.isEmpty, "\(declaration) \(entity): \(errors)")
    }
  }
}

/// The compiler, over the modules that the tests were built with.
private enum Compiler {
  static let modules = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent(".build/debug/Modules")

  /// A source with its macros written out.
  static func expanded(_ source: String) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    return file.expand(macroSpecs: macros, contextGenerator: { _ in context }).description
  }

  /// The errors in each source, each one line. All of them are compiled at once, each with names of its own.
  static func errors(in sources: [String]) throws -> [[String]] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Compiler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    let numbered = sources.enumerated().map { number, source in
      let named = source.replacing(#/\b(Zone|Own|Kind|Address|Plain|found)\b/#.wordBoundaryKind(.simple)) { "\($0.output.1)_\(number)_" }
      return "#sourceLocation(file: \"source-\(number)\", line: 1)\n\(named)\nlet sentinel_\(number)_: Int = \"\"\n#sourceLocation()\n"
    }
    try ("import DAOCriteria\n" + numbered.joined()).write(to: file, atomically: true, encoding: .utf8)
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules.path, file.path]
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    let errors = text.split(separator: "\n").map(String.init).filter { $0.contains(": error: ") }
    #expect(errors.allSatisfy { $0.hasPrefix("source-") }, "\(errors)")
    return sources.indices.map { number in
      let own = errors.filter { $0.hasPrefix("source-\(number):") }.map { $0.replacing("_\(number)_", with: "") }
      // The error behind each source shows that it was looked at.
      let others = own.filter { !$0.hasSuffix("cannot convert value of type 'String' to specified type 'Int'") }
      #expect(others.count == own.count - 1, "\(own)")
      return others
    }
  }
}
