import DAOCriteria
import DAOSchema
import Testing

/// Which foreign key a write has broken, asked of rows that stand here.
struct ForeignKeyNamingTests {
  private let country = EntityDescription(
    "country", key: .assigned(["code"]), attributes: [Attribute("code", .text)])
  private let zone = EntityDescription(
    "zone", key: .assigned(["id"]),
    attributes: [
      Attribute("id", .integer),
      Attribute("country", .text, column: "country_code", references: ForeignKey(table: "country", column: "code", onDelete: .deny)),
      Attribute("owner", .text, column: "owner_code", references: ForeignKey(table: "country", column: "code", onDelete: .deny)),
    ])

  private func naming(countries: Set<String>, pointing: Bool = false, triggers: [FiredTriggers.Trigger] = []) throws -> ForeignKeyNaming {
    let questions = ForeignKeyNaming.Questions { columns, table, matching, values in
      guard table == "country", matching == ["code"], case .text(let code) = values[0], countries.contains(code) else { return [] }
      return [columns.map { _ in .text(code) }]
    } arePointing: { _, _, _, _ in
      pointing
    }
    return ForeignKeyNaming(try StoreSchema(of: [zone, country]), triggers: triggers, questions)
  }

  private func row(_ country: String, _ owner: String) -> KeyedWrite { .row([.integer(1), .text(country), .text(owner)]) }

  private func attributes(_ error: DAOError?) -> [String]? {
    if case .constraint(.foreignKey, _, let attributes, _)? = error { attributes } else { nil }
  }

  @Test func `a new row's key that leads nowhere is named by its attribute`() throws {
    let naming = try naming(countries: ["SK"])
    #expect(try attributes(naming.error(for: row("SK", "XX"), of: zone)) == ["owner"])
    #expect(try attributes(naming.error(for: row("XX", "SK"), of: zone)) == ["country"])
  }

  @Test func `of two that lead nowhere the one that was declared first is named, as SQLite finds it last`() throws {
    #expect(try attributes(naming(countries: []).error(for: row("XX", "YY"), of: zone)) == ["country"])
  }

  @Test func `no key is named where all rows are there`() throws {
    #expect(try naming(countries: ["SK", "CZ"]).error(for: row("SK", "CZ"), of: zone) == nil)
  }

  @Test func `a trigger that may have added the row leaves the key unnamed`() throws {
    let adds = FiredTriggers.Trigger(
      table: SchemaName("zone"), words: ["insert", "into", "country"].reduce(into: []) { $0.insert(SchemaName($1)) },
      added: [SchemaName("country")], deleted: [], set: [])
    #expect(try naming(countries: ["SK"], triggers: [adds]).error(for: row("SK", "XX"), of: zone) == nil)
    // One of a table that the write does not reach changes nothing.
    let elsewhere = FiredTriggers.Trigger(
      table: SchemaName("river"), words: [SchemaName("country")], added: [SchemaName("country")], deleted: [], set: [])
    #expect(try attributes(naming(countries: ["SK"], triggers: [elsewhere]).error(for: row("SK", "XX"), of: zone)) == ["owner"])
  }

  @Test func `a row that others point to is named by what they point to`() throws {
    let one = EntityDescription(
      "city", key: .assigned(["id"]),
      attributes: [
        Attribute("id", .integer), Attribute("in", .text, references: ForeignKey(table: "country", column: "code", onDelete: .deny)),
      ])
    let questions = ForeignKeyNaming.Questions { _, _, _, _ in
      []
    } arePointing: { pointer, _, _, values in
      pointer.table == "city" && pointer.columns == ["in"] && values == [.text("SK")]
    }
    let naming = ForeignKeyNaming(try StoreSchema(of: [one, country]), questions)
    guard
      case .constraint(.foreignKey, "country", ["code"], let message)? = try naming.error(for: .deletion(key: [.text("SK")]), of: country)
    else {
      Issue.record("it has no name")
      return
    }
    #expect(message == "rows of the table \"city\" still point to it by \"in\"")
    #expect(try naming.error(for: .deletion(key: [.text("CZ")]), of: country) == nil)
  }
}
