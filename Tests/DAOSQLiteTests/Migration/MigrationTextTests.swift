import DAOCriteria
import DAOSQL
import Testing

@testable import DAOSQLite

@Suite("Migration: texts with a form of their own")
struct MigrationTextTests {
  private func zone(_ attributes: Attribute...) -> EntityDescription {
    EntityDescription("zone", key: .generated("id"), attributes: [Attribute("id", .integer)] + attributes)
  }

  @Test func `gives a column a collation and takes it away, unless rows would have one key`() throws {
    let sql = """
      CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL CHECK (name <> '') UNIQUE, note TEXT COLLATE NOCASE);
      CREATE INDEX zone_note ON zone (note);
      INSERT INTO zone VALUES (1, 'Ulm', 'a'), (2, 'ulm ', 'A')
      """
    let store = try Migrated(sql)
    let entity = zone(Attribute("name", .text(.nocase)), Attribute("note", .text(.rtrim), optional: true))
    let report = try #require(try store.migrate([entity]))
    #expect(
      report.steps.map { "\($0)" } == [
        "zone: compare name by NOCASE, not by its bytes", "zone: compare note by RTRIM, not by NOCASE",
      ])
    #expect(try store.migrate([entity]) == nil)
    #expect(try store.rows("SELECT * FROM zone WHERE name = 'ULM'") == ["1 'Ulm' 'a'"])
    #expect(try store.rows("SELECT id FROM zone WHERE note = 'a  '") == ["1"])
    let plain = zone(Attribute("name", .text), Attribute("note", .text, optional: true))
    #expect(try store.migrate([plain])?.steps.map { "\($0)" }.first == "zone: compare name by its bytes, not by NOCASE")
    #expect(try store.rows("SELECT sql FROM sqlite_schema WHERE name = 'zone'").first?.contains("COLLATE") == false)
    #expect(try store.rows("SELECT * FROM zone") == ["1 'Ulm' 'a'", "2 'ulm ' 'A'"])
    let other = try Migrated(sql + "; INSERT INTO zone VALUES (3, 'ULM', 'x')")
    #expect(throws: DAOError.self) { try other.migrate([entity]) }
    #expect(try other.rows("SELECT name FROM zone ORDER BY id") == ["'Ulm'", "'ulm '", "'ULM'"])
    // A hint's conversion is part of it.
    let hint = Migration(.convert("zone", "name") { $0 == .text("ULM") ? .text("Neu-Ulm") : try AttributeType.text.scalar($0) })
    #expect(try other.migrate([entity], hint) != nil)
    #expect(try other.rows("SELECT name FROM zone ORDER BY id") == ["'Ulm'", "'ulm '", "'Neu-Ulm'"])
    #expect(try other.migrate([entity], hint) == nil)
  }

  @Test func `padded texts and words become others as they are read`() throws {
    let store = try Migrated(
      """
      CREATE TABLE zone (
        id INTEGER PRIMARY KEY NOT NULL, name TEXT_PADDED(4) NOT NULL, note TEXT_PADDED(4), open "BOOLEAN_TEXT Y/N" NOT NULL);
      INSERT INTO zone VALUES (1, 'ab  ', 'c   ', 'n'), (2, '    ', NULL, 'Y')
      """)
    let entity = zone(Attribute("name", .text), Attribute("note", .text(.nocase), optional: true), Attribute("open", .bool))
    #expect(try store.migrate([entity]) != nil)
    #expect(try store.rows("SELECT * FROM zone") == ["1 'ab' 'c' 0", "2 '' NULL 1"])
    #expect(try store.migrate([entity]) == nil)
  }

  @Test func `adds an attribute with a collation`() throws {
    let store = try Migrated("CREATE TABLE zone (id INTEGER PRIMARY KEY NOT NULL); INSERT INTO zone VALUES (1)")
    let entity = zone(Attribute("name", .text(.nocase), default: "Ulm"))
    #expect(try store.migrate([entity]) != nil)
    #expect(try store.rows("SELECT id FROM zone WHERE name = 'ULM'") == ["1"])
    #expect(try store.migrate([entity]) == nil)
  }
}
