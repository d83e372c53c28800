import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

@Suite("Migration: generated columns")
struct GeneratedColumnMigrationTests {
  private static let table = """
    CREATE TABLE line (
      id INTEGER PRIMARY KEY NOT NULL, price INTEGER NOT NULL, note TEXT NOT NULL, twice INTEGER NOT NULL AS (price * 2) STORED,
      label TEXT AS (note || '!'));
    CREATE TABLE shelf (code TEXT NOT NULL PRIMARY KEY);
    INSERT INTO line (id, price, note) VALUES (1, 3, 'a')
    """

  private static func line(
    _ attributes: Attribute..., price: AttributeType = .integer, noteIsOptional: Bool = false, indexes: [Index] = []
  ) -> EntityDescription {
    EntityDescription(
      "line", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("price", price), Attribute("note", .text, optional: noteIsOptional)] + attributes,
      indexes: indexes)
  }

  private static let twice = Attribute("twice", .integer, generated: true)

  @Test func `they stay as they are, also where their table is made anew`() throws {
    let store = try Migrated(Self.table)
    let entity = Self.line(Self.twice, Attribute("label", .text, optional: true, generated: true), noteIsOptional: true)
    #expect(try store.steps([entity]) == ["line: note may be null"])
    #expect(try store.rows("SELECT twice, label FROM line") == ["6 'a!'"])
    #expect(try store.schema().differences(from: [entity]).isEmpty)
    let sql = try store.rows("SELECT sql FROM sqlite_schema WHERE name = 'line'").joined()
    #expect(sql.contains("AS (price * 2) STORED") && sql.contains("AS (note || ''!'')"), "\(sql)")
  }

  @Test func `one has another name, and an index`() throws {
    let store = try Migrated(Self.table)
    let double = Attribute("double", .integer, generated: true, renamedFrom: ["twice"])
    let entity = Self.line(double, indexes: [Index(on: "double")])
    #expect(try store.steps([entity]) == ["line: rename twice to double", "line: index on double"])
    #expect(try store.rows("SELECT double FROM line") == ["6"])
  }

  @Test func `what would need the expression is a problem with a name`() throws {
    let store = try Migrated(Self.table)
    func problems(_ attribute: Attribute) throws -> [String] {
      let problems = try store.problems([Self.line(attribute)])
      #expect(problems.allSatisfy { $0.hints == ["steps: [.before(version, \"…\") { store in … }]"] })
      return problems.map { "\($0.element): \($0.message)" }
    }
    let start = "the attribute is generated, by an expression that the entity does not have, and the store has "
    #expect(try problems(Attribute("more", .integer, generated: true)) == ["more: \(start)no such column"])
    #expect(try problems(Attribute("twice", .decimal(.text), generated: true)) == ["twice: \(start)the type INTEGER"])
    #expect(try problems(Attribute("twice", .integer, optional: true, generated: true)) == ["twice: \(start)NOT NULL"])
    #expect(try problems(Attribute("label", .text(.nocase), optional: true, generated: true)) == ["label: \(start)the collation BINARY"])
    let ordinary = EntityDescription(
      "line", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("price", .integer), Attribute("note", .text, generated: true)])
    #expect(try store.problems([ordinary]).map(\.message) == ["\(start)a column that can be written"])
    let other = EntityDescription(
      "other", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("n", .integer, generated: true)])
    #expect(
      try store.problems([other]).map(\.message)
        == ["the store has no table other, which can't be made: the entity does not have the expression of n, which is generated"])
  }

  @Test func `one that an entity has as an ordinary attribute is made one`() throws {
    let store = try Migrated(Self.table)
    let entity = Self.line(Attribute("twice", .integer))
    #expect(try store.migrate([entity])?.steps.map(\.change) == [.makeWritable("twice")])
    #expect(try store.rows("SELECT twice FROM line") == ["6"])
  }

  @Test func `a store with them is packed, and examined`() throws {
    let scratch = try Scratch()
    let (source, seed) = (scratch.url("source.sqlite"), scratch.url("seed.sqlite"))
    try database(source, Self.table)
    let entity = Self.line(Self.twice, Attribute("label", .text, optional: true, generated: true))
    try SeedPacker(describedBy: [entity]).pack(source, to: seed)
    let queue = try DatabaseQueue(path: seed.path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT twice FROM line") } == 6)
    try queue.close()
    #expect(try examined(source, StoreDoctor(describedBy: [entity])).findings.isEmpty)
    // Its values are examined, and nothing would write others.
    let wrong = Self.line(Self.twice, Attribute("label", .boolText("Y/N"), optional: true, generated: true))
    let finding = try #require(try examined(source, StoreDoctor(describedBy: [wrong])).finding(.unreadableValue))
    #expect(finding.attribute == "label" && finding.repair.sql.isEmpty)
    #expect(finding.repair.sentence == "change the column's expression, the values that it is computed of, or the attribute's type")
  }
}
