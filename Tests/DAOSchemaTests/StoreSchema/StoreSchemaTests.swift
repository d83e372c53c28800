import DAOCriteria
import DAOSchema
import Testing

/// A store's schema as values, without a store.
struct StoreSchemaTests {
  private let country = EntityDescription(
    "country", key: .assigned(["code"]),
    attributes: [Attribute("code", .text), Attribute("name", .text)], indexes: [Index(on: "name", unique: true)])
  private let zone = EntityDescription(
    "zone", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text, searchable: true), Attribute("offset", .integer, default: .integer(60)),
      Attribute("rate", .real, optional: true, default: .real(-0.5)), Attribute("note", .text, default: .text("it's")),
      Attribute("isSummer", .bool, default: .bool(true)), Attribute("seen", .date(.unixSeconds), optional: true),
      Attribute("country_code", .text, optional: true, references: ForeignKey(table: "country", column: "code", onDelete: .nullify)),
    ], indexes: [Index(on: "offset", "name")])

  @Test func `an entity is described as it is by the schema that a store of it would have`() throws {
    let schema = try StoreSchema(of: [zone, country])
    for entity in [zone, country] {
      let found = try #require(schema.description(of: entity.name))
      #expect(found.key == entity.key)
      #expect(found.attributes == entity.attributes)
      #expect(found.indexes == entity.indexes)
    }
    #expect(schema.tables.map(\.name) == ["country", "zone"])
    #expect(schema.description(of: "river") == nil)
  }

  @Test func `foreign keys make relationships of both sides`() throws {
    let schema = try StoreSchema(of: [zone, country])
    let (here, there) = (schema.description(of: "zone")?.relationships ?? [], schema.description(of: "country")?.relationships ?? [])
    #expect(here.map(\.name) == ["country_code"] && here.map(\.kind) == [.toOne(by: ["country_code"], onDelete: .nullify)])
    #expect(there.map(\.name) == ["zone"] && there.map(\.kind) == [.toMany(by: ["country_code"])])
  }

  @Test func `a default that is computed for each row, and a search table of another form, are no attribute's`() throws {
    let search = StoreSchema.SearchTable(columns: ["name"], statements: [], isComplete: false)
    let table = StoreSchema.Table(
      name: "zone",
      columns: [
        StoreSchema.Column(name: "id", declaredType: "INTEGER", primaryKeyPosition: 1),
        StoreSchema.Column(name: "name", declaredType: "TEXT", isNotNull: true, defaultSQL: "hex(randomblob(4))"),
      ], search: search)
    let name = try #require(StoreSchema(tables: [table]).description(of: "zone")?["name"])
    #expect(name.defaultValue == nil && !name.isSearchable)
  }

  @Test func `names are found in any case, and the first of two`() {
    let schema = StoreSchema(tables: [
      StoreSchema.Table(name: "Zone", columns: [StoreSchema.Column(name: "ID", declaredType: "INTEGER", primaryKeyPosition: 1)]),
      StoreSchema.Table(name: "ZONE", columns: []),
    ])
    #expect(schema["zone"]?.name == "Zone" && schema["zone"]?["id"]?.name == "ID" && schema["zone"]?.integerPrimaryKey == "ID")
  }
}
