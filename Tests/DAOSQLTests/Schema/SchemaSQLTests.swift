import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import Testing

/// The SQL that descriptions become.
@Suite struct SchemaSQLTests {
  @Test func `a table has its key, its rules and its indexes`() throws {
    let zone = EntityDescription(
      "zone", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("name", .text), Attribute("offset", .integer, column: "standard_offset", default: -3600),
        Attribute("country", .text, optional: true, references: ForeignKey(table: "country", column: "code", onDelete: .nullify)),
      ],
      indexes: [
        Index(on: "name", unique: true), Index(on: "country", "offset"),
        Index(on: "offset", "name", descending: ["name"], unique: true),
      ])
    #expect(
      try SchemaSQL.statements(for: [zone]) == [
        #"CREATE TABLE "zone" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT NOT NULL, "standard_offset" INTEGER NOT NULL DEFAULT -3600, "#
          + #""country" TEXT REFERENCES "country" ("code") ON DELETE SET NULL)"#,
        #"CREATE UNIQUE INDEX "zone_on_name" ON "zone" ("name")"#,
        #"CREATE INDEX "zone_on_country_standard_offset" ON "zone" ("country", "standard_offset")"#,
        #"CREATE UNIQUE INDEX "zone_on_standard_offset_name" ON "zone" ("standard_offset", "name" DESC)"#,
      ])
  }

  @Test func `composite keys stand at the table and views come last`() throws {
    let busy = EntityDescription(
      "busy", source: .view(definition: "SELECT a FROM pair"), key: .assigned(["a"]), attributes: [Attribute("a", .any)])
    let pair = EntityDescription(
      "pair", key: .assigned(["b", "a"]), attributes: [Attribute("a", .uuid(.blob)), Attribute("b", .any)], indexes: [Index(on: "b")])
    #expect(
      try SchemaSQL.statements(for: [busy, pair]) == [
        #"CREATE TABLE "pair" ("a" UUID_BLOB NOT NULL, "b" NOT NULL, PRIMARY KEY ("b", "a"))"#,
        #"CREATE INDEX "pair_on_b" ON "pair" ("b")"#,
        #"CREATE VIEW "busy" AS SELECT a FROM pair"#,
      ])
  }

  @Test func `names and defaults cannot break out of their quotes`() throws {
    let entity = EntityDescription(
      #"a"b; DROP"#, key: .assigned(["x'"]), attributes: [Attribute("x'", .text, default: .text("it's \"so\"; --"))])
    #expect(
      try SchemaSQL.statements(for: [entity]) == [#"CREATE TABLE "a""b; DROP" ("x'" TEXT NOT NULL PRIMARY KEY DEFAULT 'it''s "so"; --')"#])
  }

  @Test func `a quote under an accent is still doubled`() throws {
    let entity = EntityDescription(
      "a\"\u{301}", key: .assigned(["b"]), attributes: [Attribute("b", .text, default: "it'\u{301}s")])
    #expect(
      try SchemaSQL.statements(for: [entity]).map { Array($0.utf8) } == [
        Array("CREATE TABLE \"a\"\"\u{301}\" (\"b\" TEXT NOT NULL PRIMARY KEY DEFAULT 'it''\u{301}s')".utf8)
      ])
  }

  @Test func `searchable attributes have a search table and triggers`() throws {
    let note = EntityDescription(
      "note", table: #"a "note""#, key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("title", .text, searchable: true), Attribute("n", .integer),
        Attribute("body", .text, column: "the body", optional: true, searchable: true),
      ])
    let values = #"new."id", new."the body", new."title""#
    let old = #"old."id", old."the body", old."title""#
    let add = #"INSERT INTO "a ""note""_search" (rowid, "the body", "title") VALUES (\#(values))"#
    let remove = #"INSERT INTO "a ""note""_search" ("a ""note""_search", rowid, "the body", "title") VALUES ('delete', \#(old))"#
    let statements = try SchemaSQL.statements(for: [note])
    #expect(
      statements.dropFirst() == [
        #"CREATE VIRTUAL TABLE "a ""note""_search" USING fts5("the body", "title", content="a ""note""", content_rowid="id", "#
          + "tokenize='unicode61 remove_diacritics 2')",
        #"CREATE TRIGGER "a ""note""_search_insert" AFTER INSERT ON "a ""note""" BEGIN \#(add); END"#,
        #"CREATE TRIGGER "a ""note""_search_delete" AFTER DELETE ON "a ""note""" BEGIN \#(remove); END"#,
        #"CREATE TRIGGER "a ""note""_search_update" AFTER UPDATE ON "a ""note""" WHEN old."id" IS NOT new."id" "#
          + #"OR old."the body" IS NOT new."the body" OR old."title" IS NOT new."title" BEGIN \#(remove); \#(add); END"#,
      ])
  }

  @Test func `an entity cannot have the name of another's search table`() throws {
    let note = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text, searchable: true)])
    let other = EntityDescription("found", table: "Note_Search", key: .assigned(["a"]), attributes: [Attribute("a", .text)])
    #expect {
      try SchemaSQL.statements(for: [note, other])
    } throws: { error in
      guard case DAOError.invalidDescription("found", let problems) = error else { return false }
      return problems == ["found has the name of the search table of note, note_search"]
    }
  }

  @Test func `two entities of one table make it once`() throws {
    let one = EntityDescription("one", table: "shared", key: .generated("id"), attributes: [Attribute("id", .integer)])
    let two = EntityDescription("two", table: "SHARED", key: .generated("id"), attributes: [Attribute("id", .integer)])
    #expect(try SchemaSQL.statements(for: [one, two]).count == 1)
  }

  @Test(arguments: [
    EntityDescription("e", key: .generated("id"), attributes: []),
    EntityDescription("e", source: .view(definition: nil), key: .assigned(["a"]), attributes: [Attribute("a", .text)]),
    EntityDescription(
      "e", key: .assigned(["a"]), attributes: [Attribute("a", .text), Attribute("b", .text)], indexes: [Index(on: "a", descending: ["b"])]),
    EntityDescription("e\0", key: .assigned(["a"]), attributes: [Attribute("a", .text)]),
    EntityDescription("e", key: .assigned(["a"]), attributes: [Attribute("a", .text, default: "x\0y")]),
  ])
  func `what SQL cannot say is refused`(entity: EntityDescription) {
    #expect {
      try SchemaSQL.statements(for: [entity])
    } throws: { error in
      guard case DAOError.invalidDescription(_, let problems) = error else { return false }
      return !problems.isEmpty
    }
  }

  @Test func `a relationship to a view is no foreign key, which no row could fulfil`() throws {
    let view = EntityDescription(
      "stats", source: .view(definition: nil), key: .assigned(["id"]), attributes: [Attribute("id", .integer)])
    let zone = EntityDescription(
      "zone", key: .assigned(["id"]), attributes: [Attribute("id", .integer)], relationships: [.toOne("stats", view, by: "id")])
    #expect(try zone.foreignKeys().isEmpty)
    #expect(try SchemaSQL.statements(for: [zone]).allSatisfy { !$0.contains("REFERENCES") })
  }
}
