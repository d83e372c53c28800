import DAOKit
import Testing

// Each filter: its SQL and bindings, the rows that it finds, and that `!` finds exactly the others.

@Suite("Filters")
struct FilterTests {
  @Test func `== a value`() throws { try assertFilter(\.offset == 3600, #""offset" = ?"#, [.integer(3600)], finds: [1, 6]) }

  @Test func `== nil is IS NULL`() throws { try assertFilter(\.comment == nil, #""comment" IS NULL"#, finds: [1, 3]) }

  @Test func `!= a value includes null rows`() throws {
    try assertFilter(\.comment != "ä", #""comment" IS NOT ?"#, [.text("ä")], finds: [1, 2, 3, 4, 5])
  }

  @Test func `!= nil is IS NOT NULL`() throws { try assertFilter(\.comment != nil, #""comment" IS NOT NULL"#, finds: [2, 4, 5, 6]) }

  @Test func `< a value`() throws { try assertFilter(\.offset < 0, #""offset" < ?"#, [.integer(0)], finds: [4]) }
  @Test func `<= a value`() throws { try assertFilter(\.offset <= 0, #""offset" <= ?"#, [.integer(0)], finds: [2, 4]) }
  @Test func `> a value`() throws { try assertFilter(\.offset > 10800, #""offset" > ?"#, [.integer(10800)], finds: [3]) }
  @Test func `>= a value`() throws { try assertFilter(\.offset >= 10800, #""offset" >= ?"#, [.integer(10800)], finds: [3, 5]) }

  @Test func `a comparison with a null operand is false, and its negation true`() throws {
    try assertFilter(\.comment < "V", #""comment" < ?"#, [.text("V")], finds: [2, 4, 5])
    try assertFilter(!(\.comment < "V"), #""comment" >= ? OR "comment" IS NULL"#, [.text("V")], finds: [1, 3, 6])
  }

  @Test func `between includes both ends`() throws {
    try assertFilter(.between(\.offset, 0, 3600), #""offset" BETWEEN ? AND ?"#, [.integer(0), .integer(3600)], finds: [1, 2, 6])
    try assertFilter(.between(\.offset, 0...3600), #""offset" BETWEEN ? AND ?"#, [.integer(0), .integer(3600)], finds: [1, 2, 6])
    try assertFilter(
      !.between(\.comment, "A", "V"), #""comment" < ? OR "comment" > ? OR "comment" IS NULL"#, [.text("A"), .text("V")],
      finds: [1, 3, 4, 5, 6])
    try assertFilter(.between(\.offset, 3600, 0), #""offset" BETWEEN ? AND ?"#, [.integer(3600), .integer(0)], finds: [])
  }

  @Test func `in, and not in with null rows`() throws {
    let list = "(SELECT value FROM temp.json_each(?))"
    try assertFilter(.in(\.offset, [0, 3600]), #""offset" IN \#(list)"#, [.text("[0,3600]")], finds: [1, 2, 6])
    try assertFilter(.notIn(\.offset, [0, 3600]), #""offset" NOT IN \#(list)"#, [.text("[0,3600]")], finds: [3, 4, 5])
    try assertFilter(
      .notIn(\.comment, ["ä", #"""#]), #""comment" NOT IN \#(list) OR "comment" IS NULL"#, [.text(#"["ä","\""]"#)],
      finds: [1, 2, 3, 4, 5])
  }

  @Test func `nil among the values stands for null rows`() throws {
    let list = "(SELECT value FROM temp.json_each(?))"
    try assertFilter(.in(\.comment, ["ä", nil]), #""comment" IN \#(list) OR "comment" IS NULL"#, [.text(#"["ä"]"#)], finds: [1, 3, 6])
    try assertFilter(.notIn(\.comment, ["ä", nil]), #""comment" NOT IN \#(list)"#, [.text(#"["ä"]"#)], finds: [2, 4, 5])
    try assertFilter(.in(\.comment, [nil]), #""comment" IS NULL"#, finds: [1, 3])
  }

  @Test func `a list of 100,000 values runs`() throws {
    let store = try TestStore.zones()
    #expect(try store.zones.findAllIDs(.where(.in(\.offset, 3600..<103_600) && \.comment == nil).order(by: \.name).limit(1)) == [3])
  }

  @Test func `is null and is not null`() throws {
    try assertFilter(.isNull(\.comment), #""comment" IS NULL"#, finds: [1, 3])
    try assertFilter(.isNotNull(\.comment), #""comment" IS NOT NULL"#, finds: [2, 4, 5, 6])
  }

  @Test func `or, and, not: negation goes to the leaves`() throws {
    try assertFilter(
      (\.offset == 0 || \.offset == 3600) && \.comment != nil, #"("offset" = ? OR "offset" = ?) AND "comment" IS NOT NULL"#,
      [.integer(0), .integer(3600)], finds: [2, 6])
    try assertFilter(
      !(\.offset == 0 || \.comment == nil), #""offset" IS NOT ? AND "comment" IS NOT NULL"#, [.integer(0)], finds: [4, 5, 6])
    try assertFilter(
      !(\.offset > 0 && \.comment > "a"), #""offset" <= ? OR ("comment" <= ? OR "comment" IS NULL)"#, [.integer(0), .text("a")],
      finds: [1, 2, 3, 4, 5])
    try assertFilter(.and(\.offset > 0, \.offset < 5000), #""offset" > ? AND "offset" < ?"#, [.integer(0), .integer(5000)], finds: [1, 6])
    try assertFilter(
      .or(\.offset == 0, \.offset == 19800), #""offset" = ? OR "offset" = ?"#, [.integer(0), .integer(19800)], finds: [2, 3])
  }

  @Test func `a filter is skipped only where it says so`() throws {
    let absent: Int? = nil
    #expect(SearchCriteria<Zone>.where(.optional(absent) { \.offset == $0 }) == .all)
    try assertFilter(.optional(0) { \.offset == $0 }, #""offset" = ?"#, [.integer(0)], finds: [2])
  }

  @Test func `a list of 10,000 filters runs`() throws {
    let store = try TestStore.zones()
    #expect(try store.zones.count(.where(.any((0..<10_000).map { \.offset == $0 }))) == 3)
    #expect(try store.zones.count(.where(.all((1..<10_000).map { \.offset != $0 }))) == 4)
    var folded: Filter<Zone> = \.offset == 3600
    for _ in 0..<5000 { folded = !folded }
    for _ in 0..<1000 { folded = folded && \.offset > 0 }
    #expect(try store.zones.count(.where(folded)) == 2)
  }
}

@Suite("Attribute against attribute")
struct AttributePairTests {
  static let pair = EntityDescription(
    "pair", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("a", .integer, optional: true), Attribute("b", .integer, optional: true)])

  /// Every pair of nil, 1 and 2; ids count from 1: a = nil for 1 to 3, b = nil for 1, 4, 7.
  func store() throws -> (TestStore, RuntimeDAO<DynamicEntity>) {
    let store = try TestStore([Self.pair])
    let dao = try store.factory.runtimeDAO("pair")
    let values: [Scalar] = [.null, 1, 2]
    try dao.insert(try values.flatMap { a in try values.map { try dao.make(["a": a, "b": $0]) } })
    return (store, dao)
  }

  @Test(
    arguments: [
      (Criteria.Comparison.equal, #""a" IS "b""#, [1, 5, 9]), (.notEqual, #""a" IS NOT "b""#, [2, 3, 4, 6, 7, 8]),
      (.less, #""a" < "b""#, [6]), (.lessOrEqual, #""a" <= "b""#, [5, 6, 9]), (.greater, #""a" > "b""#, [8]),
      (.greaterOrEqual, #""a" >= "b""#, [5, 8, 9]),
    ] as [(Criteria.Comparison, String, [Int64])])
  func `two attributes compare, null to null too`(_ comparison: Criteria.Comparison, _ text: String, _ keys: [Int64]) throws {
    let (store, dao) = try store()
    let filter = Filter<DynamicEntity>(.compare(.field(FieldPath("a")), comparison, .field(FieldPath("b"))))
    let run = try store.trace.during { try dao.findAllIDs(.where(filter)) }
    #expect(run.texts == [#"SELECT "id" FROM "pair" WHERE "# + text])
    #expect(run.result == keys.map { [.integer($0)] })
    let others = try dao.findAllIDs(.where(!filter))
    #expect(Set(others) == Set((1...9).filter { !keys.contains($0) }.map { [.integer($0)] }))
  }

  @Test func `operators and twins over two attributes mean the same`() throws {
    let store = try TestStore.zones()
    #expect((\.name == \.comment) as Filter<Zone> == .equal(\.name, \.comment))
    #expect((\.name != \.comment) as Filter<Zone> == .notEqual(\.name, \.comment))
    #expect((\.name < \.comment) as Filter<Zone> == .less(\.name, \.comment))
    #expect((\.name <= \.comment) as Filter<Zone> == .lessOrEqual(\.name, \.comment))
    #expect((\.name > \.comment) as Filter<Zone> == .greater(\.name, \.comment))
    #expect((\.name >= \.comment) as Filter<Zone> == .greaterOrEqual(\.name, \.comment))
    try assertZones(
      .where(\.name < \.comment), #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "name" < "comment""#,
      finds: [2, 6], in: store)
  }

  @Test func `functions stand on either side of an operator`() throws {
    let store = try TestStore.zones()
    #expect((.lower(\.name) == .lower(\.comment)) as Filter<Zone> == .equal(.lower(\.name), .lower(\.comment)))
    #expect(try store.zones.findAllIDs(.where(.max(\.offset) == \.offset)) == store.zones.findAllIDs(.where(\.offset == .max(\.offset))))
    #expect(try store.zones.count(.where(.max(\.offset) == \.offset)) == 1)
    #expect(
      try store.zones.findAll(SearchCriteria().order(by: \.offset, \.name)).map(\.id)
        == store.zones.findAll(
          SearchCriteria().order(by: .ascending(\.offset), .ascending(\.name))
        ).map(\.id))
  }

  @Test func `everyday spellings compile and mean what they say`() throws {
    let zones = try TestStore.zones().zones
    let report = SearchCriteria<Zone>.all.project(.group(by: \.comment), .count)
    #expect(try zones.dictionaries(report.having(.count > 1)).count == zones.dictionaries(report.having { _ in .count >= 2 }).count)
    #expect(try zones.dictionaries(report.order(by: .descending(.count)).limit(1)).count == 1)
    #expect(try zones.findAll(SearchCriteria().order(by: .ascending(.lower(\.name)))).count == 6)
    let row = try #require(try TestStore.zones().factory.runtimeDAO("zone").findFirst())
    #expect("\(row)".hasPrefix("zone(id: 1, name: "))
  }

  @Test func `the SQL within a scope and of a dynamic entity is what is sent`() throws {
    final class Named: DAO<Zone>, @unchecked Sendable { override var scope: Filter<Zone> { \.comment != nil } }
    let store = try TestStore.zones()
    let named = store.factory.dao(Named.init)
    let criteria = SearchCriteria<Zone>.where(\.offset > 0)
    let run = try store.trace.during { try named.findAll(criteria) }
    #expect(try criteria.sql(for: .sqlite, in: named.target)?.text == run.texts.first)
    let dynamic = try store.factory.runtimeDAO("zone")
    let filter = SearchCriteria<DynamicEntity>.where(.field("offset") > 0)
    let dynamicRun = try store.trace.during { try dynamic.findAll(filter) }
    #expect(try filter.sql(for: .sqlite, in: dynamic.target)?.text == dynamicRun.texts.last)
    #expect(try filter.countSQL(in: dynamic.target)?.text == #"SELECT COUNT(*) FROM "zone" WHERE "offset" > ?"#)
  }
}
