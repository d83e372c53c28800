import DAOKit
import Foundation
import Testing

/// A row with a nullable order, ties, and indexes for both orders.
private struct Mark: Entity, Hashable {
  var id: Int64?
  var score: Int?
  var group: String
  var name: String

  static let entityDescription = EntityDescription(
    "mark", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("score", .integer, optional: true), Attribute("group", .text), Attribute("name", .text),
    ],
    indexes: [Index(on: "score"), Index(on: "group", "name", descending: ["name"])])

  struct Fields: EntityFields {
    let path: FieldPath
    init(path: FieldPath) { self.path = path }
    var id: Field<Int64?> { path.field("id") }
    var score: Field<Int?> { path.field("score") }
    var group: Field<String> { path.field("group") }
    var name: Field<String> { path.field("name") }
  }

  init(id: Int64? = nil, _ score: Int?, _ group: String, _ name: String) {
    (self.id, self.score, self.group, self.name) = (id, score, group, name)
  }

  var primaryKey: Int64? { id }
  mutating func setGeneratedKey(_ key: Int64) { id = key }

  init(row: inout RowReader) throws { (id, score, group, name) = (try row.next(), try row.next(), try row.next(), try row.next()) }

  func write(to row: inout ColumnWriter) throws {
    try row.write(id)
    try row.write(score)
    try row.write(group)
    try row.write(name)
  }

  /// Two of three have a score; each score and each pair of group and name several rows.
  static let samples = (0..<60).map { Mark($0 % 3 == 0 ? nil : $0 % 7, ["a", "b", "B"][$0 % 3], "n\($0 % 4)") }
}

@Suite("Pages after places")
struct KeysetPageTests {
  private let store: TestStore
  private var marks: RuntimeDAO<Mark> { store.factory.runtimeDAO(Mark.self) }

  init() throws {
    store = try TestStore([Mark.entityDescription])
    try store.factory.runtimeDAO(Mark.self).insert(Mark.samples)
    store.trace.clear()
  }

  private let columns = #""id", "score", "group", "name""#

  // MARK: SQL

  @Test("the rows after a place are one range after the other, each with its own order and limit")
  func sql() throws {
    let mixed = SearchCriteria<Mark>.where(\.id > 3).order(by: .ascending(\.group), .descending(\.name))
    let first = try marks.page(mixed, size: 5)
    let place = try #require(first.items.last)
    let statement = try #require(try mixed.pageSQL(PageRequest(.after(first.next), size: 5)))
    let (ascending, descending) = ("ASC NULLS FIRST", "DESC NULLS LAST")
    #expect(
      statement.text
        == #"SELECT \#(columns) FROM ("#
        + #"SELECT * FROM (SELECT "id" AS row_key FROM "mark" WHERE "id" > ?1 AND ("group" = ?2 AND "name" = ?3 AND "id" > ?4) "#
        + #"ORDER BY "id" \#(ascending) LIMIT ?5) UNION ALL "#
        + #"SELECT * FROM (SELECT "id" AS row_key FROM "mark" WHERE "id" > ?1 AND ("group" = ?2 AND "name" < ?3) "#
        + #"ORDER BY "name" \#(descending), "id" \#(ascending) LIMIT ?5) UNION ALL "#
        + #"SELECT * FROM (SELECT "id" AS row_key FROM "mark" WHERE "id" > ?1 AND "group" > ?2 "#
        + #"ORDER BY "group" \#(ascending), "name" \#(descending), "id" \#(ascending) LIMIT ?5) LIMIT ?5"#
        + #") CROSS JOIN "mark" ON "mark"."id" = row_key"#)
    #expect(statement.bindings == [.integer(3), .text(place.group), .text(place.name), .integer(place.id ?? 0), .integer(6)])
    let run = try store.trace.during { try marks.page(mixed, size: 5, after: first.next) }
    #expect(run.texts == [statement.text] && run.expanded == [statement.expanded])
    let all = try marks.findAll(mixed.limit(1000))
    #expect(first.items + run.result.items == Array(all.prefix(10)))
  }

  @Test("of the key alone there is one range, and backward is the other way round")
  func key() throws {
    let second = try marks.page(size: 2, after: marks.page(size: 2).next)
    #expect(second.items.map(\.id) == [3, 4])
    let back = try store.trace.during { try marks.page(size: 2, before: second.previous) }
    #expect(back.texts == [#"SELECT \#(columns) FROM "mark" WHERE "id" < ? ORDER BY "id" DESC NULLS LAST LIMIT ?"#])
    #expect(back.result.items.map(\.id) == [1, 2])
    let last = try store.trace.during { try marks.page(size: 2, before: nil) }
    #expect(last.texts == [#"SELECT \#(columns) FROM "mark" ORDER BY "id" DESC NULLS LAST LIMIT ?"#])
    #expect(last.result.items.map(\.id) == [59, 60] && !last.result.hasNext && last.result.hasPrevious)
  }

  @Test("null or not at a place is the statement's shape; nulls that come last are a range of their own")
  func nulls() throws {
    func ranges(_ order: Order<Mark>, after score: Int?) throws -> [String] {
      let criteria = SearchCriteria<Mark>.all.order(by: order)
      // The last row of this score, or of none.
      let all = try marks.findAll(criteria.limit(1000))
      let size = (all.lastIndex { $0.score == score } ?? 0) + 1
      let next = try marks.page(criteria, size: size, total: .none).next
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

  @Test("each range is searched for in the index, and nothing is sorted")
  func plans() throws {
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

  @Test("what no attribute holds is read with the page, for the place")
  func terms() throws {
    let criteria = SearchCriteria<Mark>.all.order(by: .descending(.lower(\.group)), .ascending(.coalesce(\.score, 99)))
    let statement = try #require(try criteria.pageSQL(PageRequest(size: 4)))
    #expect(
      statement.text
        == #"SELECT \#(columns), dao_lower("group"), coalesce("score", ?) FROM "mark" "#
        + #"ORDER BY dao_lower("group") DESC NULLS LAST, coalesce("score", ?) ASC NULLS FIRST, "id" DESC NULLS LAST LIMIT ?"#)
    let all = try marks.findAll(criteria.limit(1000))
    var (found, token): ([Mark], PageToken?) = ([], nil)
    repeat {
      let page = try marks.page(criteria, size: 7, after: token)
      found += page.items
      token = try page.next.map { try PageToken($0.text) }
    } while token != nil
    #expect(found == all && found.count == 60)
  }

  @Test("count, exists, delete and update take a place as a condition; a report, an offset and a wrong number of values are refused")
  func otherStatements() throws {
    var criteria = Criteria()
    criteria.orders = [Ordering(.field(FieldPath("score")))]
    criteria.after = [.integer(6), .integer(1)]
    let after = SearchCriteria<Mark>(criteria)
    #expect(try after.countSQL()?.text == #"SELECT COUNT(*) FROM "mark" WHERE ("score" = ? AND "id" > ?) OR "score" > ?"#)
    let all = try marks.findAll(SearchCriteria.all.order(by: \.score).limit(1000))
    let expected = all.filter { $0.score == 6 && ($0.id ?? 0) > 1 }
    #expect(try !expected.isEmpty && marks.findAll(after) == expected && marks.count(after) == expected.count && marks.exists(after))
    #expect(try marks.findAllIDs(after) == expected.compactMap(\.id))
    #expect(try marks.update(after, set: .set(\.name, "x"), allowUnfiltered: true) == expected.count)
    #expect(try marks.delete(after.limit(2), allowUnfiltered: true) == 2)
    #expect(try marks.findAllIDs(after) == expected.dropFirst(2).compactMap(\.id))
    #expect(problems { _ = try after.offset(1).sql() } == ["a place takes no offset besides"])
    #expect(problems { _ = try after.project(.count).sql() } == ["a report can't go on from a place"])
    criteria.after = [.integer(6)]
    #expect(problems { _ = try marks.findAll(SearchCriteria(criteria)) } == ["the place has 1 values for 2 orders"])
    criteria.after = [.text("6"), .integer(1)]
    #expect(problems { _ = try marks.findAll(SearchCriteria(criteria)) } == ["score: is no integer in the place: '6'"])
  }

  // MARK: Ends and totals

  @Test("the first page has no previous one, the last no next, and an empty page neither")
  func ends() throws {
    let criteria = SearchCriteria<Mark>.where(\.group == "a").order(by: \.name)
    let all = try marks.findAll(criteria.limit(1000))
    #expect(all.count == 20)
    let first = try marks.page(criteria, size: 12)
    #expect(!first.hasPrevious && first.hasNext && first.items.count == 12)
    let last = try marks.page(criteria, size: 12, after: first.next)
    #expect(last.hasPrevious && !last.hasNext && last.items.count == 8)
    #expect(try marks.page(criteria, size: 12, before: last.previous) == first)
    // Counted from the end, the pages begin elsewhere.
    let end = try marks.page(criteria, size: 12, before: nil)
    #expect(end.items == Array(all.suffix(12)) && !end.hasNext && end.hasPrevious)
    let start = try marks.page(criteria, size: 12, before: end.previous)
    #expect(start.items == Array(all.prefix(8)) && !start.hasPrevious && start.hasNext)
    #expect(try marks.page(criteria, size: 12, after: start.next).items == end.items)
    #expect(try marks.page(criteria, size: 20) == marks.page(criteria, size: 20, before: nil))
    let none = try marks.page(.where(\.group == "none"), size: 1)
    #expect(none.items.isEmpty && !none.hasNext && !none.hasPrevious)
    #expect(try marks.page(criteria, size: 1, after: marks.page(criteria, size: 20, total: .none).next).items.isEmpty)
    let seventh = try marks.page(criteria, number: 4, size: 6)
    #expect(
      try seventh.items == Array(all.suffix(2)) && !seventh.hasNext
        && marks.page(criteria, size: 18, before: seventh.previous).items.count == 18)
  }

  @Test("each total has its own statements")
  func totals() throws {
    let criteria = SearchCriteria<Mark>.where(\.group == "a").order(by: \.id)
    func run(_ total: PageTotal, size: Int = 6, after token: PageToken? = nil) throws -> (Page<Mark>, [String]) {
      let run = try store.trace.during { try marks.page(criteria, size: size, after: token, total: total) }
      return (run.result, run.expanded)
    }
    let (start, end) = (
      #"SELECT \#(columns) FROM "mark" WHERE "group" = 'a' ORDER BY "id" ASC NULLS FIRST LIMIT "#, #"FROM "mark" WHERE "group" = 'a'"#
    )
    let (none, noneSQL) = try run(.none)
    #expect(noneSQL == [start + "6"] && none.total == nil && none.hasNext)
    #expect(try run(.none, size: 20).0.hasNext && !run(.none, size: 21).0.hasNext)
    let (next, nextSQL) = try run(.hasNext)
    #expect(nextSQL == [start + "7"] && next.total == nil && next.hasNext && next.items == none.items)
    #expect(try !run(.hasNext, size: 20).0.hasNext)
    let (exact, exactSQL) = try run(.exact)
    #expect(exactSQL == [start + "7", "SELECT COUNT(*) " + end] && exact.total == 20)
    let (most, mostSQL) = try run(.atMost(15))
    #expect(mostSQL == [start + "7", "SELECT COUNT(*) FROM (SELECT 1 \(end) LIMIT 15)"] && most.total == 15)
    #expect(try run(.atMost(100)).0.total == 20 && run(.atMost(0)).0.total == 0)
    // One page alone shows its total by itself.
    #expect(try run(.exact, size: 50).1.count == 1 && run(.exact, size: 50).0.total == 20 && run(.atMost(3), size: 50).0.total == 3)
    #expect(try run(.exact, after: next.next).0.total == 20)
  }

  // MARK: Changes

  @Test("what is inserted before a place repeats nothing, and the row at it may be gone, or moved")
  func changes() throws {
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

  @Test("a token of another criteria, entity or scope is refused, and one of an equal criteria that was built anew is not")
  func foreign() throws {
    func criteria(_ score: Int) -> SearchCriteria<Mark> { .where(\.score > score).order(by: \.name) }
    let token = try #require(try marks.page(criteria(1), size: 3).next)
    #expect(try marks.page(criteria(1), size: 5, after: PageToken(token.text)).items.count == 5)
    func problem(_ body: () throws -> Void) -> PageTokenProblem? {
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

  @Test("pages of a session, and of an entity known by its name")
  func elsewhere() throws {
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

  // MARK: Odd values

  @Test("composite keys, infinities, text with NUL, and decimals as numbers")
  func oddValues() throws {
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

  @Test("text that is not UTF-8 makes no place: read as a String it would be another")
  func notUTF8() throws {
    try marks.execute("UPDATE mark SET name = CAST(x'ff' AS TEXT) WHERE id = 60")
    let criteria = SearchCriteria<Mark>.all.order(by: .descending(\.name))
    #expect(throws: DAOError.self) { try marks.page(criteria, size: 1) }
    #expect(try marks.page(.all.order(by: .descending(\.id)), size: 1).items.map(\.id) == [60])
  }

  @Test("an override of findAll that answers by itself is told so, and one that leaves rows out loses no others")
  func overrides() throws {
    final class Own: DAO<Mark>, @unchecked Sendable { override func findAll(_ criteria: SearchCriteria<Mark>) throws -> [Mark] { [] } }
    #expect(misuse { _ = try store.factory.dao(Own.init).page(size: 1) } == "super.findAll with the criteria that it was given")
    final class Picky: DAO<Mark>, @unchecked Sendable {
      override func findAll(_ criteria: SearchCriteria<Mark>) throws -> [Mark] { try super.findAll(criteria).filter { $0.group != "b" } }
    }
    let picky = store.factory.dao(Picky.init)
    var (found, token): ([Int64?], PageToken?) = ([], nil)
    repeat {
      let page = try picky.page(size: 7, after: token)
      found += page.items.map(\.id)
      token = page.next
    } while token != nil
    #expect(found == (1...60).filter { $0 % 3 != 2 })
  }
}
