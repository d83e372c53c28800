import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of updates and deletes by criteria")
struct ChangeSQLTests {
  private typealias Zones = SearchCriteria<Clock.Zone>

  private func update(_ assignments: Assignment<Clock.Zone>...) -> Criteria.Use { .update(assignments.map(\.change)) }

  @Test func `a delete has the condition of its filter and scope, and none for all rows`() throws {
    try assertSQL(
      Zones.where(\.standardOffset == 0 && \.comment == nil), for: .delete,
      #"DELETE FROM "zone" WHERE "standardOffset" = ? AND "comment" IS NULL"#, [.integer(0)])
    try assertSQL(
      Zones.where(\.standardOffset == 0), for: .delete, scope: \.countryCode == "SK",
      #"DELETE FROM "zone" WHERE "countryCode" = ? AND "standardOffset" = ?"#, [.text("SK"), .integer(0)])
    try assertSQL(Zones.all, for: .delete, #"DELETE FROM "zone""#)
  }

  @Test func `an update sets values, null, other attributes and functions`() throws {
    try assertSQL(
      Zones.where(\.standardOffset == 0),
      for: update(.set(\.standardOffset, to: 1), .set(\.latitude, to: nil), .set(\.comment, to: \.name), .set(\.name, to: .lower(\.name))),
      #"""
      UPDATE "zone" SET "standardOffset" = ?, "latitude" = ?, "comment" = "name", "name" = dao_lower("name") \#
      WHERE "standardOffset" = ?
      """#,
      [.integer(1), .null, .integer(0)])
  }

  @Test func `of a page the keys are chosen first`() throws {
    try assertSQL(
      Zones.all.order(by: .descending(\.standardOffset)).limit(2), for: update(.set(\.comment, to: "top")),
      #"""
      UPDATE "zone" SET "comment" = ? \#
      WHERE "id" IN (SELECT "id" FROM "zone" ORDER BY "standardOffset" DESC NULLS LAST, "id" DESC NULLS LAST LIMIT ?)
      """#,
      [.text("top"), .integer(2)])
    try assertSQL(
      SearchCriteria<Clock.Transition>.where(\.offset == 0).limit(2), for: .delete,
      #"""
      DELETE FROM "transition" \#
      WHERE ("zoneID", "instant") IN (SELECT "zoneID", "instant" FROM "transition" WHERE "offset" = ? \#
      ORDER BY "zoneID" ASC NULLS FIRST, "instant" ASC NULLS FIRST LIMIT ?)
      """#,
      [.integer(0), .integer(2)])
  }

  @Test func `where the condition reads other rows the keys are chosen first, before any row is changed`() throws {
    try assertSQL(
      Zones.where(\.country.name == "Slovakia"), for: .delete,
      #"""
      DELETE FROM "zone" \#
      WHERE "id" IN (SELECT "id" FROM "zone" \#
      WHERE "countryCode" IN (SELECT "t1"."code" FROM "country" AS "t1" WHERE "t1"."name" = ?))
      """#,
      [.text("Slovakia")])
  }

  @Test func `an update that may pass over a unique value on its way goes by the table's order`() throws {
    let entity = EntityDescription(
      "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("rank", .integer)],
      indexes: [Index(on: "rank", unique: true)])
    let rank = Criteria.Term.field(FieldPath("rank"))
    try assertSQL(
      SearchCriteria<DynamicEntity>.where(.field("rank") > 0), for: .update([Criteria.Change(rank, .function(.abs, [rank]))]), in: entity,
      #"UPDATE "item" NOT INDEXED SET "rank" = dao_abs("rank") WHERE "rank" > ?"#, [.integer(0)])
    try assertSQL(
      SearchCriteria<DynamicEntity>.where(.field("rank") > 0), for: .update([Criteria.Change(rank, .value(1))]), in: entity,
      #"UPDATE "item" SET "rank" = ? WHERE "rank" > ?"#, [.integer(1), .integer(0)])
  }
}
