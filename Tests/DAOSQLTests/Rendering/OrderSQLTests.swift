import CriteriaTesting
import DAOCriteria
import DAOSQL
import Testing

@Suite("SQL of orders, limits and offsets")
struct OrderSQLTests {
  private typealias Zones = SearchCriteria<Clock.Zone>

  private let start = #"SELECT "id", "name", "standardOffset", "latitude", "comment", "countryCode" FROM "zone" "#

  @Test func `where nulls go is always written: first in an ascending order, last in a descending one, or where the order says`() throws {
    try assertSQL(
      Zones.all.order(by: .ascending(\.comment), .descending(\.latitude)),
      start + #"ORDER BY "comment" ASC NULLS FIRST, "latitude" DESC NULLS LAST"#)
    try assertSQL(
      Zones.all.order(by: .ascending(\.comment, nulls: .last), .descending(\.latitude, nulls: .first)),
      start + #"ORDER BY "comment" ASC NULLS LAST, "latitude" DESC NULLS FIRST"#)
  }

  @Test func `where null can't be, nulls go where an index has them`() throws {
    try assertSQL(
      Zones.all.order(by: .ascending(\.name, nulls: .last), .descending(\.id, nulls: .first)),
      start + #"ORDER BY "name" ASC NULLS FIRST, "id" DESC NULLS LAST"#)
  }

  @Test func `functions, and attributes over there`() throws {
    try assertSQL(
      Zones.all.order(by: .descending(.lower(\.name)), .ascending(.length(\.comment), nulls: .last)),
      start + #"ORDER BY dao_lower("name") DESC NULLS LAST, dao_length("comment") ASC NULLS LAST"#)
    try assertSQL(
      Zones.all.order(by: \.country.name),
      start
        + #"""
        ORDER BY (SELECT "t1"."name" FROM "country" AS "t1" WHERE "t1"."code" = "zone"."countryCode") ASC NULLS FIRST
        """#)
  }

  @Test func `decimals that are stored as text are ordered as numbers`() throws {
    try assertSQL(
      SearchCriteria<DynamicEntity>.all.order(by: .descending(.field("decimal"))), for: .keys, in: Clock.sample,
      #"SELECT "integer" FROM "sample" ORDER BY "decimal" COLLATE dao_decimal DESC NULLS LAST"#)
  }

  @Test func `limit and offset end in the primary key, unless it is ordered by already`() throws {
    try assertSQL(Zones.all.limit(2), start + #"ORDER BY "id" ASC NULLS FIRST LIMIT ?"#, [.integer(2)])
    try assertSQL(
      Zones.all.order(by: \.comment).limit(2, offset: 4),
      start + #"ORDER BY "comment" ASC NULLS FIRST, "id" ASC NULLS FIRST LIMIT ? OFFSET ?"#, [.integer(2), .integer(4)])
    try assertSQL(
      Zones.all.order(by: .descending(\.comment)).limit(2),
      start + #"ORDER BY "comment" DESC NULLS LAST, "id" DESC NULLS LAST LIMIT ?"#, [.integer(2)])
    try assertSQL(Zones.all.order(by: .descending(\.id)).limit(1), start + #"ORDER BY "id" DESC NULLS LAST LIMIT ?"#, [.integer(1)])
    try assertSQL(
      SearchCriteria<Clock.Transition>.all.limit(1),
      #"SELECT "zoneID", "instant", "offset" FROM "transition" ORDER BY "zoneID" ASC NULLS FIRST, "instant" ASC NULLS FIRST LIMIT ?"#,
      [.integer(1)])
  }

  @Test func `an offset has a limit before it, of -1 where there is none`() throws {
    try assertSQL(Zones.all.offset(4), start + #"ORDER BY "id" ASC NULLS FIRST LIMIT -1 OFFSET ?"#, [.integer(4)])
  }

  @Test func `limit 0 is no statement`() throws { #expect(try Zones.all.limit(0).sql() == nil) }
}
