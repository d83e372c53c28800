import DAOKit
import Testing

@Suite("Functions in filters and orders")
struct FunctionTests {
  @Test func `lower and upper`() throws {
    try assertFilter(.lower(\.name) == "europe/london", #"dao_lower("name") = ?"#, [.text("europe/london")], finds: [2])
    try assertFilter(.upper(\.name) == "EUROPE/MINSK", #"dao_upper("name") = ?"#, [.text("EUROPE/MINSK")], finds: [5])
    try assertFilter(.upper(\.comment) == "Ä", #"dao_upper("comment") = ?"#, [.text("Ä")], finds: [6])
  }

  @Test func `length counts Unicode scalars, and is null of null`() throws {
    try assertFilter(.length(\.name) == 5, #"dao_length("name") = ?"#, [.integer(5)], finds: [6])
    try assertFilter(.length(\.comment) == 0, #"dao_length("comment") = ?"#, [.integer(0)], finds: [5])
    try assertFilter(.length(\.comment) < 13, #"dao_length("comment") < ?"#, [.integer(13)], finds: [5, 6])
  }

  @Test func `abs`() throws { try assertFilter(.abs(\.offset) == 18000, #"dao_abs("offset") = ?"#, [.integer(18000)], finds: [4]) }

  @Test func `trim takes spaces from both ends`() throws {
    let store = try TestStore()
    try store.zones.insert([Zone("  a b ", 1), Zone("\ta b", 2)])
    try assertZones(
      .where(.trim(\.name) == "a b"), #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE dao_trim("name") = ?"#, [.text("a b")],
      finds: [1], in: store)
  }

  @Test func `coalesce takes a value or another attribute where the first is null`() throws {
    try assertFilter(.coalesce(\.comment, "") == "", #"coalesce("comment", ?) = ?"#, [.text(""), .text("")], finds: [1, 3, 5])
    try assertFilter(
      .coalesce(\.comment, \.name) == "Asia/Kolkata", #"coalesce("comment", "name") = ?"#, [.text("Asia/Kolkata")], finds: [3])
  }

  @Test func `functions of functions, on both sides`() throws {
    try assertFilter(.length(.trim(\.comment)) > 20, #"dao_length(dao_trim("comment")) > ?"#, [.integer(20)], finds: [4])
    try assertFilter(\.name == .lower(\.name), #""name" = dao_lower("name")"#, finds: [5])
    try assertFilter(\.name != .lower(\.name), #""name" IS NOT dao_lower("name")"#, finds: [1, 2, 3, 4, 6])
  }

  @Test func `round is halves away from zero, of doubles; a whole number is round`() throws {
    let point = EntityDescription("point", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("x", .real)])
    let store = try TestStore([point])
    let points = try store.factory.runtimeDAO("point")
    try points.insert(try [0.5, -0.5, 1.4, 2.5].map { try points.make(["x": .real($0)]) })
    let run = try store.trace.during { try points.findAllIDs(.where(.round(.field("x")) == .real(3))) }
    #expect(run.texts == [#"SELECT "id" FROM "point" WHERE dao_round("x") = ?"#] && run.result == [[4]])
    let rounded: [Scalar] = try points.project(.round(.field("x")))
    #expect(rounded == [1.0, -1.0, 1.0, 3.0])
    try assertFilter(.round(\.offset) == 0, #""offset" = ?"#, [.integer(0)], finds: [2])
  }

  @Test func `an aggregate inside a filter is a subquery over all rows`() throws {
    try assertFilter(\.offset == .max(\.offset), #""offset" = (SELECT MAX("offset") FROM "zone")"#, finds: [3])
    try assertFilter(\.offset == .min(\.offset), #""offset" = (SELECT MIN("offset") FROM "zone")"#, finds: [4])
    try assertFilter(\.offset > .max(\.offset), #""offset" > (SELECT MAX("offset") FROM "zone")"#, finds: [])
    try assertFilter(.count(\.comment) == 4, #"(SELECT COUNT("comment") FROM "zone") = ?"#, [.integer(4)], finds: [1, 2, 3, 4, 5, 6])
    try assertFilter(
      .count(distinct: \.offset) > 5, #"(SELECT COUNT(DISTINCT "offset") FROM "zone") > ?"#, [.integer(5)], finds: [])
    try assertFilter(
      .sum(\.offset) == 19800, #"(SELECT dao_sum("offset", 'INTEGER', 'zone', 'offset') FROM "zone") = ?"#, [.integer(19800)],
      finds: [1, 2, 3, 4, 5, 6])
    try assertFilter(
      .average(\.offset) == 3300, #"(SELECT dao_average("offset", 'INTEGER', 'zone', 'offset') FROM "zone") = ?"#, [.real(3300)],
      finds: [1, 2, 3, 4, 5, 6])
    try assertFilter(.count == 6, #"(SELECT COUNT(*) FROM "zone") = ?"#, [.integer(6)], finds: [1, 2, 3, 4, 5, 6])
  }

  @Test func `an aggregate with a filter beside it speaks of all rows, not of the filter's`() throws {
    try assertFilter(
      \.offset == .max(\.offset) && \.comment != nil, #""offset" = (SELECT MAX("offset") FROM "zone") AND "comment" IS NOT NULL"#,
      finds: [])
  }
}

@Suite("Orders")
struct OrderTests {
  let start = #"SELECT "id", "name", "offset", "comment" FROM "zone" ORDER BY "#

  @Test func `ascending has nulls first, descending last`() throws {
    let store = try TestStore.zones()
    try assertZones(
      .all.order(by: .ascending(\.comment), .ascending(\.id)), start + #""comment" ASC NULLS FIRST, "id" ASC NULLS FIRST"#,
      finds: [1, 3, 5, 4, 2, 6], in: store)
    try assertZones(
      .all.order(by: .descending(\.comment), .descending(\.id)), start + #""comment" DESC NULLS LAST, "id" DESC NULLS LAST"#,
      finds: [6, 2, 4, 5, 3, 1], in: store)
  }

  @Test func `nulls go where they are told to`() throws {
    let store = try TestStore.zones()
    try assertZones(
      .all.order(by: .ascending(\.comment, nulls: .last), .ascending(\.id)), start + #""comment" ASC NULLS LAST, "id" ASC NULLS FIRST"#,
      finds: [5, 4, 2, 6, 1, 3], in: store)
    try assertZones(
      .all.order(by: .descending(\.comment, nulls: .first), .ascending(\.id)),
      start + #""comment" DESC NULLS FIRST, "id" ASC NULLS FIRST"#, finds: [1, 3, 6, 2, 4, 5], in: store)
  }

  @Test func `several orders, in mixed directions, on functions too`() throws {
    let store = try TestStore.zones()
    try assertZones(
      .all.order(by: .descending(\.offset), .ascending(\.name)), start + #""offset" DESC NULLS LAST, "name" ASC NULLS FIRST"#,
      finds: [3, 5, 1, 6, 2, 4], in: store)
    try assertZones(
      SearchCriteria<Zone>().order(by: \.offset).order(by: .descending(.lower(\.name))),
      start + #""offset" ASC NULLS FIRST, dao_lower("name") DESC NULLS LAST"#, finds: [4, 2, 6, 1, 5, 3], in: store)
    try assertZones(
      .all.order(by: .ascending(.length(\.comment), nulls: .last), .ascending(\.id)),
      start + #"dao_length("comment") ASC NULLS LAST, "id" ASC NULLS FIRST"#, finds: [5, 6, 2, 4, 1, 3], in: store)
  }
}
