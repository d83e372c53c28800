import CriteriaTesting
import DAOKit
import TestCases
import Testing

@Suite("Pages")
struct PageTests {
  let start = #"SELECT "id", "name", "offset", "comment" FROM "zone" "#

  @Test func `limit and offset end in the primary key, unless it is ordered by already`() throws {
    let store = try TestStore.zones()
    try assertZones(.all.limit(2), start + #"ORDER BY "id" ASC NULLS FIRST LIMIT ?"#, [.integer(2)], finds: [1, 2], in: store)
    try assertZones(
      .all.order(by: .ascending(\.offset)).limit(2, offset: 2),
      start + #"ORDER BY "offset" ASC NULLS FIRST, "id" ASC NULLS FIRST LIMIT ? OFFSET ?"#, [.integer(2), .integer(2)], finds: [1, 6],
      in: store)
    try assertZones(.all.offset(4), start + #"ORDER BY "id" ASC NULLS FIRST LIMIT -1 OFFSET ?"#, [.integer(4)], finds: [5, 6], in: store)
    try assertZones(
      .all.order(by: .descending(\.id)).limit(1), start + #"ORDER BY "id" DESC NULLS LAST LIMIT ?"#, [.integer(1)], finds: [6], in: store)
  }

  @Test func `pages of rows with equal orders neither repeat nor lose a row`() throws {
    let store = try TestStore()
    var random = RandomSource(seed: TestCases.seed)
    try store.zones.insert((0..<97).map { Zone("\($0)", $0 % 3, $0 % 2 == 0 ? nil : "x") }.shuffled(using: &random))
    for size in [1, 2, 7, 96, 97, 98] {
      var (found, number) = ([Zone](), 1)
      while true {
        let page = try store.zones.page(.all.order(by: .descending(\.comment), .ascending(\.offset)), number: number, size: size)
        #expect(page.total == nil && page.hasPrevious == (number > 1))
        found += page.items
        if !page.hasNext { break }
        #expect(page.items.count == size)
        number += 1
      }
      #expect(found.count == 97 && Set(found.map(\.name)).count == 97)
      #expect(
        found
          == found.sorted {
            (-($0.comment ?? "").count, $0.offset, -($0.id ?? 0)) < (-($1.comment ?? "").count, $1.offset, -($1.id ?? 0))
          })
    }
  }

  @Test func `hasNext costs one row more, and the total a statement only where it is asked for`() throws {
    let store = try TestStore.zones()
    let criteria = SearchCriteria<Zone>.where(\.offset > 0)
    let page = start + #"WHERE "offset" > ? ORDER BY "id" ASC NULLS FIRST LIMIT ?"#
    let first = try store.trace.during { try store.zones.page(criteria, size: 3) }
    #expect(first.texts == [page] && first.result.hasNext && first.result.items.count == 3)
    let counted = try store.trace.during { try store.zones.page(criteria, size: 3, total: .exact) }
    #expect(counted.result.total == 4 && counted.result.hasNext)
    #expect(counted.texts == [page, #"SELECT COUNT(*) FROM "zone" WHERE "offset" > ?"#])
    let last = try store.trace.during { try store.zones.page(criteria, number: 2, size: 3, total: .exact) }
    #expect(last.result.total == 4 && last.result.items.count == 1 && last.texts == [page + " OFFSET ?"], "the last page shows the total")
    #expect(try store.zones.page(.where(\.offset > .max), size: 3, total: .exact).total == 0)
  }

  @Test func `a page beyond the last is empty`() throws {
    let page = try TestStore.zones().zones.page(number: 9, size: 3, total: .exact)
    #expect(page.items.isEmpty && !page.hasNext && !page.hasPrevious && page.total == 6)
  }

  @Test func `a store refuses a page that can't be, and a limit below 0`() throws {
    let zones = try TestStore.zones().zones
    #expect(problems { _ = try zones.page(number: 0, size: 0) } == ["the page's number is 0; pages count from 1", "the page's size is 0"])
    #expect(problems { _ = try zones.page(.all.offset(5), size: 2, before: nil) }.count == 1)
    #expect(problems { _ = try zones.findFirst(.all.limit(-1)) } == ["limit: is -1; it can't be negative"])
  }

  @Test func `a limit below 0 is refused too where a sound one of the same shape came before, and nothing is deleted`() throws {
    let zones = try TestStore.zones().zones
    let some = SearchCriteria<Zone>.where(\.offset > -100_000)
    #expect(try zones.findAll(some.limit(2)).count == 2)
    #expect(problems { _ = try zones.findAll(some.limit(-1)) } == ["limit: is -1; it can't be negative"])
    #expect(try zones.findAll(some.limit(2, offset: 3)).count == 2)
    #expect(problems { _ = try zones.findAll(some.limit(2, offset: -3)) } == ["offset: is -3; it can't be negative"])
    #expect(try zones.delete(some.limit(1)) == 1)
    #expect(problems { _ = try zones.delete(some.limit(-1)) } == ["limit: is -1; it can't be negative"])
    #expect(try zones.count() == 5)
  }

  @Test func `count of a page is what the page has`() throws {
    let zones = try TestStore.zones().zones
    let criteria = SearchCriteria<Zone>.all.order(by: \.name).limit(4, offset: 3)
    #expect(try zones.count(criteria) == 3)
    #expect(try zones.exists(.all.offset(5)) && !zones.exists(.all.offset(6)))
  }

  @Test func `delete and update of a page touch the page's rows`() throws {
    let store = try TestStore.zones()
    let page = SearchCriteria<Zone>.all.order(by: .descending(\.offset)).limit(2)
    let updated = try store.trace.during { try store.zones.update(page, set: .set(\.comment, to: "top"), allowUnfiltered: true) }
    #expect(updated.result == 2)
    #expect(
      updated.texts == [
        #"""
        UPDATE "zone" SET "comment" = ? \#
        WHERE "id" IN (SELECT "id" FROM "zone" ORDER BY "offset" DESC NULLS LAST, "id" DESC NULLS LAST LIMIT ?)
        """#
      ])
    #expect(try store.zones.findAllIDs(.where(\.comment == "top")) == [3, 5])
    #expect(try store.zones.delete(page, allowUnfiltered: true) == 2)
    #expect(try Set(store.zones.findAllIDs()) == [1, 2, 4, 6])
  }
}
