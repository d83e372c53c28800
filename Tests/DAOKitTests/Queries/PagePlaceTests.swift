import DAOKit
import Foundation
import Testing

@Suite("Pages after places: the places")
struct PagePlaceTests {
  private let store: TestStore
  private var marks: RuntimeDAO<Mark> { store.marks }

  init() throws { store = try TestStore.marks() }

  @Test func `what is inserted before a place repeats nothing, and the row at it may be gone, or moved`() throws {
    let criteria = SearchCriteria<Mark>.all.order(by: .ascending(\.score, nulls: .last), .descending(\.name))
    let before = try marks.findAll(criteria.limit(1000))
    let first = try marks.page(criteria, size: 10)
    try marks.insert((0..<5).map { Mark(-$0, "new", "n\($0)") })
    let second = try marks.page(criteria, size: 10, after: first.next)
    #expect(second.items == Array(before[10..<20]))
    try marks.delete(try #require(second.items.last))
    try marks.update([Mark(id: before[18].id, nil, "moved", "")])
    let third = try marks.page(criteria, size: 10, after: second.next)
    #expect(third.items == Array(before[20..<30]))
    try marks.insert(Mark(before[30].score, "after", "n9"))
    try marks.delete(third.items.compactMap(\.id))
    let again = try marks.page(criteria, size: 10, after: second.next).items.filter { $0.group != "after" }
    #expect(again.prefix(9) == before[30..<39])
    let back = try marks.page(criteria, size: 100, before: third.previous)
    #expect(back.items.filter { $0.group != "new" } == Array(before[..<18]))
  }

  @Test func `a token of another query, entity or scope is refused, and one of an equal query that was built anew is not`() throws {
    func criteria(_ score: Int) -> SearchCriteria<Mark> { .where(\.score > score).order(by: \.name) }
    let token = try #require(try marks.page(criteria(1), size: 3).next)
    #expect(try marks.page(criteria(1), size: 5, after: PageToken(token.text)).items.count == 5)
    func problem(_ body: () throws -> Void) -> PageToken.Problem? {
      do { try body() } catch DAOError.pageToken(let problem) { return problem } catch { Issue.record(error) }
      return nil
    }
    #expect(problem { _ = try marks.page(criteria(2), size: 3, after: token) } == .otherCriteria)
    #expect(problem { _ = try marks.page(criteria(1).order(by: \.group), size: 3, before: token) } == .otherCriteria)
    #expect(problem { _ = try criteria(2).pageSQL(PageRequest(.after(token), size: 3)) } == .otherCriteria)
    final class Scoped: DAO<Mark>, @unchecked Sendable { override var scope: Filter<Mark> { \.group == "a" } }
    let scoped = store.factory.dao(Scoped.init)
    #expect(problem { _ = try scoped.page(criteria(1), size: 3, after: token) } == .otherCriteria)
    let first = try scoped.page(size: 3)
    #expect(try scoped.page(size: 30, after: first.next).items.count == 17)
    #expect(problem { _ = try marks.page(size: 3, after: first.next) } == .otherCriteria)
  }

  @Test func `pages of a session, and of an entity known by its name`() throws {
    let criteria = SearchCriteria<Mark>.all.order(by: \.score)
    let expected = try marks.findAll(criteria.limit(1000)).map(\.id)
    try store.factory.write { session in
      let marks = session.runtimeDAO(Mark.self)
      let first = try marks.page(criteria, size: 30, total: .exact)
      #expect(try first.total == 60 && (first.items + marks.page(criteria, size: 30, after: first.next).items).map(\.id) == expected)
    }
    let dynamic = try store.factory.runtimeDAO("mark")
    let byName = SearchCriteria<DynamicEntity>.all.order(by: .ascending(.field("score")))
    let first = try dynamic.page(byName, size: 30)
    let second = try dynamic.page(byName, size: 30, after: first.next)
    #expect((first.items + second.items).compactMap(\.primaryKey) == expected.map { [.integer($0 ?? 0)] })
    // The same entity by another way: the same places.
    #expect(try marks.page(criteria, size: 30, after: first.next).items.map(\.id) == Array(expected.suffix(30)))
  }
  @Test func `composite keys, infinities, text with NUL, and decimals as numbers`() throws {
    let odd = EntityDescription(
      "odd", key: .assigned(["b", "a"]),
      attributes: [
        Attribute("a", .text), Attribute("b", .uuid(.blob)), Attribute("real", .real, optional: true),
        Attribute("text", .text, optional: true), Attribute("decimal", .decimal(.text), optional: true),
      ])
    let store = try TestStore([odd])
    let dao = try store.factory.runtimeDAO("odd")
    let texts = ["", "\0", "a", "a\0", "a\0b", "ab"]
    let reals: [Scalar] = [.real(-.infinity), -1.5, 0.0, .real(.greatestFiniteMagnitude), .real(.infinity), .null]
    let decimals: [Scalar] = ["9", "10", "-0.5", "100", "0.25"].compactMap { Decimal(string: $0) }.map { .decimal($0) } + [.null]
    for number in 0..<72 {
      let id = UUID(uuid: (UInt8(number / 6), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
      let values: [String: Scalar] = [
        "a": .text(texts[number % 6]), "b": .uuid(id), "real": reals[number * 5 % 6], "text": .text(texts[number / 3 % 6]),
        "decimal": decimals[number / 2 % 6],
      ]
      try dao.insert(dao.make(values))
    }
    // Two spellings of one number are a tie.
    try dao.execute("UPDATE odd SET decimal = decimal || '0' WHERE decimal LIKE '%.%' AND rowid % 2 = 0")
    for name in ["real", "text", "decimal", "a", "b"] {
      for order in [Order<DynamicEntity>.ascending(.field(name), nulls: .last), .descending(.field(name), nulls: .first)] {
        let criteria = SearchCriteria<DynamicEntity>.all.order(by: order)
        let all = try dao.findAll(criteria.limit(1000))
        var (found, token): ([DynamicEntity], PageToken?) = ([], nil)
        repeat {
          let page = try dao.page(criteria, size: 5, after: token)
          found += page.items
          token = try page.next.map { try PageToken($0.text) }
        } while token != nil && found.count <= 72
        #expect(found == all && all.count == 72, "\(name)")
      }
    }
    #expect(
      try dao.page(.all.order(by: .ascending(.field("decimal"), nulls: .last)), size: 1).items[0]["decimal"] == .decimal(Decimal(-0.5)))
  }

  @Test func `text that is not UTF-8 makes no place: read as a String it would be another`() throws {
    try marks.execute("UPDATE mark SET name = CAST(x'ff' AS TEXT) WHERE id = 60")
    let criteria = SearchCriteria<Mark>.all.order(by: .descending(\.name))
    #expect(throws: DAOError.self) { try marks.page(criteria, size: 1) }
    #expect(try marks.page(.all.order(by: .descending(\.id)), size: 1).items.map(\.id) == [60])
  }

  @Test func `a refined query is paged as one that was asked for: no row twice, none lost, and totals count its rows alone`() throws {
    final class Picky: DAO<Mark>, @unchecked Sendable {
      override func refine(_ criteria: SearchCriteria<Mark>) -> SearchCriteria<Mark> { criteria.filter(\.group != "b") }
    }
    let picky = store.factory.dao(Picky.init)
    var (found, token): ([Int64?], PageToken?) = ([], nil)
    repeat {
      let page = try picky.page(size: 7, after: token, total: .exact)
      #expect(page.total == 40)
      found += page.items.map(\.id)
      token = page.next
    } while token != nil
    #expect(found == (1...60).filter { $0 % 3 != 2 })
  }
}
