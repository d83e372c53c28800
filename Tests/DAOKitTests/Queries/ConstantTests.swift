import DAOKit
import Testing

@Suite("Filters that are true or false of every row")
struct ConstantTests {
  /// Filters that no row fits, by their form.
  static let never: [Filter<Zone>] = [
    .in(\.offset, []), .in(\.comment, []), !.notIn(\.comment, []), .nothing, .any([]), !.all([]), .in(\.offset, []) && \.name == "x",
    !(.notIn(\.offset, []) || \.name == "x"), .in(\.offset, []) || .in(\.comment, []), \.name == "x" && (.in(\.offset, []) && \.offset > 1),
  ]

  @Test(arguments: never)
  func `no statement is sent where the whole filter is false`(_ filter: Filter<Zone>) throws {
    let store = try TestStore.zones()
    let criteria = SearchCriteria<Zone>.where(filter)
    #expect(try criteria.sql(for: .sqlite) == nil && criteria.countSQL(for: .sqlite) == nil)
    let zones = store.zones
    let sent = try store.trace.during { () throws in
      #expect(try zones.findAll(criteria).isEmpty)
      #expect(try zones.findAllIDs(criteria).isEmpty)
      #expect(try zones.findFirst(criteria) == nil)
      #expect(try zones.count(criteria) == 0)
      #expect(try !zones.exists(criteria))
      #expect(try zones.dictionaries(criteria.project(.field(\.name))).isEmpty)
      #expect(try zones.page(criteria, size: 2).items.isEmpty)
      #expect(try zones.delete(criteria) == 0)
      #expect(try zones.update(criteria, set: .set(\.offset, to: 1)) == 0)
    }
    #expect(sent.texts == [])
    #expect(try zones.count(.where(!filter)) == 6)
  }

  @Test func `an aggregate over no rows is still asked for`() throws {
    let store = try TestStore.zones()
    let criteria = SearchCriteria<Zone>.where(.in(\.offset, []))
    let rows = try store.zones.project(.count, .sum(\.offset), .max(\.name), .average(\.offset), matching: criteria)
    #expect(rows.count == 1 && rows[0].0 == 0 && rows[0].1 == nil && rows[0].2 == nil && rows[0].3 == nil)
  }

  /// Filters that every row fits, nulls included.
  @Test(
    arguments: [.notIn(\.comment, []), !.in(\.comment, []), .notIn(\.offset, []) || \.name == "x", .everything, .all([]), !.any([])]
      as [Filter<Zone>])
  func `not in [] matches every row, nulls included, also under not and inside or`(_ filter: Filter<Zone>) throws {
    let store = try TestStore.zones()
    try assertZones(
      .where(filter), #"SELECT "id", "name", "offset", "comment" FROM "zone""#, finds: [1, 2, 3, 4, 5, 6], in: store)
    #expect(try store.zones.count(.where(!filter)) == 0)
  }

  @Test func `a part that is constant leaves the others`() throws {
    try assertFilter(.in(\.offset, []) || \.offset == 0, #""offset" = ?"#, [.integer(0)], finds: [2])
    try assertFilter(.notIn(\.offset, []) && \.offset == 0, #""offset" = ?"#, [.integer(0)], finds: [2])
  }

  @Test func `limit 0 returns nothing and sends nothing`() throws {
    let store = try TestStore.zones()
    let sent = try store.trace.during { () throws in
      #expect(try store.zones.findAll(.all.limit(0)).isEmpty)
      #expect(try store.zones.count(.all.limit(0)) == 0)
    }
    #expect(sent.texts == [])
  }
}
