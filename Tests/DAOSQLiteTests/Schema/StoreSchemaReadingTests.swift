import DAOCriteria
import DAOSQL
import DAOSchema
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

/// Schemas read from SQLite itself.
@Suite struct StoreSchemaReadingTests {
  private func schema(_ sql: String) throws -> StoreSchema {
    try DatabaseQueue().write { db in
      try db.execute(sql: sql)
      return try StoreSchema(reading: db)
    }
  }

  @Test func `tables, views, indexes and foreign keys are read`() throws {
    let schema = try schema(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
      CREATE TABLE "odd ""name" (a TEXT, b INT DEFAULT (1 + 1), c AS (b * 2), author INTEGER REFERENCES author ON DELETE CASCADE,
        PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE INDEX partial ON author (name) WHERE id > 5;
      CREATE INDEX nocase ON author (name COLLATE NOCASE);
      CREATE INDEX expression ON author (lower(name));
      CREATE VIEW names AS SELECT name, id + 1 AS next FROM author;
      CREATE VIEW broken AS SELECT gone FROM nowhere;
      """)
    #expect(schema.tables.map(\.name) == ["author", "broken", "names", #"odd "name"#])
    let author = try #require(schema["AUTHOR"])
    #expect(author.integerPrimaryKey == "id")
    #expect(author.indexes.filter(\.isPlain).map(\.columns) == [["name"]])
    #expect(author.indexes.filter(\.isPlain).map(\.origin) == [.unique])
    #expect(author.indexes.filter { !$0.isPlain }.map(\.name) == ["expression", "nocase", "partial"])
    let odd = try #require(schema[#"odd "name"#])
    #expect(odd.isWithoutRowID)
    #expect(odd.primaryKey == ["b", "a"])
    #expect(odd.columns.map(\.isNotNull) == [true, true, false, false])
    #expect(odd.columns.map(\.isGenerated) == [false, false, true, false])
    #expect(odd["b"]?.defaultSQL == "1 + 1")
    #expect(odd.foreignKeys == [StoreSchema.ForeignKey(columns: ["author"], table: "author", targetColumns: [], onDelete: "CASCADE")])
    let names = try #require(schema["names"])
    #expect(names.isView)
    #expect(names.columns.map(\.name) == ["name", "next"])
    #expect(schema["broken"]?.columns == [])
  }

  private static let note = EntityDescription(
    "note", table: #"a "note""#, key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("title", .text, searchable: true), Attribute("n", .integer),
      Attribute("body", .text, optional: true, searchable: true),
    ])

  @Test func `a search table is found again and has no entity of its own`() throws {
    let statements = try SchemaSQL.statements(for: [Self.note])
    let others = ["CREATE VIRTUAL TABLE other USING fts5(a)", "CREATE TABLE plain (id INTEGER PRIMARY KEY)"]
    let schema = try schema((statements + others).joined(separator: ";"))
    #expect(schema.tables.map(\.name) == [#"a "note""#, "plain"])
    #expect(schema.differences(from: [Self.note]) == [])
    #expect(schema.description(of: Self.note.table)?.searchableAttributes.map(\.name) == ["body", "title"])
    #expect(schema["plain"]?.search == nil)
  }

  @Test(arguments: 1...4)
  func `a store without one of its statements differs`(_ left: Int) throws {
    var statements = try SchemaSQL.statements(for: [Self.note])
    let gone = statements.remove(at: left)
    let schema = try schema(statements.joined(separator: ";"))
    let differences = schema.differences(from: [Self.note])
    #expect(differences.count == (left == 1 ? 4 : 1))
    #expect(differences.contains(SchemaDifference(entity: "note", element: "search", expected: gone, found: "none that is so")))
    #expect(schema.description(of: Self.note.table)?.searchableAttributes == [])
  }

  @Test func `the order in which attributes are declared does not matter`() throws {
    let schema = try schema(try SchemaSQL.statements(for: [Self.note]).joined(separator: ";"))
    let other = EntityDescription(
      "note", table: Self.note.table, key: Self.note.key, attributes: Self.note.attributes.reversed())
    #expect(schema.differences(from: [other]) == [])
  }

  @Test func `a search table of another form differs`() throws {
    let statements = try SchemaSQL.statements(for: [Self.note]).map { $0.replacingOccurrences(of: " remove_diacritics 2", with: "") }
    let schema = try schema(statements.joined(separator: ";"))
    #expect(schema.differences(from: [Self.note]).map(\.element) == ["search"])
    #expect(schema.description(of: Self.note.table)?.searchableAttributes == [])
  }

  /// Some releases take those of JSON too for functions that no schema may call.
  @Test func `a generated column that can't be read is no attribute, and is named where an entity has it`() throws {
    let schema = try DatabaseQueue().writeWithoutTransaction { db in
      db.add(function: DatabaseFunction("own", argumentCount: 1, pure: true) { $0[0] })
      try db.execute(
        sql: """
          CREATE TABLE shelf (code TEXT PRIMARY KEY);
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, title TEXT, found AS (own(title)) REFERENCES shelf, length INT AS (length(title)));
          CREATE INDEX book_on_length ON book (length);
          PRAGMA trusted_schema = OFF
          """)
      return try StoreSchema(reading: db)
    }
    let book = try #require(schema.description(of: "book"))
    #expect(book.attributes.map(\.name) == ["id", "title", "length"] && book.problems == [])
    #expect(book.indexes == [Index(on: "length", unique: false)] && book.relationships.isEmpty)
    #expect(schema.description(of: "shelf")?.relationships.isEmpty == true)
    let entity = EntityDescription(
      "book", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("found", .any, optional: true, generated: true)])
    #expect(
      schema.differences(from: [entity]).map(\.description)
        == ["book.found: the entity has a column that can be read, the store has one that can't: unsafe use of own()"])
  }

  @Test func `dynamic entities take their key from the table`() throws {
    let schema = try schema(
      """
      CREATE TABLE generated (id INTEGER PRIMARY KEY, a);
      CREATE TABLE descending (id INTEGER PRIMARY KEY DESC);
      CREATE TABLE keyless (rowid TEXT, a TEXT NOT NULL, b AS (a || a));
      CREATE TABLE filled (rowid TEXT, _rowid_ TEXT, oid TEXT, b AS (oid || oid));
      CREATE TABLE pair (a TEXT, b TEXT, PRIMARY KEY (b, a));
      CREATE TABLE parent (code TEXT PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent TEXT REFERENCES parent, at DATETIME_SECONDS NOT NULL DEFAULT 0);
      CREATE TABLE twice (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE REFERENCES parent ON DELETE SET NULL, b TEXT);
      CREATE INDEX again ON twice (a);
      CREATE INDEX other ON twice (b);
      CREATE UNIQUE INDEX still ON twice (b);
      CREATE VIEW seen AS SELECT parent, at FROM child;
      """)
    #expect(schema.description(of: "generated")?.key == .generated("id"))
    #expect(schema.description(of: "descending")?.key == .assigned(["id"]))
    #expect(schema.description(of: "pair")?.key == .assigned(["b", "a"]))
    let keyless = try #require(schema.description(of: "keyless"))
    #expect(keyless.key == .generated("_rowid_"))
    #expect(keyless.attributes.map(\.name) == ["_rowid_", "rowid", "a", "b"])
    #expect(keyless.attributes.map(\.isGenerated) == [false, false, false, true])
    // All of the row is the key, but for what follows from it.
    let filled = try #require(schema.description(of: "filled"))
    #expect(filled.key == .assigned(["rowid", "_rowid_", "oid"]) && filled["b"]?.isOptional == true)
    let child = try #require(schema.description(of: "child"))
    #expect(child["parent"]?.reference == DAOCriteria.ForeignKey(table: "parent", column: "code"))
    #expect(child["at"] == Attribute("at", .date(.unixSeconds), default: .date(Date(timeIntervalSince1970: 0))))
    let seen = try #require(schema.description(of: "seen"))
    #expect(seen.isReadOnly)
    #expect(seen.key == .assigned(["parent", "at"]))
    #expect(seen.attributes.map(\.type) == [.text, .date(.unixSeconds)])
    #expect(schema.description(of: "nothing") == nil)
    for table in ["generated", "descending", "pair", "parent", "child", "keyless", "filled", "twice"] {
      #expect(schema.description(of: table)?.problems == [])
    }
    #expect(schema.description(of: "twice").map { Set($0.indexes) } == [Index(on: "a", unique: true), Index(on: "b", unique: true)])
    #expect(schema.description(of: "twice")?["a"]?.reference?.onDelete == .deny)
    #expect(schema.description(of: "seen")?.problems == [])
    // What was read from a store fits it, but for keys that the store lets be null.
    #expect(schema.differences(from: ["generated", "child", "keyless"].compactMap { schema.description(of: $0) }) == [])
  }

  @Test func `the row ID answers to its quoted name`() throws {
    let keys = try DatabaseQueue().write { db in
      try db.execute(sql: #"CREATE TABLE keyless (a); INSERT INTO "keyless" ("rowid", "a") VALUES (7, 'x'), (NULL, 'y')"#)
      return try Int64.fetchAll(db, sql: #"SELECT "rowid" FROM "keyless" WHERE "rowid" > 0 ORDER BY "rowid""#)
    }
    #expect(keys == [7, 8])
  }

  /// Descriptions written into a store fit it and are read back from it as they were.
  @Test func `every description survives the way through a store`() throws {
    var generator = RandomSource(seed: TestCases.seed)
    for _ in 0..<200 {
      let entities = Self.entities(&generator)
      let schema = try DatabaseQueue().write { db in
        for statement in try SchemaSQL.statements(for: entities) { try db.execute(sql: statement) }
        return try StoreSchema(reading: db)
      }
      #expect(schema.differences(from: entities) == [])
      for entity in entities {
        let read = try #require(schema.description(of: entity.table))
        #expect(read.key == entity.key)
        #expect(read.attributes == entity.attributes)
        #expect(Set(read.indexes) == Set(entity.indexes))
      }
    }
  }

  private static func entities(_ generator: inout some RandomNumberGenerator) -> [EntityDescription] {
    let types: [(AttributeType, Scalar)] = [
      (.bool, true), (.integer, -7), (.real, 2.5), (.real, .real(-.infinity)), (.text, "it's \"odd\""), (.data, .data(Data([0, 255]))),
      (.uuid(.blob), .uuid(UUID())), (.uuid(.text), .uuid(UUID())), (.date(.iso8601), .date(Date(timeIntervalSince1970: 1.5))),
      (.date(.unixSeconds), .date(Date(timeIntervalSince1970: 9))), (.date(.unixMilliseconds), .date(Date(timeIntervalSince1970: 9.25))),
      (.decimal(.scaled(3)), .decimal(Decimal(1.125))), (.decimal(.text), .decimal(Decimal(-12))), (.json, "[1]"), (.any, 3),
    ]
    return (0..<Int.random(in: 1...3, using: &generator)).map { number in
      let isGenerated = Bool.random(using: &generator)
      var attributes = isGenerated ? [Attribute("id", .integer)] : []
      for position in 0..<Int.random(in: 2...6, using: &generator) {
        let (type, value) = types[Int.random(in: 0..<types.count, using: &generator)]
        // A single INTEGER key would be read back as a generated one.
        let isKey = !isGenerated && position < 2
        attributes.append(
          Attribute(
            "a \"\(position)\"", type, optional: !isKey && Bool.random(using: &generator),
            default: Bool.random(using: &generator) ? value : Scalar?.none,
            references: isKey || Bool.random(using: &generator)
              ? nil : DAOCriteria.ForeignKey(table: "t0", column: "id", onDelete: Bool.random(using: &generator) ? .cascade : .deny)))
      }
      let names = attributes.map(\.name)
      let key: EntityDescription.Key = isGenerated ? .generated("id") : .assigned([names[1], names[0]])
      return EntityDescription(
        "t\(number)", key: key, attributes: attributes,
        indexes: Bool.random(using: &generator)
          ? [
            Index(on: names[1], unique: true), Index(on: names[1], names[0], descending: [names[Int.random(in: 0...1, using: &generator)]]),
          ] : [])
    }
  }
}
