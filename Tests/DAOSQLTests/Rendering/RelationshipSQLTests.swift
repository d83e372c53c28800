import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of relationships")
struct RelationshipSQLTests {
  private func cities(
    _ filter: Filter<DynamicEntity>, _ condition: String, not negation: String? = nil, _ bindings: [StoredValue] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try assertCondition(filter, in: Crossing.city, condition, not: negation, bindings, sourceLocation: sourceLocation)
  }

  // MARK: To one

  @Test func `an attribute over there is a semi-join, and under not an anti-join that is true where there is no row`() throws {
    try assertZones(
      \.country.name == "Slovakia", #""countryCode" IN (SELECT "t1"."code" FROM "country" AS "t1" WHERE "t1"."name" = ?)"#,
      not: #"""
        "countryCode" IS NULL OR "countryCode" NOT IN (SELECT "t1"."code" FROM "country" AS "t1" WHERE "t1"."name" = ?)
        """#,
      [.text("Slovakia")])
  }

  @Test func `an attribute over there that is null is looked for in each row`() throws {
    try assertZones(
      \.country.details == nil,
      #"""
      NOT EXISTS (SELECT 1 FROM "country" AS "t1" \#
      WHERE "t1"."code" = "zone"."countryCode" AND "t1"."details" IS NOT NULL)
      """#,
      not: #"EXISTS (SELECT 1 FROM "country" AS "t1" WHERE "t1"."code" = "zone"."countryCode" AND "t1"."details" IS NOT NULL)"#)
  }

  @Test func `several hops are one semi-join in another`() throws {
    try assertSQL(
      SearchCriteria<Clock.Transition>.where(\.zone.country.name == "Slovakia"), for: .count,
      #"""
      SELECT COUNT(*) FROM "transition" \#
      WHERE "zoneID" IN (SELECT "t1"."id" FROM "zone" AS "t1" \#
      WHERE "t1"."countryCode" IN (SELECT "t2"."code" FROM "country" AS "t2" WHERE "t2"."name" = ?))
      """#,
      [.text("Slovakia")])
  }

  @Test func `hops to the same table have aliases of their own`() throws {
    try cities(
      .field("twin.twin.name") == "Wien",
      #"""
      "twin_id" IN (SELECT "t1"."id" FROM "city" AS "t1" \#
      WHERE "t1"."twin_id" IN (SELECT "t2"."id" FROM "city" AS "t2" WHERE "t2"."name" = ?))
      """#,
      [.text("Wien")])
  }

  @Test func `compared with an attribute here it is a value for each row`() throws {
    try assertZones(
      \.name > \.country.name, #""name" > (SELECT "t1"."name" FROM "country" AS "t1" WHERE "t1"."code" = "zone"."countryCode")"#)
  }

  // MARK: To many

  @Test func `any of what few rows fulfil is a list of keys, and none leaves null keys out of it`() throws {
    try assertCountries(
      .any(\.zones, \.name == "x"), #""code" IN (SELECT "t1"."countryCode" FROM "zone" AS "t1" WHERE "t1"."name" = ?)"#,
      not: #"""
        "code" NOT IN (SELECT "t1"."countryCode" FROM "zone" AS "t1" \#
        WHERE "t1"."countryCode" IS NOT NULL AND "t1"."name" = ?)
        """#,
      [.text("x")])
  }

  @Test func `any of what most rows fulfil is EXISTS`() throws {
    let reached = #"SELECT 1 FROM "zone" AS "t1" WHERE "t1"."countryCode" = "country"."code""#
    try assertCountries(.any(\.zones), "EXISTS (\(reached))", not: "NOT EXISTS (\(reached))")
    try assertCountries(
      .any(\.zones, \.name != "x"), #"EXISTS (\#(reached) AND "t1"."name" IS NOT ?)"#,
      not: #"NOT EXISTS (\#(reached) AND "t1"."name" IS NOT ?)"#, [.text("x")])
    try assertCountries(.none(\.zones), "NOT EXISTS (\(reached))", not: "EXISTS (\(reached))")
    try assertCountries(
      .any(\.zones, \.comment == nil), #"EXISTS (\#(reached) AND "t1"."comment" IS NULL)"#,
      not: #"NOT EXISTS (\#(reached) AND "t1"."comment" IS NULL)"#)
  }

  @Test func `all is none of what does not fit, null included`() throws {
    try assertCountries(
      .all(\.zones, \.latitude > 0),
      #"""
      "code" NOT IN (SELECT "t1"."countryCode" FROM "zone" AS "t1" \#
      WHERE "t1"."countryCode" IS NOT NULL AND ("t1"."latitude" <= ? OR "t1"."latitude" IS NULL))
      """#,
      not: #"""
        "code" IN (SELECT "t1"."countryCode" FROM "zone" AS "t1" WHERE "t1"."latitude" <= ? OR "t1"."latitude" IS NULL)
        """#,
      [.real(0)])
  }

  @Test func `beside an attribute by which few rows are found, a range is looked for in each of them`() throws {
    try assertCountries(
      \.code == "SK" && .any(\.zones, \.latitude > 0),
      #"""
      "code" = ? AND EXISTS (SELECT 1 FROM "zone" AS "t1" \#
      WHERE "t1"."countryCode" = "country"."code" AND "t1"."latitude" > ?)
      """#,
      [.text("SK"), .real(0)])
  }

  @Test func `through pairs the far table is joined to the pairs`() throws {
    let pairs = #"FROM "city_river" AS "t1" JOIN "river" AS "t2" ON "t2"."name" = "t1"."river""#
    try cities(
      .any("rivers", .field("name") == "Danube"),
      #""id" IN (SELECT "t1"."city_id" \#(pairs) WHERE "t2"."name" = ?)"#,
      not: #""id" NOT IN (SELECT "t1"."city_id" \#(pairs) WHERE "t2"."name" = ?)"#, [.text("Danube")])
    try cities(
      .any("rivers"), #"EXISTS (SELECT 1 \#(pairs) WHERE "t1"."city_id" = "city"."id")"#,
      not: #"NOT EXISTS (SELECT 1 \#(pairs) WHERE "t1"."city_id" = "city"."id")"#)
  }

  @Test func `quantifiers within quantifiers`() throws {
    try assertCountries(
      .any(\.zones, .any(\.transitions, \.offset == 0)),
      #"""
      "code" IN (SELECT "t1"."countryCode" FROM "zone" AS "t1" \#
      WHERE "t1"."id" IN (SELECT "t2"."zoneID" FROM "transition" AS "t2" WHERE "t2"."offset" = ?))
      """#,
      [.integer(0)])
  }
}
