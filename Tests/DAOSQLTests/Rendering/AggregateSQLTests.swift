import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of aggregates")
struct AggregateSQLTests {
  private let zones = #"FROM "zone" AS "t1" WHERE "t1"."countryCode" = "country"."code""#

  @Test func `in a filter each is a subquery over all rows`() throws {
    try assertZones(
      \.standardOffset == .max(\.standardOffset), #""standardOffset" = (SELECT MAX("standardOffset") FROM "zone")"#,
      not: #""standardOffset" IS NOT (SELECT MAX("standardOffset") FROM "zone")"#)
    try assertZones(\.standardOffset == .min(\.standardOffset), #""standardOffset" = (SELECT MIN("standardOffset") FROM "zone")"#)
    try assertZones(.count == 6, #"(SELECT COUNT(*) FROM "zone") = ?"#, [.integer(6)])
    try assertZones(.count(\.comment) == 4, #"(SELECT COUNT("comment") FROM "zone") = ?"#, [.integer(4)])
    try assertZones(
      .count(distinct: \.standardOffset) > 5, #"(SELECT COUNT(DISTINCT "standardOffset") FROM "zone") > ?"#, [.integer(5)])
  }

  @Test func `sum and average name the attribute that an error would report`() throws {
    try assertZones(
      .sum(\.standardOffset) == 1, #"(SELECT dao_sum("standardOffset", 'INTEGER', 'zone', 'standardOffset') FROM "zone") = ?"#,
      [.integer(1)])
    try assertZones(
      .average(\.latitude) > 1, #"(SELECT dao_average("latitude", 'REAL', 'zone', 'latitude') FROM "zone") > ?"#, [.real(1)])
  }

  @Test func `groupConcat has its separator and its orders behind the text`() throws {
    try assertZones(.groupConcat(\.name) == "a", #"(SELECT dao_groupConcat("name", ?) FROM "zone") = ?"#, [.text(", "), .text("a")])
    try assertZones(
      .groupConcat(
        \.name, separator: "-", order: .descending(\.latitude), .ascending(\.comment, nulls: .last), .ascending(.length(\.name))) == "a",
      #"""
      (SELECT dao_groupConcat("name", ?, \#
      "latitude", 'DESC NULLS LAST REAL', \#
      "comment", 'ASC NULLS LAST TEXT', \#
      dao_length("name"), 'ASC NULLS FIRST INTEGER') FROM "zone") = ?
      """#,
      [.text("-"), .text("a")])
  }

  @Test func `an aggregate has the scope of its query, and not the filter beside it`() throws {
    try assertSQL(
      SearchCriteria<Clock.Zone>.where(\.standardOffset == .max(\.standardOffset) && \.comment == nil), for: .count,
      scope: \.countryCode == "SK",
      #"""
      SELECT COUNT(*) FROM "zone" \#
      WHERE "countryCode" = ?1 AND ("standardOffset" = (SELECT MAX("standardOffset") FROM "zone" WHERE "countryCode" = ?1) \#
      AND "comment" IS NULL)
      """#,
      [.text("SK")])
  }

  @Test func `decimals that are stored as text have their own order`() throws {
    let decimal = Criteria.Term.field(FieldPath("decimal"))
    try assertSamples(
      Filter(.compare(decimal, .equal, .aggregate(.max, decimal))),
      #""decimal" COLLATE dao_decimal = (SELECT MAX("decimal" COLLATE dao_decimal) FROM "sample") COLLATE dao_decimal"#)
  }

  @Test func `over the rows of a relationship each is a subquery for every row`() throws {
    try assertCountries(
      .count(\.zones) >= 2, "(SELECT COUNT(*) \(zones)) >= ?", not: "(SELECT COUNT(*) \(zones)) < ?", [.integer(2)])
    try assertCountries(
      .count(\.zones, where: \.comment == nil) == 0, #"(SELECT COUNT(*) \#(zones) AND "t1"."comment" IS NULL) = ?"#, [.integer(0)])
    try assertCountries(
      .max(\.zones, \.name) == nil, #"(SELECT MAX("t1"."name") \#(zones)) IS NULL"#,
      not: #"(SELECT MAX("t1"."name") \#(zones)) IS NOT NULL"#)
    try assertCountries(.min(\.zones, \.name) < "B", #"(SELECT MIN("t1"."name") \#(zones)) < ?"#, [.text("B")])
    try assertCountries(
      .sum(\.zones, \.standardOffset) > 0,
      #"(SELECT dao_sum("t1"."standardOffset", 'INTEGER', 'zone', 'standardOffset') \#(zones)) > ?"#, [.integer(0)])
    try assertCountries(
      .average(\.zones, \.latitude) > 0, #"(SELECT dao_average("t1"."latitude", 'REAL', 'zone', 'latitude') \#(zones)) > ?"#, [.real(0)])
    try assertCountries(
      .groupConcat(\.zones, \.name, order: .descending(\.standardOffset)) == "a",
      #"(SELECT dao_groupConcat("t1"."name", ?, "t1"."standardOffset", 'DESC NULLS LAST INTEGER') \#(zones)) = ?"#,
      [.text(", "), .text("a")])
  }
}
