import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of text matches")
struct TextMatchSQLTests {
  @Test func `like is a function of the connection, which fits the whole text`() throws {
    try assertZones(.like(\.name, "Europe/*"), #"dao_like("name", ?)"#, not: #"NOT dao_like("name", ?)"#, [.text("Europe/*")])
    try assertZones(
      .like(\.name, "E?", caseSensitive: false), #"dao_ilike("name", ?)"#, not: #"NOT dao_ilike("name", ?)"#, [.text("E?")])
  }

  @Test func `contains and ends with bind the part as it is`() throws {
    try assertZones(.contains(\.name, "%"), #"dao_contains("name", ?)"#, not: #"NOT dao_contains("name", ?)"#, [.text("%")])
    try assertZones(.contains(\.name, "a", caseSensitive: false), #"dao_icontains("name", ?)"#, [.text("a")])
    try assertZones(.endsWith(\.name, "*"), #"dao_endsWith("name", ?)"#, not: #"NOT dao_endsWith("name", ?)"#, [.text("*")])
    try assertZones(.endsWith(\.name, "a", caseSensitive: false), #"dao_iendsWith("name", ?)"#, [.text("a")])
  }

  @Test func `begins with is a range, which an index serves`() throws {
    try assertZones(
      .beginsWith(\.name, "Eu"), #""name" >= ? AND "name" < ?"#, not: #""name" < ? OR "name" >= ?"#, [.text("Eu"), .text("Ev")])
    try assertZones(
      .beginsWith(\.name, "EU", caseSensitive: false), #"dao_ibeginsWith("name", ?)"#, not: #"NOT dao_ibeginsWith("name", ?)"#,
      [.text("EU")])
  }

  @Test func `a match is false of null, and its negation true`() throws {
    try assertZones(
      .like(\.comment, "*in*"), #"dao_like("comment", ?)"#, not: #"NOT dao_like("comment", ?) OR "comment" IS NULL"#, [.text("*in*")])
    try assertZones(
      .beginsWith(\.comment, "UTC"), #""comment" >= ? AND "comment" < ?"#,
      not: #""comment" < ? OR "comment" >= ? OR "comment" IS NULL"#, [.text("UTC"), .text("UTD")])
  }

  @Test func `words are looked for in the search table`() throws {
    try assertZones(
      .match("summer time"), #""id" IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?)"#,
      not: #""id" NOT IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?)"#, [.text(#""summer" AND "time""#)])
    try assertZones(
      .match(\.comment, .all("sum", prefix: true)), #""id" IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?)"#,
      [.text(#""comment" : ("sum" *)"#)])
  }

  @Test func `the relevance of a match is counted in a subquery that is the same for all rows`() throws {
    try assertSQL(
      SearchCriteria<Clock.Zone>.where(.match("time")).order(by: .relevance(of: FullTextMatch("time"))), for: .keys,
      #"""
      SELECT "id" FROM "zone" \#
      WHERE "id" IN (SELECT rowid FROM "zone_search" WHERE "zone_search" MATCH ?) \#
      ORDER BY (SELECT rank FROM (SELECT rowid AS found, bm25("zone_search") AS rank \#
      FROM "zone_search" WHERE "zone_search" MATCH ? LIMIT -1) WHERE found = "zone"."id") ASC NULLS LAST
      """#,
      [.text(#""time""#), .text(#""time""#)])
  }
}
