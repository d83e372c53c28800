import DAOKit
import Foundation
import GRDB
import Testing

@Suite("Search tables of tables whose names differ in case")
struct SearchTableNameTests {
  private static func entity(_ table: String, _ column: String) -> EntityDescription {
    EntityDescription(
      "note", table: table, key: .generated("id"),
      attributes: [Attribute("id", .integer, column: "ID"), Attribute("title", .text, column: column, searchable: true)])
  }

  @Test(arguments: [("Note", "Title", "note", "title"), ("note", "title", "NOTE", "TITLE"), ("\u{C4}x", "T\u{E9}", "\u{C4}X", "t\u{E9}")])
  func `a table that others made is searched under its entity's spelling, and stays so`(
    _ table: String, _ column: String, _ own: String, _ ownColumn: String
  ) throws {
    let folder = try StoreFolder()
    let url = folder.file("store")
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE \(table.quotedIdentifier) (id INTEGER PRIMARY KEY NOT NULL, \(column.quotedIdentifier) TEXT NOT NULL)")
      try db.execute(sql: "INSERT INTO \(table.quotedIdentifier) VALUES (1, 'red apple'), (2, 'green pear')")
    }
    try queue.close()
    let entity = Self.entity(own, ownColumn)
    for round in 0..<3 {
      // Made by a migration at the first start; found again by the others.
      let engine = try StoreDescription.file(url, migration: round == 0 ? Migration([]) : nil).open([entity]).engine
      let store = EngineStore(engine)
      _ = try store.insert([DynamicEntity(entity, ["title": .text("apple \(round)")])], in: EntityTarget(entity))
      var criteria = Criteria()
      criteria.filter = SearchCriteria<DynamicEntity>.where(.match(.all("apple"))).criteria.filter
      #expect(try store.count(in: EntityTarget(entity), criteria) == 2 + round)
      let report = try StoreDoctor(describedBy: [entity]).examine(engine)
      #expect(report.isHealthy, "\(report)")
      // Read from the schema too.
      let found = try DAOFactory(over: store).runtimeDAO(table)
      #expect(found.entity.searchableAttributes.count == 1)
      #expect(try found.count(.where(.match(.all("apple")))) == 2 + round)
    }
  }
}
