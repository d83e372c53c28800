import SwiftParser
import SwiftSyntaxMacroExpansion
import TestCases
import Testing

@testable import DAOMacrosPlugin

/// The line of the description that a property becomes.
private func description(of property: String) -> String? {
  let file = Parser.parse(source: "@Entity struct Zone { @ID var id: Int64?\n \(property) }")
  let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  let text = file.expand(macroSpecs: macros, contextGenerator: { _ in context }).description
  let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("DAOCriteria.Attribute(") }
  return lines.count == 2 ? lines[1].dropLast().description : nil
}

@Suite("What @Entity writes for one property")
struct AttributeExpansionTests {
  @Test(arguments: [
    ("Int", ".integer"), ("Int8", ".integer"), ("Int16", ".integer"), ("Int32", ".integer"), ("Int64", ".integer"), ("UInt", ".integer"),
    ("UInt8", ".integer"), ("UInt16", ".integer"), ("UInt32", ".integer"), ("UInt64", ".integer"), ("Double", ".real"), ("Float", ".real"),
    ("Bool", ".bool"), ("String", ".text"), ("URL", ".text"), ("Data", ".data"), ("UUID", ".uuid(.blob)"), ("Date", ".date(.iso8601)"),
    ("Decimal", ".decimal(.text)"), ("[UInt8]", ".json"), ("[String: Int]", ".json"), ("Array<Int>", ".json"),
    ("Dictionary<String, Int>", ".json"),
    ("Swift.Int", ".integer"), ("Foundation.Date", ".date(.iso8601)"), ("(Int)", ".integer"),
  ])
  func `a standard type is known by its name, optional or not`(_ type: String, _ expected: String) {
    #expect(description(of: "var x: \(type)") == "DAOCriteria.Attribute(\"x\", \(expected))")
    let optionals = ["\(type)?", "\(type)!", "Optional<\(type)>", "Swift.Optional<\(type)>"]
    for optional in TestCases.areAll ? optionals : [optionals[type.utf8.count % 4]] {
      #expect(description(of: "var x: \(optional)") == "DAOCriteria.Attribute(\"x\", \(expected), optional: true)")
    }
  }

  @Test func `another type says at run time what it is`() {
    #expect(description(of: "var x: Kind") == "DAOCriteria.Attribute(\"x\", .of(Kind.self), optional: AttributeType.isOptional(Kind.self))")
    #expect(description(of: "var x: Outer.Kind?") == "DAOCriteria.Attribute(\"x\", .of(Outer.Kind.self), optional: true)")
    #expect(
      description(of: "var x: Outer.Date")
        == "DAOCriteria.Attribute(\"x\", .of(Outer.Date.self), optional: AttributeType.isOptional(Outer.Date.self))")
  }

  @Test(arguments: [
    ("[Kind]", ".of(Kind.self)"), ("Array<Kind?>?", ".of(Kind.self)"), ("[String: Outer.Kind]", ".of(Outer.Kind.self)"),
    ("[Kind: [[Int: Value]]]!", ".of(Kind.self), .of(Value.self)"), ("Swift.Dictionary<Int, [(Own<Int>)]>", ".of(Own<Int>.self)"),
    ("[(Int, Int)]", ".of((Int, Int).self)"), ("[() -> Int]", ".of((() -> Int).self)"), ("[any Kind]", ".of((any Kind).self)"),
  ])
  func `an array or dictionary names the types that it holds`(_ type: String, _ held: String) {
    let optional = type.hasSuffix("?") || type.hasSuffix("!") ? ", optional: true" : ""
    #expect(description(of: "var x: \(type)") == "DAOCriteria.Attribute(\"x\", .json(of: \(held))\(optional))")
  }

  @Test(arguments: [
    ("Date", ".iso8601", ".date(.iso8601)"), ("Date?", ".unixSeconds", ".date(.unixSeconds)"),
    ("Date", ".unixMilliseconds", ".date(.unixMilliseconds)"), ("Decimal", ".scaled(2)", ".decimal(.scaled(2))"),
    ("Decimal", ".numeric(4)", ".decimal(.numeric(4))"), ("Decimal?", ".real(2)", ".decimal(.real(2))"),
    ("Decimal?", ".decimalText", ".decimal(.text)"), ("UUID", ".uuidText", ".uuid(.text)"),
    ("UUID", ".uuidSpelled([.capitals])", ".uuid(.spelled([.capitals]))"),
    ("Bool?", #".boolText("Y/N")"#, #".boolText(DAOCriteria.BoolText("Y/N"))"#), ("UUID?", ".uuidBlob", ".uuid(.blob)"),
    ("String", ".text(.nocase)", ".text(.nocase)"), ("URL?", ".text(.rtrim)", ".text(.rtrim)"),
    ("Instant?", "AttributeOption.unixSeconds", ".date(.unixSeconds)"), ("Date", ".julianDays", ".date(.julianDays)"),
    ("Date", ".unixMicroseconds", ".date(.unixMicroseconds)"), ("Date", ".unixNanoseconds", ".date(.unixNanoseconds)"),
    ("Date", ".secondsSince2001", ".date(.secondsSince2001)"), ("Date", ".unixSecondsText", ".date(.unixSecondsText)"),
    ("Date", ".unixMillisecondsText", ".date(.unixMillisecondsText)"),
    ("Date?", #".dateText("YYYY-MM-DD")"#, #".date(.text(DAOCriteria.DatePattern("YYYY-MM-DD")))"#),
    ("Date", #".dateText("HH:MM", zone: "UTC")"#, #".date(.text(DAOCriteria.DatePattern("HH:MM", zone: "UTC")))"#),
  ])
  func `a stored form is taken from the options`(_ type: String, _ option: String, _ expected: String) {
    let optional = type.hasSuffix("?") ? ", optional: true" : ""
    #expect(description(of: "@Attribute(\(option)) var x: \(type)") == "DAOCriteria.Attribute(\"x\", \(expected)\(optional))")
  }

  @Test(arguments: [
    ("Int", "0", "0"), ("Int", "-1", "-1"), ("UInt8", "0xFF", "0xFF"), ("Int?", "7", "7"), ("Double", "0", "0"), ("Float", "-0.5", "-0.5"),
    ("Bool", "true", "true"), ("String", "\"a\"", "\"a\""), ("String", "#\"a\"b\"#", "#\"a\"b\"#"), ("Decimal", "1", "1"),
    ("Decimal", "1.5", ".decimal(1.5)"), ("[Int]", "[]", "\"[]\""), ("[String: Int]", "[:]", "\"{}\""),
    ("String", "\"\"\"\n  two\n  lines\n  \"\"\"", "\"two\\nlines\""),
  ])
  func `a literal becomes the default`(_ type: String, _ value: String, _ expected: String) throws {
    let text = try #require(description(of: "var x: \(type) = \(value)"))
    #expect(text.hasSuffix(", default: \(expected))"))
  }

  @Test(arguments: [
    ("Int?", "nil"), ("Int", "1 + 1"), ("Int", ".max"), ("Date", "Date()"), ("Kind", ".land"), ("Seconds", "3"), ("[Int]", "[1]"),
    ("String", "\"\\(x)\""), ("Int", "~1"),
  ])
  func `any other value is Swift's alone`(_ type: String, _ value: String) throws {
    let text = try #require(description(of: "var x: \(type) = \(value)"))
    #expect(!text.contains("default"))
  }

  @Test func `references are passed on`() {
    #expect(
      description(of: "@Attribute(.references(\"a\", \"b\")) var x: Int")
        == "DAOCriteria.Attribute(\"x\", .integer, references: .init(table: \"a\", column: \"b\"))")
    #expect(
      description(of: "@Attribute(.references(Names.table, \"b\", onDelete: .nullify)) var x: Int?")
        == "DAOCriteria.Attribute(\"x\", .integer, optional: true, "
        + "references: .init(table: Names.table, column: \"b\", onDelete: .nullify))")
  }

  @Test func `searchable is passed on`() {
    #expect(description(of: "@Attribute(.searchable) var x: String") == "DAOCriteria.Attribute(\"x\", .text, searchable: true)")
    #expect(
      description(of: "@Attribute(.searchable, .renamedFrom(\"a\")) var x: URL?")
        == "DAOCriteria.Attribute(\"x\", .text, optional: true, searchable: true, renamedFrom: [\"a\"])")
  }

  @Test func `mappings of records are passed on`() {
    #expect(
      description(of: "@Attribute(.mapped([\"a\", \"b.c\"])) var x: Int")
        == "DAOCriteria.Attribute(\"x\", .integer, mapping: [\"a\", \"b.c\"])")
    #expect(
      description(of: "@Attribute(.renamedFrom(\"y\"), .mapped(.excluded)) var x: Int")
        == "DAOCriteria.Attribute(\"x\", .integer, renamedFrom: [\"y\"], mapping: .excluded)")
    let source = """
      @Entity struct Zone {
        @ID var id: Int64?
        @Attribute(.identity) var name: String
        @Attribute(.identity, .unique) var year: Int
        @ToOne(onDelete: .cascade, mapping: "land") var country: Reference<Country>
        @ToMany(\\Use.zone, renamedFrom: ["u"], mapping: RelationshipMapping(many: .replace)) var uses: Many<Use> = Many()
        @ManyToMany(by: \\Pair.a, to: \\Pair.b, mapping: .excluded) var others: Many<Zone> = Many()
      }
      """
    let text = Parser.parse(source: source).expand(macroSpecs: macros) { _ in BasicMacroExpansionContext() }.description
    for part in [
      "],\n    identity: [\"name\", \"year\"])", "by: \"country\", onDelete: .cascade, mapping: \"land\")",
      "by: \"zone\", renamedFrom: [\"u\"], mapping: RelationshipMapping(many: .replace))", "to: \"b\", mapping: .excluded)",
    ] {
      #expect(text.contains(part), "\(part) is not in \(text)")
    }
  }

  @Test func `former names are passed on`() {
    #expect(
      description(of: "@Attribute(.renamedFrom(\"a\"), .renamedFrom(Names.b)) var x: Int")
        == "DAOCriteria.Attribute(\"x\", .integer, renamedFrom: [\"a\", Names.b])")
    let file = Parser.parse(source: "@Entity(renamedFrom: [\"place\"]) struct Zone { @ID var id: Int64? }")
    let text = file.expand(macroSpecs: macros) { _ in BasicMacroExpansionContext() }.description
    #expect(text.contains("],\n    renamedFrom: [\"place\"])"), "\(text)")
  }

  @Test(arguments: [
    ("Zone", "zone"), ("ZoneCountry", "zoneCountry"), ("URLEntry", "urlEntry"), ("URL", "url"), ("X", "x"), ("UTF8Text", "utf8Text"),
    ("zone", "zone"), ("_Zone", "_Zone"), ("ÉtatCivil", "étatCivil"), ("ABc", "aBc"),
  ])
  func `an entity is named like its type`(_ type: String, _ name: String) {
    #expect(type.asEntityName == name)
  }

  @Test(
    arguments: [
      ("nmae", "name"), ("Name", "name"), ("contry", "country"), ("x", "y"), ("offset", nil), ("", nil),
    ] as [(String, String?)])
  func `the nearest name is a near one`(_ wrong: String, _ nearest: String?) {
    #expect(nearestName(to: wrong, among: ["name", "country", "comment"] + (wrong == "x" ? ["y"] : [])) == nearest)
  }
}
