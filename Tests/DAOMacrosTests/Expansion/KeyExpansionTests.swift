import SwiftSyntaxMacroExpansion
import Testing

@testable import DAOMacrosPlugin

@Suite("What @Entity writes of entities and their keys")
struct KeyExpansionTests {
  // The example of the documentation.
  @Test func `an entity with a generated key`() {
    expectExpansion(
      """
      @Entity(indexes: [Index(on: "countryCode", "name", unique: true)])
      struct Zone {
        @ID var id: Int64?
        @Attribute(.unique) var name: String
        @Attribute(.references("country", "code", onDelete: .cascade)) var countryCode: String
        @Attribute(.column("created_at"), .unixMilliseconds) var created: Date
        var standardOffset: Int = 0
        var comment: String?
        @Transient var isSelected: Bool = false
      }
      """,
      """
      struct Zone {
        var id: Int64?
        var name: String
        var countryCode: String
        var created: Date
        var standardOffset: Int = 0
        var comment: String?
        var isSelected: Bool = false
      }

      extension Zone: Entity {
        static let entityDescription = EntityDescription(
          "zone", key: .generated("id"),
          attributes: [
            DAOCriteria.Attribute("id", .integer),
            DAOCriteria.Attribute("name", .text),
            DAOCriteria.Attribute("countryCode", .text, references: .init(table: "country", column: "code", onDelete: .cascade)),
            DAOCriteria.Attribute("created", .date(.unixMilliseconds), column: "created_at"),
            DAOCriteria.Attribute("standardOffset", .integer, default: 0),
            DAOCriteria.Attribute("comment", .text, optional: true),
          ],
          indexes: [
            .init(on: "name", unique: true),
            .init(on: "countryCode", "name", unique: true),
          ])

        struct Fields: EntityFields {
          let path: FieldPath
          init(path: FieldPath) { self.path = path }
          var id: DAOCriteria.Field<Int64> { path.field("id") }
          var name: DAOCriteria.Field<String> { path.field("name") }
          var countryCode: DAOCriteria.Field<String> { path.field("countryCode") }
          var created: DAOCriteria.Field<Date> { path.field("created") }
          var standardOffset: DAOCriteria.Field<Int> { path.field("standardOffset") }
          var comment: DAOCriteria.Field<String?> { path.field("comment") }
        }

        typealias PrimaryKey = Int64

        var primaryKey: PrimaryKey? { id }

        init(row: inout RowReader) throws {
          try self.init(id: row.next(), name: row.next(), countryCode: row.next(), \
      created: row.next(), standardOffset: row.next(), comment: row.next())
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(id)
          try row.write(name)
          try row.write(countryCode)
          try row.write(created)
          try row.write(standardOffset)
          try row.write(comment)
        }

        mutating func setGeneratedKey(_ key: Int64) { id = key }
      }
      """)
  }

  @Test func `a public entity with a key of its own`() {
    expectExpansion(
      """
      @Entity(indexes: [])
      public struct Country: Hashable {
        @ID public var code: String
        @Attribute(.indexed) public internal(set) var name: String
        var notes: String?
        private var visits: Int = 0
        package let area: Double
      }
      """,
      """
      public struct Country: Hashable {
        public var code: String
        public internal(set) var name: String
        var notes: String?
        private var visits: Int = 0
        package let area: Double
      }

      extension Country: Entity {
        public static let entityDescription = EntityDescription(
          "country", key: .assigned(["code"]),
          attributes: [
            DAOCriteria.Attribute("code", .text),
            DAOCriteria.Attribute("name", .text),
            DAOCriteria.Attribute("notes", .text, optional: true),
            DAOCriteria.Attribute("visits", .integer, default: 0),
            DAOCriteria.Attribute("area", .real),
          ],
          indexes: [.init(on: "name")])

        public struct Fields: EntityFields {
          let path: FieldPath
          public init(path: FieldPath) { self.path = path }
          public var code: DAOCriteria.Field<String> { path.field("code") }
          public var name: DAOCriteria.Field<String> { path.field("name") }
          var notes: DAOCriteria.Field<String?> { path.field("notes") }
          fileprivate var visits: DAOCriteria.Field<Int> { path.field("visits") }
          package var area: DAOCriteria.Field<Double> { path.field("area") }
        }

        public typealias PrimaryKey = String

        public var primaryKey: PrimaryKey? { code }

        public init(row: inout RowReader) throws {
          try self.init(code: row.next(), name: row.next(), notes: row.next(), visits: row.next(), area: row.next())
        }

        public func write(to row: inout ColumnWriter) throws {
          try row.write(code)
          try row.write(name)
          try row.write(notes)
          try row.write(visits)
          try row.write(area)
        }
      }
      """)
  }

  @Test func `an entity with a composite key`() {
    expectExpansion(
      """
      @Entity
      struct Transition {
        @ID var zone: Int64
        @ID @Attribute(.unixSeconds) var instant: Date
        var offset: Int
      }
      """,
      """
      struct Transition {
        var zone: Int64
        var instant: Date
        var offset: Int
      }

      extension Transition: Entity {
        static let entityDescription = EntityDescription(
          "transition", key: .assigned(["zone", "instant"]),
          attributes: [
            DAOCriteria.Attribute("zone", .integer),
            DAOCriteria.Attribute("instant", .date(.unixSeconds)),
            DAOCriteria.Attribute("offset", .integer),
          ])

        struct Fields: EntityFields {
          let path: FieldPath
          init(path: FieldPath) { self.path = path }
          var zone: DAOCriteria.Field<Int64> { path.field("zone") }
          var instant: DAOCriteria.Field<Date> { path.field("instant") }
          var offset: DAOCriteria.Field<Int> { path.field("offset") }
        }

        struct PrimaryKey: EntityKey {
          var zone: Int64
          var instant: Date

          init(zone: Int64, instant: Date) {
            self.zone = zone
            self.instant = instant
          }

          init(row: inout RowReader) throws {
            try self.init(zone: row.next(), instant: row.next())
          }

          func write(to row: inout ColumnWriter) throws {
            try row.write(zone)
            try row.write(instant)
          }
        }

        var primaryKey: PrimaryKey? { PrimaryKey(zone: zone, instant: instant) }

        init(row: inout RowReader) throws {
          try self.init(zone: row.next(), instant: row.next(), offset: row.next())
        }

        func write(to row: inout ColumnWriter) throws {
          try row.write(zone)
          try row.write(instant)
          try row.write(offset)
        }
      }
      """)
  }
}
