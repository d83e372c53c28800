import SwiftSyntaxMacroExpansion
import Testing

@testable import DAOMacrosPlugin

@Suite("What @Entity writes of a version")
struct VersionExpansionTests {
  @Test func `it is described, and counts on`() {
    expectExpansion(
      """
      @Entity
      public struct Account {
        @ID public var id: Int64?
        @Attribute(.version, .column("row_version")) public var version: Int = 0
      }
      """,
      """
      public struct Account {
        public var id: Int64?
        public var version: Int = 0
      }

      extension Account: Entity {
        public static let entityDescription = EntityDescription(
          "account", key: .generated("id"),
          attributes: [
            DAOCriteria.Attribute("id", .integer),
            DAOCriteria.Attribute("version", .integer, column: "row_version", default: 0, version: true),
          ])

        public struct Fields: EntityFields {
          let path: FieldPath
          public init(path: FieldPath) { self.path = path }
          public var id: DAOCriteria.Field<Int64> { path.field("id") }
          public var version: DAOCriteria.Field<Int> { path.field("version") }
        }

        public typealias PrimaryKey = Int64

        public var primaryKey: PrimaryKey? { id }

        public init(row: inout RowReader) throws {
          try self.init(id: row.next(), version: row.next())
        }

        public func write(to row: inout ColumnWriter) throws {
          try row.write(id)
          try row.write(version)
        }

        public mutating func setGeneratedKey(_ key: Int64) { id = key }

        public mutating func raiseVersion() { version = version.nextVersion }
      }
      """)
  }

  @Test(arguments: [
    ("@Attribute(.version) var x: Int?", "a version is an Int or an Int64; 'x' is Int?"),
    ("@Attribute(.version) var x: Int32", "a version is an Int or an Int64; 'x' is Int32"),
    ("@Attribute(.version) var x: Stamp", "a version is an Int or an Int64; 'x' is Stamp"),
    ("@Attribute(.version) let x: Int", "a version changes with its row; 'x' is a constant"),
  ])
  func `what can't be one is a problem`(_ property: String, _ message: String) {
    expectProblem(
      "@Entity struct Zone { @ID var id: Int64?; \(property) }", at: ".version", message, fix: "remove '.version'",
      fixed: "@Entity struct Zone { @ID var id: Int64?; \(property.replacing("@Attribute(.version) ", with: "")) }")
  }

  @Test func `a key is none`() {
    expectProblem(
      "@Entity struct Zone { @ID @Attribute(.version) var id: Int64 }", at: ".version",
      "a key stays the same; a version changes with its row",
      fix: "remove '.version'", fixed: "@Entity struct Zone { @ID var id: Int64 }")
  }

  @Test func `an entity has one`() {
    let found = reports(
      of: "@Entity struct Zone { @ID var id: Int64?; @Attribute(.version) var a: Int; @Attribute(.version) var b: Int }")
    #expect(found.count == 1 && found.first.map { "\($0)" }?.contains("an entity has one version; 'b' is another") == true, "\(found)")
  }
}
