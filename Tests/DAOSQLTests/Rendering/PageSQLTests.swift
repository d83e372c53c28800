import CriteriaTesting
import DAOCriteria
import Testing

@testable import DAOSQL

@Suite("SQL of pages after positions")
struct PageSQLTests {
  private typealias Cities = SearchCriteria<DynamicEntity>

  /// Asserts the statement of a page of cities after a position, or before it.
  private func page(
    _ criteria: Cities, isBackward: Bool = false, after position: [StoredValue], _ text: String, _ bindings: [StoredValue],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let target = EntityTarget(Crossing.city)
    let token = PageToken(position, in: criteria.criteria, of: target)
    let request = PageRequest(isBackward ? .before(token) : .after(token), size: 5)
    let statement = try #require(try criteria.pageSQL(request, in: target), sourceLocation: sourceLocation)
    #expect(statement.text == text, sourceLocation: sourceLocation)
    #expect(statement.bindings == bindings, sourceLocation: sourceLocation)
  }

  @Test func `the first page is ordered to its key, and has one row more`() throws {
    let statement = try #require(
      try SearchCriteria<Clock.Country>.where(\.name > "A").order(by: .descending(\.name)).pageSQL(PageRequest(size: 5)))
    #expect(
      statement.text == #"""
        SELECT "code", "name", "details" FROM "country" WHERE "name" > ? \#
        ORDER BY "name" DESC NULLS LAST, "code" DESC NULLS LAST LIMIT ?
        """#)
    #expect(statement.bindings == [.text("A"), .integer(6)])
  }

  @Test func `a page of a number passes over the rows before it`() throws {
    let statement = try #require(try SearchCriteria<Clock.Country>.all.pageSQL(PageRequest(.number(3), size: 5, total: .omitted)))
    #expect(
      statement.text == #"SELECT "code", "name", "details" FROM "country" ORDER BY "code" ASC NULLS FIRST LIMIT ? OFFSET ?"#)
    #expect(statement.bindings == [.integer(5), .integer(10)])
  }

  @Test func `of the key alone there is one range, and backward is the other way round`() throws {
    let start = #"SELECT "id", "name", "population", "twin_id" FROM "city" WHERE "#
    try page(.all, after: [.integer(3)], start + #""id" > ? ORDER BY "id" ASC NULLS FIRST LIMIT ?"#, [.integer(3), .integer(6)])
    try page(
      .all, isBackward: true, after: [.integer(3)], start + #""id" < ? ORDER BY "id" DESC NULLS LAST LIMIT ?"#, [.integer(3), .integer(6)])
  }

  @Test func `the rows after a position are one range after the other, each with its own order and limit`() throws {
    try page(
      .where(.field("id") > 3).order(by: .ascending(.field("name")), .descending(.field("population"))),
      after: [.text("n"), .integer(7), .integer(4)],
      #"""
      SELECT * FROM (SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "id" > ?1 AND ("name" = ?2 AND "population" = ?3 AND "id" > ?4) \#
      ORDER BY "id" ASC NULLS FIRST LIMIT ?5) \#
      UNION ALL \#
      SELECT * FROM (SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "id" > ?1 AND ("name" = ?2 AND "population" < ?3) \#
      ORDER BY "population" DESC NULLS LAST, "id" ASC NULLS FIRST LIMIT ?5) \#
      UNION ALL \#
      SELECT * FROM (SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "id" > ?1 AND ("name" = ?2 AND "population" IS NULL) \#
      ORDER BY "id" ASC NULLS FIRST LIMIT ?5) \#
      UNION ALL \#
      SELECT * FROM (SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "id" > ?1 AND "name" > ?2 \#
      ORDER BY "name" ASC NULLS FIRST, "population" DESC NULLS LAST, "id" ASC NULLS FIRST LIMIT ?5) LIMIT ?5
      """#,
      [.integer(3), .text("n"), .integer(7), .integer(4), .integer(6)])
  }

  @Test func `after a null that comes first are the rows that are not null, and after one that comes last none`() throws {
    try page(
      .all.order(by: .ascending(.field("population"))), after: [.null, .integer(4)],
      #"""
      SELECT * FROM (SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "population" IS NULL AND "id" > ?1 \#
      ORDER BY "id" ASC NULLS FIRST LIMIT ?2) \#
      UNION ALL \#
      SELECT * FROM (SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "population" IS NOT NULL \#
      ORDER BY "population" ASC NULLS FIRST, "id" ASC NULLS FIRST LIMIT ?2) LIMIT ?2
      """#,
      [.integer(4), .integer(6)])
    try page(
      .all.order(by: .ascending(.field("population"), nulls: .last)), after: [.null, .integer(4)],
      #"""
      SELECT "id", "name", "population", "twin_id" FROM "city" \#
      WHERE "population" IS NULL AND "id" > ? \#
      ORDER BY "id" ASC NULLS FIRST LIMIT ?
      """#,
      [.integer(4), .integer(6)])
  }

  @Test func `of an entity with a generated key the ranges find keys, by which the rows are looked up`() throws {
    let criteria = SearchCriteria<Clock.Zone>.all.order(by: \.name)
    let token = PageToken([.text("n"), .integer(4)], in: criteria.criteria, of: EntityTarget(Clock.Zone.entityDescription))
    let statement = try #require(try criteria.pageSQL(PageRequest(.after(token), size: 5)))
    #expect(
      statement.text == #"""
        SELECT "id", "name", "standardOffset", "latitude", "comment", "countryCode" FROM \#
        (SELECT "id" AS "row_key" FROM "zone" WHERE "name" = ?1 AND "id" > ?2 \#
        ORDER BY "id" ASC NULLS FIRST LIMIT ?3) AS "row_keys" \#
        CROSS JOIN "zone" ON "zone"."id" = "row_keys"."row_key" \#
        UNION ALL \#
        SELECT "id", "name", "standardOffset", "latitude", "comment", "countryCode" FROM \#
        (SELECT "id" AS "row_key" FROM "zone" WHERE "name" > ?1 \#
        ORDER BY "name" ASC NULLS FIRST, "id" ASC NULLS FIRST LIMIT ?3) AS "row_keys" \#
        CROSS JOIN "zone" ON "zone"."id" = "row_keys"."row_key" LIMIT ?3
        """#)
    #expect(statement.bindings == [.text("n"), .integer(4), .integer(6)])
  }

  @Test func `what no attribute holds is read with the page, for its positions`() throws {
    let criteria = SearchCriteria<Clock.Country>.all.order(by: .descending(.lower(\.name)), .ascending(.coalesce(\.details, "-")))
    #expect(
      try criteria.pageSQL(PageRequest(size: 4))?.text == #"""
        SELECT "code", "name", "details", dao_lower("name"), coalesce("details", ?1) FROM "country" \#
        ORDER BY dao_lower("name") DESC NULLS LAST, coalesce("details", ?1) ASC NULLS FIRST, "code" DESC NULLS LAST LIMIT ?2
        """#)
  }

  @Test func `where the rows' order is of no account a position is one condition`() throws {
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("population")))]
    criteria.after = [.integer(6), .integer(1)]
    try assertSQL(
      Cities(criteria), for: .count, in: Crossing.city,
      #"SELECT COUNT(*) FROM "city" WHERE ("population" = ?1 AND "id" > ?2) OR "population" > ?1"#, [.integer(6), .integer(1)])
  }
}
