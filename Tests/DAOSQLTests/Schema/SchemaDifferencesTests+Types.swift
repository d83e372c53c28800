import DAOCriteria
import DAOSQL
import DAOSchema
import Testing

/// Which types fit which declared types.
extension SchemaDifferencesTests {
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
}
