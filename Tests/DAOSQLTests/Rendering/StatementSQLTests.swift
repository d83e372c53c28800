import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of what is done with the rows of a query")
struct StatementSQLTests {
  private let criteria = SearchCriteria<Clock.Country>.where(\.name == "x").order(by: \.name)

  @Test func `entities and keys have the order of the criteria`() throws {
    let end = #" FROM "country" WHERE "name" = ? ORDER BY "name" ASC NULLS FIRST"#
    try assertSQL(criteria, #"SELECT "code", "name", "details""# + end, [.text("x")])
    try assertSQL(criteria, for: .keys, #"SELECT "code""# + end, [.text("x")])
  }

  @Test func `count and exists need no order`() throws {
    try assertSQL(criteria, for: .count, #"SELECT COUNT(*) FROM "country" WHERE "name" = ?"#, [.text("x")])
    try assertSQL(criteria, for: .exists, #"SELECT EXISTS (SELECT 1 FROM "country" WHERE "name" = ?)"#, [.text("x")])
  }

  @Test func `the count of a page is what the page has`() throws {
    let page = SearchCriteria<Clock.Country>.all.order(by: \.name).limit(4, offset: 3)
    #expect(try page.countSQL()?.text == #"SELECT COUNT(*) FROM (SELECT 1 FROM "country" LIMIT ? OFFSET ?)"#)
    try assertSQL(page, for: .exists, #"SELECT EXISTS (SELECT 1 FROM "country" LIMIT ? OFFSET ?)"#, [.integer(4), .integer(3)])
  }

  @Test func `a scope stands before the filter, in every statement`() throws {
    let condition = #"WHERE "details" IS NOT NULL AND "name" = ?"#
    for (use, start) in [
      (Criteria.Use.count, #"SELECT COUNT(*) FROM "country" "#), (.delete, #"DELETE FROM "country" "#),
      (.keys, #"SELECT "code" FROM "country" "#),
    ] {
      try assertSQL(.where(\.name == "x"), for: use, scope: Filter<Clock.Country>.isNotNull(\.details), start + condition, [.text("x")])
    }
  }

  @Test func `a column that is called otherwise than its attribute is named as it is called`() throws {
    try assertSQL(
      SearchCriteria<DynamicEntity>.where(.field("twinID") == 1), in: Crossing.city,
      #"SELECT "id", "name", "population", "twin_id" FROM "city" WHERE "twin_id" = ?"#, [.integer(1)])
  }

  @Test func `quotes in names are doubled`() throws {
    let entity = EntityDescription(
      #"a"b"#, key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("v", .text, column: #"c"d"#)])
    try assertSQL(
      SearchCriteria<DynamicEntity>.where(.field("v") == "x"), for: .keys, in: entity, #"SELECT "id" FROM "a""b" WHERE "c""d" = ?"#,
      [.text("x")])
  }
}
