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

  private let id = StoreSchema.Column(name: "id", declaredType: "INTEGER", primaryKeyPosition: 1)
  private let title = StoreSchema.Column(name: "title", declaredType: "TEXT", isNotNull: true, defaultSQL: "'?'", defaultValue: .text("?"))
  private let author = StoreSchema.Column(name: "author_id", declaredType: "INTEGER")
  private let titleIndex = StoreSchema.Index(name: "a", columns: ["title"], isUnique: true, origin: .unique)
  private let authorIndex = StoreSchema.Index(name: "b", columns: ["author_id"], isUnique: false)
  private let authorKey = StoreSchema.ForeignKey(columns: ["author_id"], table: "author", targetColumns: ["id"], onDelete: "CASCADE")

  private func differences(
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

  /// Values of a view are not converted either: 18 would be read as 0.18.
  @Test(arguments: [
    (AttributeType.decimal(.scaled(2)), "NUMERIC", false), (.decimal(.scaled(2)), "INTEGER", true), (.decimal(.scaled(2)), "", true),
    (.date(.unixMilliseconds), "DATETIME", true), (.date(.iso8601), "DATETIME", false), (.uuid(.blob), "UUID", false),
    (.text, "NUMERIC", true), (.integer, "REAL", true), (.decimal(.numeric(2)), "NUMERIC(10,2)", true), (.decimal(.numeric(2)), "", true),
    (.decimal(.real(2)), "REAL", true), (.decimal(.real(2)), "", false), (.decimal(.numeric(2)), "DATETIME", false),
  ])
  func `a view's column means what its type says`(type: AttributeType, declared: String, fits: Bool) {
    let entity = EntityDescription("priced", source: .view(definition: nil), key: .assigned(["a"]), attributes: [Attribute("a", type)])
    let column = StoreSchema.Column(name: "a", declaredType: declared)
    #expect(differences(columns: [column], name: "priced", isView: true, entity: entity).isEmpty == fits)
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

  /// Spellings that keep the same stored form fit; those that would change it, or promise another form, do not.
  @Test(arguments: [
    (AttributeType.bool, "INTEGER", true), (.integer, "BOOLEAN", true), (.integer, "BIGINT", true), (.integer, "NUMERIC", true),
    (.integer, "", true), (.integer, "REAL", false), (.integer, "TEXT", false), (.real, "DOUBLE", true), (.real, "NUMERIC", true),
    (.real, "INTEGER", false), (.text, "VARCHAR(20)", true), (.text, "NUMERIC", false), (.text, "STRING", false), (.text, "BLOB", false),
    (.text, "", true), (.data, "", true), (.data, "TEXT", false), (.uuid(.blob), "BLOB", true), (.uuid(.blob), "UUID_TEXT", false),
    (.uuid(.text), "TEXT", true), (.date(.iso8601), "TEXT", true), (.date(.iso8601), "DATETIME_SECONDS", false),
    (.date(.iso8601), "DATETIME", false), (.date(.unixSeconds), "INTEGER", true), (.date(.unixSeconds), "REAL", true),
    (.date(.unixSeconds), "DATETIME_MILLISECONDS", false), (.date(.unixSeconds), "DATETIME", true),
    (.date(.unixMilliseconds), "INTEGER", true),
    (.decimal(.scaled(2)), "INTEGER", true), (.decimal(.scaled(2)), "DECIMAL_INTEGER(3)", false), (.decimal(.text), "TEXT", true),
    (.decimal(.scaled(2)), "NUMERIC", false), (.decimal(.scaled(2)), "decimal (10, 2)", false), (.decimal(.scaled(2)), "MONEY", false),
    (.decimal(.scaled(2)), "CENTS", true), (.decimal(.text), "DECIMAL(10,2)", false), (.date(.unixMilliseconds), "NUMERIC(20)", false),
    (.boolText("Y/N"), "CHAR(1)", true), (.boolText("Y/N"), "BOOLEAN", true), (.boolText("1/0"), "BOOLEAN", false),
    (.boolText("1/0"), "TEXT", true), (.boolText("1/0"), "", true), (.boolText("t/f"), "BIT", true), (.boolText("t/f"), "INTEGER", false),
    (.text(.padded(8)), "CHAR(8)", true),
    (.text(.padded(8)), "character (8)", true), (.text(.padded(8)), "CHAR(9)", false), (.text(.padded(8)), "VARCHAR(20)", true),
    (.text(.padded(8)), "", true), (.text(.padded(8)), "TEXT_PADDED(8)", true), (.text(.padded(8)), "TEXT_PADDED(9)", false),
    (.text(.padded(8)), "INTEGER", false), (.text(.padded(8)), "DATETIME", false), (.text(.padded(8)), "NUMERIC", false),
    (.text(.blob), "BLOB", true), (.text(.blob), "TEXT", true), (.text(.blob), "", true), (.text(.blob), "INTEGER", false),
    (.text(.blob), "UUID_BLOB", false), (.text(.blob), "TEXT_BLOB", true), (.data, "TEXT_BLOB", true),
    (.text, "TEXT_PADDED(8)", false), (.any, "TEXT_PADDED(8)", true),
    (.boolText("t/f"), "DATE", false), (.boolText("t/f"), "BOOLEAN_TEXT t/f", true), (.boolText("t/f"), "BOOLEAN_TEXT Y/N", false),
    (.bool, "BOOLEAN_TEXT Y/N", false), (.uuid(.spelled([.capitals])), "UUID", true), (.uuid(.text), "GUID", true),
    (.uuid(.spelled([.withoutHyphens])), "UUID", false), (.uuid(.spelled([.withoutHyphens])), "CHAR(32)", true),
    (.uuid(.spelled([.capitals, .inBraces])), "UNIQUEIDENTIFIER", true), (.uuid(.spelled([.capitals])), "UUID_TEXT", false),
    (.uuid(.spelled([.capitals])), "UUID_TEXT_CAPITALS", true), (.uuid(.spelled([.capitals])), "BLOB", false),
    (.decimal(.numeric(2)), "NUMERIC", true), (.decimal(.numeric(2)), "NUMERIC(10,2)", true),
    (.decimal(.numeric(2)), "decimal(10, 2)", true),
    (.decimal(.numeric(2)), "DECIMAL(10,3)", false), (.decimal(.numeric(4)), "DECIMAL(10,3)", true), (.decimal(.numeric(2)), "MONEY", true),
    (.decimal(.numeric(0)), "NUMBER(10)", true), (.decimal(.numeric(2)), "REAL", false), (.decimal(.numeric(2)), "FLOAT(10,2)", false),
    (.decimal(.numeric(2)), "TEXT", false), (.decimal(.numeric(2)), "", true), (.decimal(.numeric(2)), "INTEGER", true),
    (.decimal(.numeric(2)), "CENTS", true), (.decimal(.numeric(2)), "DECIMAL_NUMERIC(2)", true), (.decimal(.numeric(2)), "BOOLEAN", false),
    (.decimal(.numeric(2)), "DECIMAL_NUMERIC(3)", false), (.decimal(.numeric(2)), "DECIMAL_INTEGER(2)", false),
    (.decimal(.numeric(2)), "DECIMAL_TEXT", false), (.decimal(.numeric(2)), "DATE", false), (.decimal(.numeric(2)), "UUID", false),
    (.decimal(.real(2)), "REAL", true), (.decimal(.real(2)), "DOUBLE PRECISION", true), (.decimal(.real(2)), "FLOAT(10,2)", true),
    (.decimal(.real(2)), "FLOAT(10,3)", false), (.decimal(.real(2)), "NUMERIC", false), (.decimal(.real(2)), "INTEGER", false),
    (.decimal(.real(2)), "DECIMAL_REAL(2)", true), (.decimal(.text), "DECIMAL_NUMERIC(2)", false),
    (.real, "DECIMAL_NUMERIC(2)", false), (.decimal(.scaled(2)), "DECIMAL_REAL(2)", false),
    (.date(.unixMilliseconds), "timestamp with time zone", true), (.date(.unixSeconds), "DATE", true),
    (.date(.text("YYYY-MM-DD HH:MM:SS")), "DATETIME", true), (.date(.text("YYYY-MM-DD")), "DATE", true),
    (.date(.text("HH:MM")), "TIME", true), (.date(.text("YYYY-MM-DD HH:MM:SS+HH:MM")), "DATETIMEOFFSET", true),
    (.date(.text("YYYY-MM-DD HH:MM:SS")), "VARCHAR(19)", true),
    (.date(.text("YYYY-MM-DD HH:MM:SS")), "INTEGER", false), (.date(.text("YYYY-MM-DD HH:MM:SS")), "DATETIME_TEXT", false),
    (.date(.text("YYYY-MM-DD HH:MM:SS")), "DATETIME_TEXT YYYY-MM-DD HH:MM:SS", true), (.date(.julianDays), "REAL", true),
    (.date(.text("YYYY-MM-DD HH:MM:SS")), "DATETIME_TEXT YYYY-MM-DDTHH:MM:SS", false), (.date(.secondsSince2001), "TIMESTAMP", true),
    (.date(.unixMillisecondsText), "DATETIME", false), (.date(.unixMillisecondsText), "TEXT", true),
    (.date(.unixMicroseconds), "REAL", false), (.date(.unixMicroseconds), "BIGINT", true), (.date(.unixNanoseconds), "NUMERIC", false),
    (.uuid(.blob), "UUID", false),
    (.uuid(.blob), "UniqueIdentifier", false), (.uuid(.blob), "NUMERIC", false), (.data, "UUID", true), (.integer, "DATETIME", true),
    (.real, "MONEY", true), (.bool, "NUMERIC(1)", true), (.json, "JSON", false), (.any, "JSON", true), (.any, "DECIMAL(10,2)", true),
    (.integer, "\u{131}NT", true), (.real, "\u{131}NT", true), (.json, "TEXT", true), (.json, "DECIMAL_TEXT", false),
    (.any, "DATETIME_TEXT", true), (.text, "TEXT(50)", true), (.integer, "TINYTEXT", false), (.any, "NCLOB", true),
  ])
  func `types are compared by stored form`(type: AttributeType, declared: String, fits: Bool) {
    let entity = EntityDescription(
      "e", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", type, optional: true)])
    let found = differences(
      columns: [id, StoreSchema.Column(name: "a", declaredType: declared)], indexes: [], foreignKeys: [], name: "e", entity: entity)
    #expect(
      found.map { $0.prefix { $0 != ";" } }
        == (fits ? [] : ["e.a: the entity has the type \(type.declaredName), the store has the type \(declared)"]))
    #expect(found.allSatisfy { $0.contains("declare it as ") })
  }

  @Test func `the table of differences says what to declare`() {
    let entity = EntityDescription(
      "bill", key: .generated("id"),
      attributes: [
        Attribute("id", .integer), Attribute("total", .decimal(.scaled(2)), optional: true),
        Attribute("paidAt", .date(.iso8601), optional: true), Attribute("token", .uuid(.blob), optional: true),
        Attribute("size", .integer, optional: true),
      ])
    let columns = [("total", "NUMERIC(10,2)"), ("paidAt", "DATETIME"), ("token", "GUID"), ("size", "REAL")].map {
      StoreSchema.Column(name: $0, declaredType: $1)
    }
    let schema = StoreSchema(tables: [StoreSchema.Table(name: "bill", columns: [id] + columns)])
    let error = DAOError.schemaMismatch(store: "/x", differences: schema.differences(from: [entity]))
    #expect(
      "\(error)" == """
        the store /x does not fit the entities:
          bill.total   the entity has the type DECIMAL_INTEGER(2), the store has the type NUMERIC(10,2); \
        NUMERIC(10,2) holds numbers as they are: \
        declare it as a Decimal with .numeric(2), or as Double or Int; \
        for Decimal with .scaled(2), have a migration convert the column to DECIMAL_INTEGER(2)
          bill.paidAt  the entity has the type DATETIME_TEXT, the store has the type DATETIME; \
        DATETIME holds dates in the form of whoever wrote them: \
        declare it as a Date whose form you state, such as .dateText("YYYY-MM-DD HH:MM:SS"), or as Scalar; \
        for Date, have a migration convert the column to DATETIME_TEXT
          bill.token   the entity has the type UUID_BLOB, the store has the type GUID; \
        GUID holds UUIDs in the form of whoever wrote them: \
        declare it as a UUID whose form you state, .uuidText or .uuidSpelled([.capitals]), or as Scalar; \
        for UUID, have a migration convert the column to UUID_BLOB
          bill.size    the entity has the type INTEGER, the store has the type REAL; \
        declare it as Double; for Int, have a migration convert the column to INTEGER
        """)
    // What is advised fits.
    for (advised, declared) in [
      (AttributeType.real, "NUMERIC(10,2)"), (.decimal(.numeric(2)), "NUMERIC(10,2)"), (.decimal(.real(2)), "REAL"), (.integer, "NUMERIC"),
      (.any, "DATETIME"), (.any, "GUID"), (.any, "JSON"),
    ] {
      #expect(
        differences(
          columns: [id, .init(name: "a", declaredType: declared)], indexes: [], foreignKeys: [], name: "e",
          entity: EntityDescription(
            "e", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("a", advised, optional: true)])) == [])
    }
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
