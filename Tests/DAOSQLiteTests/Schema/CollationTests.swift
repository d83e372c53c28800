import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("Columns with a collation of their own")
struct CollationTests {
  private let entity = EntityDescription(
    "zone", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("comment", .text, optional: true)])

  @Test func `a collation of an app's own makes no index and no type of its column, whatever it is called`() throws {
    let queue = try DatabaseQueue()
    let schema = try queue.write { db in
      db.add(collation: DatabaseCollation("printed") { $0.compare($1) })
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a TEXT COLLATE printed UNIQUE, b "TEXT COLLATE NOCASE" UNIQUE,
            c TEXT COLLATE nocase UNIQUE, up VARCHAR(9) COLLATE printed REFERENCES t (a))
          """)
      return try StoreSchema(reading: db)
    }
    let description = try #require(schema.description(of: "t"))
    #expect(description.types == [.integer, .text, .text, .text(.nocase), .text])
    #expect(description.relationships == [])
    #expect(Set(description.indexes.map(\.attributes)) == [["b"], ["c"]])
  }

  @Test func `a column that folds case is a difference, named with its entity`() throws {
    let queue = try DatabaseQueue()
    let schema = try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE zone (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, comment TEXT COLLATE BINARY)")
      return try StoreSchema(reading: db)
    }
    #expect(schema["zone"]?["name"]?.collation == "NOCASE" && schema["zone"]?["comment"]?.collation == "BINARY")
    #expect(
      schema.differences(from: [entity]) == [
        SchemaDifference(
          entity: "zone", element: "name", expected: "the collation BINARY", found: "the collation NOCASE",
          advice: "declare it as a String with .text(.nocase)")
      ])
  }
}
