import SwiftSyntaxMacroExpansion
import Testing

@testable import DAOMacrosPlugin

@Suite("What @Entity writes of a generated attribute")
struct GeneratedExpansionTests {
  @Test func `it is described without a default, and written like any other`() {
    expectExpansion(
      """
      @Entity
      struct Item {
        @ID var code: String
        @Attribute(.generated, .column("sum")) var total: Double = 0
      }
      """,
      """
      struct Item {
        var code: String
        var total: Double = 0
      }

      extension Item: Entity {
        static let entityDescription = EntityDescription(
          "item", key: .assigned(["code"]),
          attributes: [
            DAOCriteria.Attribute("code", .text),
            DAOCriteria.Attribute("total", .real, column: "sum", generated: true),
          ])

        struct Fields: EntityFields {
          let path: FieldPath
          init(path: FieldPath) { self.path = path }
          var code: DAOCriteria.Field<String> { path.field("code") }
          var total: DAOCriteria.Field<Double> { path.field("total") }
        }

        typealias PrimaryKey = String

        var primaryKey: PrimaryKey? { code }

        init(row: inout RowReader) throws {
          try self.init(code: row.next(), total: row.next())
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(code)
          try row.write(total)
        }
      }
      """)
  }
}
