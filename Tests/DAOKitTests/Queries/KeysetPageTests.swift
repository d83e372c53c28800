import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Pages after places: the statements")
struct KeysetPageTests {
  private let store: TestStore
  private var marks: RuntimeDAO<Mark> { store.marks }

  init() throws { store = try TestStore.marks() }

  private let columns = #""id", "score", "group", "name""#

  @Test func `the rows after a place are one range after the other, each with its own order and limit`() throws {
    let mixed = SearchCriteria<Mark>.where(\.id > 3).order(by: .ascending(\.group), .descending(\.name))
    let first = try marks.page(mixed, size: 5)
    let place = try #require(first.items.last)
    let statement = try #require(try mixed.pageSQL(PageRequest(.after(first.next), size: 5)))
    let (ascending, descending) = ("ASC NULLS FIRST", "DESC NULLS LAST")
    #expect(
      statement.text
        == [
          #""id" > ?1 AND ("group" = ?2 AND "name" = ?3 AND "id" > ?4) ORDER BY "id" \#(ascending)"#,
          #""id" > ?1 AND ("group" = ?2 AND "name" < ?3) ORDER BY "name" \#(descending), "id" \#(ascending)"#,
          #""id" > ?1 AND "group" > ?2 ORDER BY "group" \#(ascending), "name" \#(descending), "id" \#(ascending)"#,
        ].map {
          #"SELECT \#(columns) FROM (SELECT "id" AS "row_key" FROM "mark" WHERE \#($0) LIMIT ?5) AS "row_keys" "#
            + #"CROSS JOIN "mark" ON "mark"."id" = "row_keys"."row_key""#
        }.joined(separator: " UNION ALL ") + " LIMIT ?5")
    #expect(statement.bindings == [.integer(3), .text(place.group), .text(place.name), .integer(place.id ?? 0), .integer(6)])
    let run = try store.trace.during { try marks.page(mixed, size: 5, after: first.next) }
    #expect(run.texts == [statement.text] && run.expanded == [statement.expanded])
    let all = try marks.findAll(mixed.limit(1000))
    #expect(first.items + run.result.items == Array(all.prefix(10)))
  }

  @Test func `of the key alone there is one range, and backward is the other way round`() throws {
    let second = try marks.page(size: 2, after: marks.page(size: 2).next)
    #expect(second.items.map(\.id) == [3, 4])
    let back = try store.trace.during { try marks.page(size: 2, before: second.previous) }
    #expect(back.texts == [#"SELECT \#(columns) FROM "mark" WHERE "id" < ? ORDER BY "id" DESC NULLS LAST LIMIT ?"#])
    #expect(back.result.items.map(\.id) == [1, 2])
    let last = try store.trace.during { try marks.page(size: 2, before: nil) }
    #expect(last.texts == [#"SELECT \#(columns) FROM "mark" ORDER BY "id" DESC NULLS LAST LIMIT ?"#])
    #expect(last.result.items.map(\.id) == [59, 60] && !last.result.hasNext && last.result.hasPrevious)
  }

  @Test func `null or not at a place is the statement's shape; nulls that come last are a range of their own`() throws {
    func ranges(_ order: Order<Mark>, after score: Int?) throws -> [String] {
      let criteria = SearchCriteria<Mark>.all.order(by: order)
      // The last row of this score, or of none.
      let all = try marks.findAll(criteria.limit(1000))
      let size = (all.lastIndex { $0.score == score } ?? 0) + 1
      let next = try marks.page(criteria, size: size, total: .omitted).next
      let sql = try #require(try criteria.pageSQL(PageRequest(.after(next), size: 3)))
      #expect(try marks.page(criteria, size: 3, after: next).items == Array(all.dropFirst(size).prefix(3)))
      return sql.text.replacingOccurrences(of: "\\?[0-9]+", with: "?", options: .regularExpression)
        .components(separatedBy: " WHERE ").dropFirst().map { $0.components(separatedBy: " LIMIT ")[0] }
    }
    let (up, down) = (#""id" ASC NULLS FIRST"#, #""id" DESC NULLS LAST"#)
    let score = #""score""#
    #expect(
      try ranges(.ascending(\.score), after: 2) == [
        "\(score) = ? AND \"id\" > ? ORDER BY \(up)", "\(score) > ? ORDER BY \(score) ASC NULLS FIRST, \(up)",
      ])
    #expect(
      try ranges(.ascending(\.score), after: nil) == [
        "\(score) IS NULL AND \"id\" > ? ORDER BY \(up)", "\(score) IS NOT NULL ORDER BY \(score) ASC NULLS FIRST, \(up)",
      ])
    #expect(
      try ranges(.descending(\.score), after: 2) == [
        "\(score) = ? AND \"id\" < ? ORDER BY \(down)", "\(score) < ? ORDER BY \(score) DESC NULLS LAST, \(down)",
        "\(score) IS NULL ORDER BY \(down)",
      ])
    #expect(try ranges(.descending(\.score), after: nil) == ["\(score) IS NULL AND \"id\" < ? ORDER BY \(down)"])
    #expect(
      try ranges(.descending(\.score, nulls: .first), after: nil).last == "\(score) IS NOT NULL ORDER BY \(score) DESC NULLS LAST, \(down)")
    #expect(try ranges(.ascending(\.score, nulls: .last), after: 2).count == 3)
  }

  @Test func `each range is searched for in the index, and nothing is sorted`() throws {
    let orders: [[Order<Mark>]] = [
      [], [.descending(\.id)], [.ascending(\.score)], [.descending(\.score)], [.ascending(\.group), .descending(\.name)],
      [.descending(\.group), .ascending(\.name)], [.ascending(\.group), .descending(\.name), .ascending(\.id)],
    ]
    var shapes: Set<String> = []
    for order in orders {
      let criteria = SearchCriteria<Mark>.all.order(by: order)
      var place: PageToken?
      repeat {
        for (request, isFirst) in [
          (PageRequest(.after(place), size: 7), place == nil), (PageRequest(.before(place), size: 7), place == nil),
        ] {
          let statement = try #require(try criteria.pageSQL(request))
          guard shapes.insert(statement.text).inserted else { continue }
          let plan = try marks.explain(criteria, page: request)
          #expect(plan.sorts.isEmpty, "\(statement.text)\n\(plan)")
          let searches = plan.kinds.filter { if case .search = $0 { true } else if case .keySearch = $0 { true } else { false } }
          let scans = plan.kinds.filter { if case .indexScan = $0 { true } else if case .fullScan = $0 { true } else { false } }
          #expect(isFirst ? !(scans + searches).isEmpty : scans.isEmpty && !searches.isEmpty, "\(statement.text)\n\(plan)")
        }
        place = try marks.page(criteria, size: 7, after: place).next
      } while place != nil
    }
    #expect(shapes.count > 12)
  }

  @Test func `what no attribute holds is read with the page, for the place`() throws {
    let criteria = SearchCriteria<Mark>.all.order(by: .descending(.lower(\.group)), .ascending(.coalesce(\.score, 99)))
    let all = try marks.findAll(criteria.limit(1000))
    var (found, token): ([Mark], PageToken?) = ([], nil)
    repeat {
      let page = try marks.page(criteria, size: 7, after: token)
      found += page.items
      token = try page.next.map { try PageToken($0.text) }
    } while token != nil
    #expect(found == all && found.count == 60)
  }

  @Test func `count, exists, delete and update take a place as a condition; one of the wrong values is refused`() throws {
    var criteria = Criteria()
    criteria.orders = [Criteria.Ordering(.field(FieldPath("score")))]
    criteria.after = [.integer(6), .integer(1)]
    let after = SearchCriteria<Mark>(criteria)
    let all = try marks.findAll(SearchCriteria.all.order(by: \.score).limit(1000))
    let expected = all.filter { $0.score == 6 && ($0.id ?? 0) > 1 }
    #expect(try !expected.isEmpty && marks.findAll(after) == expected && marks.count(after) == expected.count && marks.exists(after))
    #expect(try marks.findAllIDs(after) == expected.compactMap(\.id))
    #expect(try marks.update(after, set: .set(\.name, to: "x"), allowUnfiltered: true) == expected.count)
    #expect(try marks.delete(after.limit(2), allowUnfiltered: true) == 2)
    #expect(try marks.findAllIDs(after) == expected.dropFirst(2).compactMap(\.id))
    criteria.after = [.text("6"), .integer(1)]
    #expect(problems { _ = try marks.findAll(SearchCriteria(criteria)) } == ["score: is no integer in the place: '6'"])
  }
}
