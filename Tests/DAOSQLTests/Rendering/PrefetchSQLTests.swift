import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of prefetches")
struct PrefetchSQLTests {
  private let list = "(SELECT value FROM temp.json_each(?))"

  @Test func `one statement for each relationship, and an order`() throws {
    let criteria = SearchCriteria<Clock.Zone>().prefetch(\.transitions, order: .descending(\.offset)).prefetch("country")
    #expect(
      try criteria.prefetchSQL() == [
        SQL.PrefetchStatement(path: "country", text: #"SELECT "code", "name", "details" FROM "country" WHERE "code" IN \#(list)"#),
        SQL.PrefetchStatement(
          path: "transitions",
          text: #"""
            SELECT "zoneID", "instant", "offset" FROM "transition" \#
            WHERE "zoneID" IN \#(list) \#
            ORDER BY "offset" DESC NULLS LAST
            """#),
      ])
    #expect(try SearchCriteria<Clock.Zone>().prefetchSQL() == [])
  }

  @Test func `two statements for one through pairs`() throws {
    #expect(
      try SearchCriteria<DynamicEntity>().prefetch("rivers").prefetchSQL(in: EntityTarget(Crossing.city)) == [
        SQL.PrefetchStatement(
          path: "rivers", text: #"SELECT DISTINCT "city_id", "river" FROM "city_river" WHERE "city_id" IN \#(list)"#),
        SQL.PrefetchStatement(path: "rivers", text: #"SELECT "name" FROM "river" WHERE "name" IN \#(list)"#),
      ])
  }

  @Test func `a name that is no relationship is reported`() {
    #expect(
      problems { _ = try SearchCriteria<Clock.Country>().prefetch("zonez").prefetchSQL() }
        == ["zonez: country has no relationship 'zonez'; did you mean 'zones'?"])
  }
}
