import DAOCriteria
import DAOSQL
import DAOSchema
import Testing

/// Which schemas fit an entity, and how those that do not are described.
@Suite struct SchemaDifferencesTests {
  private let book = EntityDescription(
    "book", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("title", .text, default: "?"),
      Attribute(
        "author", .integer, column: "author_id", optional: true,
        references: ForeignKey(table: "author", column: "id", onDelete: .cascade)),
    ],
    indexes: [Index(on: "title", unique: true), Index(on: "author")])

  let id = StoreSchema.Column(name: "id", declaredType: "INTEGER", primaryKeyPosition: 1)
  private let title = StoreSchema.Column(name: "title", declaredType: "TEXT", isNotNull: true, defaultSQL: "'?'", defaultValue: .text("?"))
  private let author = StoreSchema.Column(name: "author_id", declaredType: "INTEGER")
  private let titleIndex = StoreSchema.Index(name: "a", columns: ["title"], isUnique: true, origin: .unique)
  private let authorIndex = StoreSchema.Index(name: "b", columns: ["author_id"], isUnique: false)
  private let authorKey = StoreSchema.ForeignKey(columns: ["author_id"], table: "author", targetColumns: ["id"], onDelete: "CASCADE")

  func differences(
    columns: [StoreSchema.Column]? = nil, indexes: [StoreSchema.Index]? = nil, foreignKeys: [StoreSchema.ForeignKey]? = nil,
    name: String = "book", isView: Bool = false, entity: EntityDescription? = nil
  ) -> [String] {
    let table = StoreSchema.Table(
      name: name, isView: isView, columns: columns ?? [id, title, author], indexes: indexes ?? [titleIndex, authorIndex],
      foreignKeys: foreignKeys ?? [authorKey])
    return StoreSchema(tables: [table]).differences(from: [entity ?? book]).map(\.description)
  }

  @Test func `a schema that fits has no difference`() {
    #expect(differences() == [])
    #expect(differences(name: "BOOK") == [])
  }

  @Test func `a missing table is named`() {
    #expect(
      differences(name: "books") == [#"book: the entity has the table "book", the store has neither a table nor a view of this name"#])
    #expect(differences(isView: true) == [#"book: the entity has the table "book", the store has a view of this name"#])
  }

  @Test func `an index that a relationship relies on is named`() throws {
    let author = EntityDescription("author", key: .generated("id"), attributes: [Attribute("id", .integer)])
    func related(_ by: Relationship, indexes: [DAOCriteria.Index] = []) -> EntityDescription {
      EntityDescription("book", key: book.key, attributes: book.attributes, indexes: indexes, relationships: [by])
    }
    let written = related(.toOne("writer", author, by: "author", onDelete: .cascade))
    #expect(differences(indexes: [authorIndex], entity: written) == [])
    #expect(
      differences(indexes: [titleIndex], entity: written) == [
        "book.author: the entity has an index on (author_id), the store has none; "
          + "make it, or declare the relationship with declared: .foreignKey"
      ])
    let without = Relationship("writer", .toOne(by: ["author"], onDelete: .cascade), declared: .foreignKey, target: { author })
    #expect(differences(indexes: [], entity: related(without)) == [])
    let unenforced = EntityDescription(
      "book", key: book.key, attributes: [book.attributes[0], Attribute("author", .integer, column: "author_id", optional: true)],
      relationships: [.toOne("writer", author, by: "author", onDelete: .cascade)])
    #expect(
      differences(foreignKeys: [], entity: unenforced) == [
        #"book.author: the entity has the foreign key REFERENCES "author" ("id") ON DELETE CASCADE, the store has none; "#
          + "declare the relationship with declared: .absent"
      ])
    // What a person alone knows asks for neither, and has no rule that the store would follow.
    let plain = [book.attributes[0], book.attributes[1], Attribute("author", .integer, column: "author_id", optional: true)]
    let known = EntityDescription(
      "book", key: book.key, attributes: plain, relationships: [.toOne("writer", author, by: "author", declared: .absent)])
    #expect(differences(indexes: [], foreignKeys: [], entity: known) == [])
    #expect(try SchemaSQL.statements(for: [known]).joined().contains("REFERENCES") == false)
    #expect(try SchemaSQL.statements(for: [known]).count == 1 && known.problems.isEmpty)
    #expect(
      related(.toOne("writer", author, by: "author", onDelete: .cascade, declared: .absent)).problems
        == ["book.writer can't have a delete rule: the store has no foreign key that would follow it"])
    // One of the entity's own that begins with it serves too.
    #expect(
      differences(indexes: [], entity: related(written.relationships[0], indexes: [Index(on: "author", "title")]))
        == ["book.author, title: the entity has an index on (author_id, title), the store has none"])
  }

  @Test func `every difference is named, column by column`() {
    let found = differences(
      columns: [
        StoreSchema.Column(name: "id", declaredType: "INT", primaryKeyPosition: 1),
        StoreSchema.Column(name: "title", declaredType: "NUMERIC", defaultSQL: "'!'", defaultValue: .text("!")),
        StoreSchema.Column(name: "publisher", declaredType: "TEXT", isNotNull: true),
      ],
      indexes: [], foreignKeys: [])
    #expect(
      found == [
        "book.title: the entity has the type TEXT, the store has the type NUMERIC; NUMERIC holds numbers as they are: "
          + "declare it as a Decimal with .numeric(2) or as many digits as its numbers have, or as Double or Int; "
          + "for String, have a migration convert the column to TEXT",
        "book.title: the entity has NOT NULL, the store has no NOT NULL; declare it as an optional",
        "book.title: the entity has the default '?', the store has the default '!'",
        #"book.author: the entity has the column "author_id", the store has no such column"#,
        "book.publisher: the entity has no such attribute, the store has the column \"publisher\", NOT NULL and without a default, which "
          + "inserts would leave out",
        "book.id: the entity has a generated key, INTEGER PRIMARY KEY, the store has a key that SQLite does not generate",
        "book.title: the entity has a unique index on (title), the store has none",
        "book.author: the entity has an index on (author_id), the store has none",
        #"book.author: the entity has the foreign key REFERENCES "author" ("id") ON DELETE CASCADE, the store has none"#,
      ])
  }

  @Test func `an optional attribute meets not null`() {
    let author = StoreSchema.Column(name: "author_id", declaredType: "INTEGER", isNotNull: true)
    #expect(differences(columns: [id, title, author]) == ["book.author: the entity has no NOT NULL, the store has NOT NULL"])
  }

  /// SQLite takes nulls in a key without NOT NULL; a row that has one is an error when it is read.
  @Test func `a key's column may do without NOT NULL`() {
    let code = StoreSchema.Column(name: "code", declaredType: "TEXT", primaryKeyPosition: 1)
    let entity = EntityDescription("book", key: .assigned(["code"]), attributes: [Attribute("code", .text)])
    #expect(differences(columns: [code], entity: entity) == [])
    let other = EntityDescription(
      "book", key: .assigned(["code"]), attributes: [Attribute("code", .text, optional: true)], mayHaveNullKeys: true)
    #expect(differences(columns: [code], entity: other) == [])
  }

  @Test func `any value meets not null`() {
    let moment = StoreSchema.Column(name: "moment", declaredType: "DATETIME", isNotNull: true)
    let entity = EntityDescription(
      "book", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("moment", .any, optional: true)])
    #expect(differences(columns: [id, moment], entity: entity) == [])
    // One that takes no null has to say so itself.
    let strict = EntityDescription("book", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("moment", .any)])
    #expect(
      differences(columns: [id, StoreSchema.Column(name: "moment", declaredType: "DATETIME")], entity: strict)
        == ["book.moment: the entity has NOT NULL, the store has no NOT NULL; declare it as an optional"])
  }

  @Test func `another key is a difference`() {
    let pair = [
      id,
      StoreSchema.Column(
        name: "title", declaredType: "TEXT", isNotNull: true, defaultSQL: "'?'", defaultValue: .text("?"), primaryKeyPosition: 2), author,
    ]
    #expect(differences(columns: pair).contains("book.id: the entity has the primary key (id), the store has (id, title)"))
  }

  @Test func `foreign keys are compared by target and action`() {
    let other = StoreSchema.ForeignKey(columns: ["author_id"], table: "author", targetColumns: ["id"])
    #expect(
      differences(foreignKeys: [other]) == [
        #"book.author: the entity has the foreign key REFERENCES "author" ("id") ON DELETE CASCADE, "#
          + #"the store has the foreign key REFERENCES "author" ("id") ON DELETE NO ACTION"#
      ])
  }

  @Test func `a longer index serves searches, but not uniqueness`() {
    let longer = StoreSchema.Index(name: "c", columns: ["author_id", "title"], isUnique: true)
    #expect(differences(indexes: [titleIndex, longer]) == [])
    #expect(
      differences(indexes: [StoreSchema.Index(name: "c", columns: ["title", "author_id"], isUnique: true), authorIndex])
        == ["book.title: the entity has a unique index on (title), the store has none"])
    let partial = StoreSchema.Index(name: "a", columns: ["title"], isUnique: true, isPlain: false)
    #expect(differences(indexes: [partial, authorIndex]).count == 1)
  }

  @Test func `an index with descending attributes is read from either end`() {
    func found(_ descending: [String], _ wanted: [String], columns: [String] = ["a", "b"], isUnique: Bool = false) -> [String] {
      let entity = EntityDescription(
        "e", key: .generated("id"),
        attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true), Attribute("b", .text, optional: true)],
        indexes: [Index(on: "a", "b", descending: wanted, unique: isUnique)])
      let index = StoreSchema.Index(name: "i", columns: columns, descending: descending, isUnique: isUnique)
      return differences(
        columns: [id] + ["a", "b"].map { StoreSchema.Column(name: $0, declaredType: "TEXT") }, indexes: [index], foreignKeys: [], name: "e",
        entity: entity)
    }
    for isUnique in [false, true] {
      #expect(found(["b"], ["b"], isUnique: isUnique) == [] && found(["a"], ["b"], isUnique: isUnique) == [])
      #expect(found([], ["a", "b"], isUnique: isUnique) == [] && found(["b"], [], isUnique: isUnique) == [])
    }
    #expect(found([], ["b"]) == ["e.a, b: the entity has an index on (a, b DESC), the store has none"])
    #expect(found(["a", "b"], ["b"], isUnique: true) == ["e.a, b: the entity has a unique index on (a, b DESC), the store has none"])
    #expect(found(["b", "c"], ["b"], columns: ["a", "b", "c"]) == [])
  }

  @Test func `columns beyond the entity may be null or have a default`() {
    let more = [
      StoreSchema.Column(name: "a", declaredType: "TEXT"),
      StoreSchema.Column(name: "b", declaredType: "TEXT", isNotNull: true, defaultSQL: "''"),
      StoreSchema.Column(name: "c", declaredType: "TEXT", isNotNull: true, isGenerated: true),
    ]
    #expect(differences(columns: [id, title, author] + more) == [])
  }

  @Test func `a generated column is a generated attribute, and no other is`() {
    let author = StoreSchema.Column(name: "author_id", declaredType: "INTEGER", isGenerated: true)
    #expect(
      differences(columns: [id, title, author]) == [
        "book.author: the entity has a column that can be written, the store has a generated column; "
          + "declare it with .generated; it is read and not written"
      ])
    func found(_ column: StoreSchema.Column, _ type: AttributeType = .integer, optional: Bool = true) -> [String] {
      let entity = EntityDescription(
        "e", key: .generated("id"),
        attributes: [Attribute("id", .integer), Attribute("n", type, optional: optional, generated: true)])
      return differences(columns: [id, column], indexes: [], foreignKeys: [], name: "e", entity: entity)
    }
    func column(_ type: String = "INTEGER", isNotNull: Bool = false, isGenerated: Bool = true) -> StoreSchema.Column {
      StoreSchema.Column(name: "n", declaredType: type, isNotNull: isNotNull, isGenerated: isGenerated)
    }
    #expect(found(column()) == [] && found(column(isNotNull: true), optional: false) == [])
    #expect(
      found(column(isGenerated: false)) == [
        "e.n: the entity has a generated column, the store has a column that can be written; "
          + "declare it without .generated; it is written with its row"
      ])
    #expect(found(column(), optional: false) == ["e.n: the entity has NOT NULL, the store has no NOT NULL; declare it as an optional"])
    let neverNil = "e.n: the entity has no NOT NULL, the store has NOT NULL; declare it as one that is never nil"
    #expect(found(column(isNotNull: true)) == [neverNil])
    // It is only read: as of a view, the values mean the same.
    #expect(found(column(""), .real) == [] && found(column("NUMERIC"), .text) == [])
    #expect(found(column("NUMERIC"), .decimal(.scaled(2))).count == 1)
  }

  @Test func `of a view only names are compared`() {
    let entity = EntityDescription(
      "busy", source: .view(definition: nil), key: .assigned(["a"]), attributes: [Attribute("a", .integer), Attribute("b", .text)])
    let a = StoreSchema.Column(name: "a", declaredType: "")
    #expect(
      differences(columns: [a], name: "busy", isView: true, entity: entity)
        == [#"busy.b: the entity has the column "b", the store has no such column"#])
  }

  @Test func `the row ID is the key of a table without one`() {
    let entity = EntityDescription(
      "log", key: .generated("rowid"), attributes: [Attribute("rowid", .integer), Attribute("line", .text, optional: true)])
    let line = StoreSchema.Column(name: "line", declaredType: "TEXT")
    #expect(differences(columns: [line], name: "log", entity: entity) == [])
    let taken = [line, StoreSchema.Column(name: "rowid", declaredType: "TEXT")]
    #expect(!differences(columns: taken, name: "log", entity: entity).isEmpty)
  }

  /// Defaults are equal by value, however the schema spells them.
  @Test(arguments: [
    (Attribute("a", .bool, default: false), "FALSE", true), (Attribute("a", .bool, default: false), "0", true),
    (Attribute("a", .bool, default: false), "(0)", true), (Attribute("a", .bool, default: false), "1", false),
    (Attribute("a", .real, default: 1.5), "1.5", true), (Attribute("a", .real, default: 1.0), "1", true),
    (Attribute("a", .text, default: "it's"), "'it''s'", true), (Attribute("a", .text, default: "a' || 'b"), "'a' || 'b'", false),
    (Attribute("a", .text, default: "now"), "CURRENT_TIMESTAMP", false), (Attribute("a", .integer, default: -1), " - 1", false),
    (Attribute("a", .integer, default: -1), "-1", true),
  ])
  func `defaults are compared by value`(attribute: Attribute, sql: String, fits: Bool) {
    let entity = EntityDescription("e", key: .generated("id"), attributes: [Attribute("id", .integer), attribute])
    let column = StoreSchema.Column(
      name: "a", declaredType: attribute.type.declaredName, isNotNull: true, defaultSQL: sql, defaultValue: SQLLiteral.value(sql))
    #expect(differences(columns: [id, column], indexes: [], foreignKeys: [], name: "e", entity: entity).isEmpty == fits)
  }
}
