import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of reports")
struct ReportSQLTests {
  private typealias Zones = SearchCriteria<Clock.Zone>

  @Test func `only what is projected is selected`() throws {
    try assertSQL(
      Zones.where(\.standardOffset == 0)
        .project(.field(\.name), .upper(\.name), .function(.length(\.comment)), .function(.coalesce(\.comment, "-"))),
      #"""
      SELECT "name", dao_upper("name"), dao_length("comment"), coalesce("comment", ?) FROM "zone" \#
      WHERE "standardOffset" = ?
      """#,
      [.text("-"), .integer(0)])
  }

  @Test func `every aggregate`() throws {
    try assertSQL(
      Zones.all.project(
        .min(\.name), .max(\.name), .sum(\.standardOffset), .average(\.standardOffset), .count, .count(\.comment), .count(distinct: \.name),
        .function(.groupConcat(\.name, order: .ascending(\.latitude)))),
      #"""
      SELECT MIN("name"), MAX("name"), \#
      dao_sum("standardOffset", 'INTEGER', 'zone', 'standardOffset'), dao_average("standardOffset", 'INTEGER', 'zone', 'standardOffset'), \#
      COUNT(*), COUNT("comment"), COUNT(DISTINCT "name"), \#
      dao_groupConcat("name", ?, "latitude", 'ASC NULLS FIRST REAL') FROM "zone"
      """#,
      [.text(", ")])
  }

  @Test func `group by and having`() throws {
    try assertSQL(
      Zones.where(\.standardOffset >= 0).project(.group(by: \.standardOffset), .max(\.name), .count)
        .having(.count > 1).order(by: .descending(\.standardOffset)),
      #"""
      SELECT "standardOffset", MAX("name"), COUNT(*) FROM "zone" \#
      WHERE "standardOffset" >= ? \#
      GROUP BY "standardOffset" \#
      HAVING COUNT(*) > ? \#
      ORDER BY "standardOffset" DESC NULLS LAST
      """#,
      [.integer(0), .integer(1)])
  }

  @Test func `groups by a function; having is as strict about null as filters are`() throws {
    let groups = Zones.all.project(.group(by: .lower(\.comment)), .count)
    try assertSQL(
      groups.having(.max(\.comment) < "V"),
      #"""
      SELECT dao_lower("comment"), COUNT(*) FROM "zone" \#
      GROUP BY dao_lower("comment") \#
      HAVING MAX("comment") < ?
      """#,
      [.text("V")])
    try assertSQL(
      groups.having(!(.max(\.comment) < "V")),
      #"""
      SELECT dao_lower("comment"), COUNT(*) FROM "zone" \#
      GROUP BY dao_lower("comment") \#
      HAVING MAX("comment") >= ? OR MAX("comment") IS NULL
      """#,
      [.text("V")])
  }

  @Test func `a page of groups ends in what they are grouped by`() throws {
    try assertSQL(
      Zones.all.project(.group(by: \.standardOffset), .count).order(by: .descending(.count)).limit(2),
      #"""
      SELECT "standardOffset", COUNT(*) FROM "zone" \#
      GROUP BY "standardOffset" \#
      ORDER BY COUNT(*) DESC NULLS LAST, "standardOffset" ASC NULLS FIRST LIMIT ?
      """#,
      [.integer(2)])
  }

  @Test func `distinct rows are ordered by what they have, and counted once`() throws {
    let criteria = Zones.where(\.standardOffset > 0).project(.field(\.standardOffset)).distinct()
    try assertSQL(criteria, #"SELECT DISTINCT "standardOffset" FROM "zone" WHERE "standardOffset" > ?"#, [.integer(0)])
    try assertSQL(
      criteria.limit(2),
      #"""
      SELECT DISTINCT "standardOffset" FROM "zone" \#
      WHERE "standardOffset" > ? \#
      ORDER BY "standardOffset" ASC NULLS FIRST LIMIT ?
      """#,
      [.integer(0), .integer(2)])
    #expect(
      try criteria.order(by: \.standardOffset).countSQL()?.text == #"""
        SELECT COUNT(*) FROM (SELECT DISTINCT "standardOffset" FROM "zone" \#
        WHERE "standardOffset" > ? ORDER BY "standardOffset" ASC NULLS FIRST)
        """#)
  }

  @Test func `aggregates over a page speak of the page's rows`() throws {
    try assertSQL(
      SearchCriteria<Clock.Country>.all.project(.max(\.name), .count).order(by: .descending(\.name)).limit(2, offset: 1),
      #"""
      SELECT MAX("name"), COUNT(*) \#
      FROM (SELECT "code", "name", "details" FROM "country" \#
      ORDER BY "name" DESC NULLS LAST, "code" DESC NULLS LAST LIMIT ? OFFSET ?) AS "country"
      """#,
      [.integer(2), .integer(1)])
  }

  @Test func `sums by the year of a date bind the offset from UTC once for the column and its group`() throws {
    try assertSQL(
      SearchCriteria<Clock.Transition>.all.project(.group(by: .startOf(.year, \.instant)), .sum(\.offset))
        .order(by: .ascending(.startOf(.year, \.instant))),
      #"""
      SELECT dao_startOfYear("instant", 'DATETIME_SECONDS', ?1), dao_sum("offset", 'INTEGER', 'transition', 'offset') FROM "transition" \#
      GROUP BY dao_startOfYear("instant", 'DATETIME_SECONDS', ?1) \#
      ORDER BY dao_startOfYear("instant", 'DATETIME_SECONDS', ?2) ASC NULLS FIRST
      """#,
      [.integer(0), .integer(0)])
  }
}
