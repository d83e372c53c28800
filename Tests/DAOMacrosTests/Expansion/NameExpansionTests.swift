import SwiftSyntaxMacroExpansion
import Testing

@testable import DAOMacrosPlugin

@Suite("What @Entity writes of names and conformances")
struct NameExpansionTests {
  // An extension at the top of the file would not find `Code` if it is declared in `Reports`.
  @Test func `a nested view`() {
    expectExpansion(
      """
      enum Reports {
        @Entity("use", table: "usage", source: .view(definition: "SELECT 1"))
        fileprivate struct Usage {
          @ID let code: Code
        }
      }
      """,
      """
      enum Reports {
        fileprivate struct Usage {
          let code: Code

          static let entityDescription = EntityDescription(
            "use", table: "usage", source: .view(definition: "SELECT 1"), key: .assigned(["code"]),
            attributes: [
              DAOCriteria.Attribute("code", .of(Code.self)),
            ])

          struct Fields: EntityFields {
            let path: FieldPath
            init(path: FieldPath) { self.path = path }
            var code: DAOCriteria.Field<Code> { path.field("code") }
          }

          typealias PrimaryKey = Code
        }
      }

      extension Reports.Usage: Entity {
        var primaryKey: PrimaryKey? { code }

        init(row: inout RowReader) throws {
          try self.init(code: row.next())
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(code)
        }
      }
      """)
  }

  @Test func `names that stand in each other's way`() {
    expectExpansion(
      """
      @Entity
      struct Field {
        @ID var key: Int64?
        var path: String
        var row: Int, `self`: Int
        var `default`: Int
        struct Attribute {}
        typealias RowReader = DAOCriteria.RowReader
      }
      """,
      """
      struct Field {
        var key: Int64?
        var path: String
        var row: Int, `self`: Int
        var `default`: Int
        struct Attribute {}
        typealias RowReader = DAOCriteria.RowReader
      }

      extension Field: Entity {
        static let entityDescription = EntityDescription(
          "field", key: .generated("key"),
          attributes: [
            DAOCriteria.Attribute("key", .integer),
            DAOCriteria.Attribute("path", .text),
            DAOCriteria.Attribute("row", .integer),
            DAOCriteria.Attribute("self", .integer),
            DAOCriteria.Attribute("default", .integer),
          ])

        struct Fields: EntityFields {
          let _path: FieldPath
          init(path: FieldPath) { _path = path }
          var key: DAOCriteria.Field<Int64> { _path.field("key") }
          var path: DAOCriteria.Field<String> { _path.field("path") }
          var row: DAOCriteria.Field<Int> { _path.field("row") }
          var `self`: DAOCriteria.Field<Int> { _path.field("self") }
          var `default`: DAOCriteria.Field<Int> { _path.field("default") }
        }

        typealias PrimaryKey = Int64

        var primaryKey: PrimaryKey? { key }

        init(row: inout DAOCriteria.RowReader) throws {
          try self.init(key: row.next(), path: row.next(), row: row.next(), self: row.next(), default: row.next())
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(key)
          try row.write(path)
          try row.write(self.row)
          try row.write(self.`self`)
          try row.write(`default`)
        }

        mutating func setGeneratedKey(_ key: Int64) { self.key = key }
      }
      """)
  }

  @Test func `a conformance that the struct names is not repeated`() {
    var macros = macros
    macros["Entity"] = MacroSpec(type: EntityMacro.self)
    expectExpansion(
      """
      @Entity
      struct Zone: Entity {
        @ID var id: UUID
      }
      """,
      """
      struct Zone: Entity {
        var id: UUID
      }

      extension Zone {
        static let entityDescription = EntityDescription(
          "zone", key: .assigned(["id"]),
          attributes: [
            DAOCriteria.Attribute("id", .uuid(.blob)),
          ])

        struct Fields: EntityFields {
          let path: FieldPath
          init(path: FieldPath) { self.path = path }
          var id: DAOCriteria.Field<UUID> { path.field("id") }
        }

        typealias PrimaryKey = UUID

        var primaryKey: PrimaryKey? { id }

        init(row: inout RowReader) throws {
          try self.init(id: row.next())
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(id)
        }
      }
      """,
      macros: macros)
  }
}
