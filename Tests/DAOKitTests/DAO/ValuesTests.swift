import DAOKit
import DAORandomSessions
import DAOTestSupport
import Foundation
import TestCases
import Testing

/// Short forms of reports, dictionaries, copies and rows that are found or inserted, over SQLite and the evaluator.
struct ValuesTests {
  private func stores() throws -> [DAOFactory] {
    [try DAOFactory(store: .inMemory(), entities: Zone.self), try DAOFactory(store: .evaluator, entities: Zone.self)]
  }

  @Test func `Each is one statement`() throws {
    let store = try TestStore.zones()
    let zones = store.zones
    let run = try store.trace.during {
      _ = try zones.minimum(of: \.offset, matching: .where(\.offset > 0))
      _ = try zones.maximum(of: \.offset)
      _ = try zones.sum(of: \.offset)
      _ = try zones.average(of: \.offset)
      _ = try zones.distinctValues(of: \.comment)
      _ = try zones.dictionary(by: \.comment)
      _ = try zones.aggregate(.count)
      _ = try zones.aggregate(.max, of: "offset", groupBy: "comment")
    }
    #expect(
      run.texts == [
        #"SELECT MIN("offset") FROM "zone" WHERE "offset" > ?"#,
        #"SELECT MAX("offset") FROM "zone""#,
        #"SELECT dao_sum("offset", 'INTEGER', 'zone', 'offset') FROM "zone""#,
        #"SELECT dao_average("offset", 'INTEGER', 'zone', 'offset') FROM "zone""#,
        #"SELECT DISTINCT "comment" FROM "zone" WHERE "comment" IS NOT NULL ORDER BY "comment" ASC NULLS FIRST"#,
        #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "comment" IS NOT NULL ORDER BY "id" ASC NULLS FIRST"#,
        #"SELECT COUNT(*) FROM "zone""#,
        #"SELECT "comment", MAX("offset") FROM "zone" GROUP BY "comment" ORDER BY "comment" ASC NULLS FIRST"#,
      ])
  }

  @Test(arguments: TestCases.seeds(400, inSuite: 20)) func `They are what the rows have`(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let rows = (0..<Int.random(in: 0...12, using: &random)).map { number in
      Zone(
        id: Int64(number + 1), "zone \(number)", .random(in: -3...3, using: &random),
        [nil, "a", "b", ""].randomElement(using: &random) ?? nil)
    }
    for factory in try stores() {
      let zones = factory.runtimeDAO(Zone.self)
      try zones.insert(rows)
      let limit = Int.random(in: -3...3, using: &random)
      let criteria = SearchCriteria<Zone>.where(\.offset >= limit)
      let fitting = rows.filter { $0.offset >= limit }
      #expect(try zones.minimum(of: \.offset, matching: criteria) == fitting.map(\.offset).min())
      #expect(try zones.maximum(of: \.comment, matching: criteria) == fitting.compactMap(\.comment).max())
      #expect(try zones.sum(of: \.offset, matching: criteria) == (fitting.isEmpty ? nil : fitting.map(\.offset).reduce(0, +)))
      let mean = fitting.isEmpty ? nil : Double(fitting.map(\.offset).reduce(0, +)) / Double(fitting.count)
      #expect(try zones.average(of: \.offset, matching: criteria) == mean)
      #expect(try zones.distinctValues(of: \.comment, matching: criteria) == Set(fitting.compactMap(\.comment)).sorted())
      let byComment = try zones.dictionary(by: \.comment, matching: criteria.order(by: .descending(\.id)))
      let expected = fitting.reversed().filter { $0.comment != nil }.map { ($0.comment ?? "", $0.id) }
      #expect(byComment.mapValues(\.id) == Dictionary(expected, uniquingKeysWith: { $1 }))
      #expect(try zones.aggregate(.count, matching: criteria) == .integer(Int64(fitting.count)))
      let groups = Dictionary(grouping: fitting) { $0.comment.map(Scalar.text) ?? .null }.mapValues { Scalar.integer(Int64($0.count)) }
      let found = try zones.aggregate(.count, groupBy: "comment", matching: criteria)
      #expect(Dictionary(found.map { ($0["comment"] ?? 0, $0["count"] ?? 0) }, uniquingKeysWith: { $1 }) == groups)
      #expect(found.count == groups.count)
    }
  }

  @Test func `Copies have keys of their own`() throws {
    for factory in try stores() {
      let zones = factory.runtimeDAO(Zone.self)
      let zone = try zones.insert(Zone("one", 1, "c"))
      let copy = try zones.clone(zone) { $0.name = "two" }
      #expect(copy.id != zone.id && copy.id != nil)
      #expect(try zones.findAll(.all.order(by: \.name)) == [zone, copy])
      #expect(copy.offset == 1 && copy.comment == "c")
      struct Refused: Error {}
      #expect(throws: Refused.self) { try zones.clone(zone) { _ in throw Refused() } }
      #expect(try zones.count() == 2)
    }
  }

  @Test func `Criteria of a list, with orders and prefetches, are those of a value too`() throws {
    final class OrderedDAO: DAO<Zone>, @unchecked Sendable {
      override func refine(_ criteria: SearchCriteria<Zone>) -> SearchCriteria<Zone> { criteria.order(by: .descending(\.offset)) }
    }
    for factory in try stores() {
      let zones = factory.dao(OrderedDAO.init)
      try zones.insert([Zone("a", 1, "x"), Zone("b", 2, "y"), Zone("c", 3, "x")])
      let criteria = SearchCriteria<Zone>.all.order(by: \.name)
      #expect(try zones.minimum(of: \.offset, matching: criteria) == 1 && zones.sum(of: \.offset, matching: criteria) == 6)
      #expect(try zones.distinctValues(of: \.comment, matching: criteria) == ["x", "y"])
      #expect(try zones.distinctValues(of: \.comment, matching: criteria.limit(1, offset: 1)) == ["y"])
      #expect(try zones.aggregate(.count, groupBy: "comment", matching: criteria).map { $0["count"] } == [2, 1])
      // Of a page, its order decides which rows count.
      #expect(try zones.sum(of: \.offset, matching: criteria.limit(2)) == 3)
      let projected = SearchCriteria<Zone>.all.project(.group(by: \.comment))
      #expect(throws: DAOError.self) { try zones.aggregate(.count, groupBy: "name", matching: projected) }
      #expect(throws: DAOError.self) { try zones.sum(of: \.offset, matching: projected) }
    }
  }

  @Test func `Two threads that ask at once for a row get the same one, of two stores over one file too`() async throws {
    let file = try FileStore()
    let factories = [file.factory, try DAOFactory(store: .file(file.url), entities: Zone.self)]
    let before = try await file.zones.count()
    let found = try await withThrowingTaskGroup(of: Int64?.self) { group in
      for number in 0..<16 {
        group.addTask {
          try await onThread {
            try factories[number % 2].runtimeDAO(Zone.self).findFirst(.where { $0.name == "new" }, orInsert: Zone("new", 0)).id
          }
        }
      }
      return try await group.reduce(into: Set<Int64?>()) { $0.insert($1) }
    }
    #expect(found.count == 1)
    let zones = file.zones
    #expect(try await zones.count() == before + 1)
    // A query that would not find the new row inserts none, and neither does one that finds it.
    await #expect(throws: DAOError.self) { try await zones.findFirst(.where { $0.offset == 77 }, orInsert: Zone("x", 78)) }
    await #expect(throws: DAOError.self) { try await zones.findFirst(.all.limit(0), orInsert: Zone("x", 78)) }
    #expect(try await zones.findFirst(.where { $0.name == "new" }, orInsert: Zone("x", 78)).name == "new")
    #expect(try await zones.count() == before + 1)
    // One that is there is found where nothing can be written.
    try syncly {
      try file.factory.read { (session: Session) throws in
        #expect(try session.runtimeDAO(Zone.self).findFirst(.where { $0.name == "new" }, orInsert: Zone("x", 78)).name == "new")
      }
    }
  }

  @Test func `A UUID that is the whole key is made anew in a copy, parts of a key are not`() throws {
    let whole = EntityDescription("whole", key: .assigned(["id"]), attributes: [Attribute("id", .uuid(.blob)), Attribute("n", .integer)])
    let part = EntityDescription(
      "part", key: .assigned(["user", "name"]), attributes: [Attribute("user", .uuid(.text)), Attribute("name", .text)])
    let factory = try DAOFactory(store: .inMemory(), describedBy: [whole, part])
    let (wholes, parts) = (factory.runtimeDAO(whole), factory.runtimeDAO(part))
    let one = try wholes.insert(DynamicEntity(whole, ["id": .uuid(UUID()), "n": 7]))
    let copy = try wholes.clone(one)
    #expect(copy.id != one.id && copy.n == 7)
    let user = Scalar.uuid(UUID())
    let setting = try parts.insert(DynamicEntity(part, ["user": user, "name": "a"]))
    #expect(throws: DAOError.self) { try parts.clone(setting) }
    #expect(try parts.clone(setting) { $0.name = "b" }.user == user)
    let work = try factory.unitOfWork()
    #expect(throws: DAOError.self) { try work.clone(setting) }
    #expect(try work.clone(one).id != one.id)
  }

  @Test func `Dictionaries are by attributes of any type, and by nothing else`() throws {
    let attributes = [Attribute("id", .integer), Attribute("day", .date(.iso8601)), Attribute("price", .decimal(.text), optional: true)]
    let item = EntityDescription("item", key: .generated("id"), attributes: attributes)
    let items = try DAOFactory(store: .inMemory(), describedBy: [item]).runtimeDAO(item)
    let (day, price) = (Scalar.date(Date(timeIntervalSince1970: 86_400)), Scalar.decimal(1.5))
    try items.insert([DynamicEntity(item, ["day": day, "price": price]), DynamicEntity(item, ["day": day])])
    #expect(try items.dictionary(by: \.["day"]).mapValues(\.id) == [day: 2])
    #expect(try items.dictionary(by: \.["day"], matching: .all.order(by: .descending(.field("id")))).mapValues(\.id) == [day: 1])
    #expect(try items.dictionary(by: \.["price"]).mapValues(\.id) == [price: 1])
    #expect(throws: DAOError.self) { try items.dictionary(by: \.["none"]) }
  }
}
