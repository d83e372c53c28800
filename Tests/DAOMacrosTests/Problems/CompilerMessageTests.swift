import Foundation
import SwiftParser
import SwiftSyntaxMacroExpansion
import TestCases
import Testing

/// What the compiler says of slips, by compiling some. Left out where the modules are not built in the usual place.
@Suite("What the compiler says", .enabled(if: FileManager.default.fileExists(atPath: Compiler.modules.path)))
struct CompilerMessageTests {
  @Test func `a type that is no attribute names the conformance that it needs`() throws {
    let entity = "@Entity struct Zone { @ID var id: Int64?; var x: TYPE }"
    let enumeration = "AttributeValue: 'enum Kind: String, AttributeValue'"
    let codable = "JSONAttributeValue: 'struct Address: JSONAttributeValue'"
    for (declaration, type, expected) in [
      ("enum Kind: String { case land }", "Kind", enumeration), ("enum Kind: Int, Codable { case land }", "Kind?", enumeration),
      ("struct Address: Codable { var street: String }", "Address", codable),
      ("struct Plain { var x: Int }", "Plain", "or ConvertedAttributeValue"),
    ] {
      let source = declaration + "\n" + Compiler.expanded(entity.replacingOccurrences(of: "TYPE", with: type))
      let errors = try Compiler.errors(in: source)
      #expect(errors.contains { $0.contains(expected) }, "\(errors)")
    }
    for declaration in ["enum Kind: String, AttributeValue { case land }", "struct Kind: JSONAttributeValue { var x: Int }"] {
      #expect(try Compiler.errors(in: declaration + "\n" + Compiler.expanded(entity.replacingOccurrences(of: "TYPE", with: "Kind"))) == [])
    }
  }

  @Test(
    arguments: TestCases.some(
      ["[TYPE]", "[String: TYPE]", "[TYPE]?", "[String: TYPE]?", "[TYPE?]", "[Int: [TYPE]]", "[TYPE: Int]"], every: 7))
  func `a type in an array or dictionary names the conformance that it needs`(_ type: String) throws {
    func errors(_ declaration: String) throws -> [String] {
      let entity = "@Entity struct Zone { @ID var id: Int64?; var x: \(type.replacingOccurrences(of: "TYPE", with: "Own")) }"
      return try Compiler.errors(in: declaration + "\n" + Compiler.expanded(entity))
    }
    for (declaration, expected) in [
      ("struct Own: Codable, Hashable { var street: String }", "JSONAttributeValue: 'struct Address: JSONAttributeValue'"),
      ("enum Own: String, Codable { case land }", "AttributeValue: 'enum Kind: String, AttributeValue'"),
      ("struct Own: Hashable { var x: Int }", "or ConvertedAttributeValue"),
      ("enum Own: String, AttributeValue { case land }", "'Own' does not conform to protocol 'Decodable'"),
    ] {
      let errors = try errors(declaration)
      #expect(errors.contains { $0.contains(expected) }, "\(declaration): \(errors)")
    }
    let sound = ["enum Own: String, Codable, AttributeValue { case land }", "struct Own: JSONAttributeValue, Hashable { var x: Int }"]
    for declaration in sound {
      #expect(try errors(declaration) == [])
    }
  }

  @Test func `a wrong member in a closure is named`() throws {
    let zone = Compiler.expanded("@Entity struct Zone { @ID var id: Int64?; var name: String; var offset: Int; var comment: String? }")
    for filter in [
      "$0.nmae == \"x\"", "$0.offset > 3600 && ($0.nmae == \"x\" || $0.comment == nil)", "$0.offset > $0.nmae.average()",
      ".like($0.nmae, \"x\") && $0.offset == 1",
    ] {
      let errors = try Compiler.errors(in: zone + "\nlet found = SearchCriteria<Zone>.where { \(filter) }")
      #expect(errors.first?.contains("has no member 'nmae'") == true, "\(filter): \(errors)")
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

  /// The errors in a source, each one line.
  static func errors(in source: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Compiler-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    try ("import DAOCriteria\n" + source).write(to: file, atomically: true, encoding: .utf8)
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "-swift-version", "6", "-typecheck", "-I", modules.path, file.path]
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").filter { $0.hasPrefix(file.path) && $0.contains(": error: ") }.map(String.init)
  }
}
