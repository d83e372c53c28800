import CriteriaTesting
import DAOKit
import Foundation
import Testing

/// Counts calls of the functions that it overrides, and changes what they do.
private final class LoudDAO: DAO<Zone>, @unchecked Sendable {
  let calls: Calls

  init(_ context: DAOContext, calls: Calls) {
    self.calls = calls
    super.init(context)
  }

  override func findAll(_ criteria: SearchCriteria<Zone> = .all) throws -> [Zone] {
    calls.note("findAll")
    return try super.findAll(criteria)
  }
  override func find(_ id: Int64) throws -> Zone {
    calls.note("find")
    return try super.find(id)
  }
  override func insert(_ entities: [Zone]) throws -> [Zone] {
    calls.note("insert")
    return try super.insert(entities.map { Zone($0.name.uppercased(), $0.offset) })
  }
  override func update(_ entities: [Zone]) throws -> [Zone] {
    calls.note("update")
    return try super.update(entities)
  }
  override func save(_ entities: [Zone]) throws -> [Zone] {
    calls.note("save")
    return try super.save(entities)
  }
  override func upsert(_ entities: [Zone], on target: [String]? = nil, updating: [String]? = nil) throws -> [Upserted<Zone>] {
    calls.note("upsert")
    return try super.upsert(entities, on: target, updating: updating)
  }
  override func delete(_ ids: [Int64]) throws -> Int {
    calls.note("delete")
    return try super.delete(ids)
  }
}

private final class Calls: @unchecked Sendable {
  // Guards `names`.
  private let lock = NSLock()
  private var names: [String] = []
  func note(_ name: String) { lock.withLock { names.append(name) } }
  func take() -> [String] {
    lock.withLock {
      defer { names = [] }
      return names
    }
  }
}

/// Knows only the zones of an offset, and counts how often it is asked about that.
private final class NarrowDAO: DAO<Zone>, @unchecked Sendable {
  let calls: Calls

  init(_ context: DAOContext, calls: Calls) {
    self.calls = calls
    super.init(context)
  }

  override func refine(_ criteria: SearchCriteria<Zone>) -> SearchCriteria<Zone> {
    calls.note("refine")
    return criteria.filter(\.offset == 3600)
  }
}

/// Returns nothing, against the rule.
private final class EmptyDAO: DAO<Zone>, @unchecked Sendable { override func insert(_ entities: [Zone]) throws -> [Zone] { [] } }

private final class AppFactory: DAOFactory, @unchecked Sendable {
  func tenant(_ name: String) -> TenantDAO { dao { TenantDAO($0, tenant: name) } }
}

extension DAOMaker {
  fileprivate var loneZones: ZoneDAO { dao(ZoneDAO.init) }
}

@Suite("Custom DAOs")
struct CustomDAOTests {
  @Test func `they are made by their initializer, or by a closure that hands them what they need`() throws {
    let store = try TestStore.zones()
    #expect(try store.factory.dao(ZoneDAO.init).at(3600).map(\.name) == ["Europe/Bratislava", "Ärzte"])
    #expect(store.factory.dao { TenantDAO($0, tenant: "x") }.tenant == "x")
    struct Refused: Error {}
    #expect(throws: Refused.self) { try store.factory.dao { _ -> ZoneDAO in throw Refused() } }
  }

  @Test func `a factory is subclassed and extended`() throws {
    let store = try TestStore.zones()
    #expect(AppFactory(over: store.store).tenant("y").tenant == "y")
    #expect(try store.factory.loneZones.at(0).count == 1)
  }

  @Test func `an extension of DAOMaker names a DAO of a factory, of a session and of a unit of work`() throws {
    let factory = try TestStore.zones().factory
    let work = try factory.unitOfWork()
    try work.loneZones.delete(2)
    #expect(try work.loneZones.at(0).isEmpty)
    #expect(try factory.read { try $0.loneZones.at(0).map(\.name) } == ["Europe/London"])
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try factory.write { session in
        try session.loneZones.delete(2)
        #expect(try session.loneZones.at(0).isEmpty)
        throw Refused()
      }
    }
    #expect(try factory.loneZones.at(0).count == 1)
  }

  @Test func `one override governs single, many and both with await`() async throws {
    let store = try TestStore()
    let calls = Calls()
    let dao = store.factory.dao { LoudDAO($0, calls: calls) }
    let one: Zone = try syncly { try dao.insert(Zone("a", 1)) }
    #expect(one.name == "A" && calls.take() == ["insert"])
    #expect(try await dao.insert(Zone("b", 1)).name == "B" && calls.take() == ["insert"])
    #expect(try await dao.insert([Zone("c", 1)]).map(\.name) == ["C"] && calls.take() == ["insert"])
    try syncly { try dao.update(one) }
    try await dao.update(one)
    try await dao.update([one])
    #expect(calls.take() == ["update", "update", "update"])
    try syncly { _ = try dao.save(one) }
    try await dao.save(one)
    #expect(calls.take() == ["save", "upsert", "save", "upsert"])
    try syncly { _ = try dao.upsert(one) }
    try await dao.upsert(one, on: ["name"])
    #expect(calls.take() == ["upsert", "upsert"])
    _ = try syncly { try dao.findFirst() }
    _ = try await dao.findFirst()
    _ = try await dao.findAll()
    #expect(calls.take() == ["findAll", "findAll", "findAll"])
    _ = try syncly { try dao.refresh(one) }
    _ = try await dao.refresh(one)
    _ = try await dao.find(1)
    #expect(calls.take() == ["find", "find", "find"])
    try syncly { try dao.delete(one) }
    #expect(try await dao.delete(2) && calls.take() == ["delete", "delete"])
    #expect(try await dao.delete([3]) == 1 && calls.take() == ["delete"])
  }

  @Test func `every function has a twin with await that returns the same`() async throws {
    let store = try TestStore.zones()
    let zones = store.zones
    let criteria = SearchCriteria<Zone>.where(\.offset > 0).order(by: \.name)
    #expect(try await zones.findAll(criteria) == syncly { try zones.findAll(criteria) })
    #expect(try await zones.findAllIDs(criteria) == syncly { try zones.findAllIDs(criteria) })
    #expect(try await zones.findFirst(criteria) == syncly { try zones.findFirst(criteria) })
    #expect(try await zones.find(1).id == 1)
    #expect(try await zones.find([3, 1]).map(\.id) == [3, 1])
    #expect(try await zones.exists(criteria))
    #expect(try await zones.exists(1))
    #expect(try await zones.count(criteria) == 4)
    #expect(
      try await zones.page(criteria, number: 2, size: 3, total: .exact)
        == syncly { try zones.page(criteria, number: 2, size: 3, total: .exact) })
    let first = try await zones.page(criteria, size: 3)
    #expect(first == (try syncly { try zones.page(criteria, size: 3) }) && first.hasNext)
    let second = try await zones.page(criteria, size: 3, after: first.next)
    #expect(second == (try syncly { try zones.page(criteria, size: 3, after: first.next) }) && second.items.count == 1)
    let back = try await zones.page(criteria, size: 3, before: second.previous)
    #expect(back == (try syncly { try zones.page(criteria, size: 3, before: second.previous) }) && back.items == first.items)
    #expect(
      try await zones.dictionaries(criteria.project(.field(\.name))) == syncly { try zones.dictionaries(criteria.project(.field(\.name))) })
    let tuples = try await zones.project(.group(by: \.offset), .count, matching: .all.order(by: .ascending(\.offset)))
    #expect(tuples.map(\.0) == [-18000, 0, 3600, 10800, 19800] && tuples.map(\.1) == [1, 1, 2, 1, 1])
    struct Line: Decodable, Sendable { let name: String }
    #expect(try await zones.project(criteria.project(.field(\.name)), as: Line.self).count == 4)
    #expect(try await zones.query("SELECT * FROM zone WHERE id = \(1)").count == 1)
    #expect(try await zones.query("SELECT name FROM zone", as: Line.self).count == 6)
    let inserted = try await zones.insert(Zone("x", 1))
    #expect(try await zones.refresh(inserted) == inserted)
    try await zones.update([Zone(id: 7, "x", 2)])
    #expect(try await zones.save([Zone(id: 7, "x", 3)]).map(\.id) == [7])
    #expect(try await zones.upsert([Zone("x", 3)], on: ["name"]).map(\.outcome) == [.unchanged])
    #expect(try await zones.update(.where(\.id == 7), set: [.set(\.offset, to: 4)]) == 1)
    #expect(try await zones.update(.where(\.id == 7), set: .set(\.offset, to: 5)) == 1)
    #expect(try await zones.find(7).offset == 5)
    #expect(try await zones.execute("UPDATE zone SET offset = \(6) WHERE id = 7") == 1)
    try await zones.delete(inserted)
    #expect(try await zones.delete(1))
    #expect(try await zones.delete([2, 3]) == 2)
    #expect(try await zones.delete(.where(\.id == 4)) == 1)
    #expect(try await zones.findAllIDs() == [5, 6])
    await #expect(throws: DAOError.self) { try await zones.delete(.all) }
  }

  @Test func `an override that returns too little is told so`() throws {
    let dao = try TestStore().factory.dao(EmptyDAO.init)
    #expect(misuse { try dao.insert(Zone("a", 1)) } == "an error thrown from it")
  }

  @Test func `refine governs every query, once, and no find by key, update or delete`() throws {
    let calls = Calls()
    let store = try TestStore.zones()
    let dao = store.factory.dao { NarrowDAO($0, calls: calls) }
    let all = try store.zones.findAll(.all.order(by: \.id))
    let seen = all.filter { $0.offset == 3600 }
    #expect(seen.count == 2)
    func once<Value: Equatable>(_ expected: Value, _ sourceLocation: SourceLocation = #_sourceLocation, _ query: () throws -> Value)
      rethrows
    {
      #expect(try query() == expected, sourceLocation: sourceLocation)
      #expect(calls.take() == ["refine"], sourceLocation: sourceLocation)
    }
    let criteria = SearchCriteria<Zone>.all.order(by: \.id)
    try once(seen) { try dao.findAll(criteria) }
    try once(seen[0]) { try dao.findFirst(criteria) }
    try once(seen.compactMap(\.id)) { try dao.findAllIDs(criteria) }
    try once(2) { try dao.count() }
    try once(false) { try dao.exists(.where(\.offset == 0)) }
    try once([seen[0]]) { try dao.page(criteria, size: 1).items }
    try once(2) { try dao.page(criteria, size: 1, total: .exact).total }
    try once(1) { try dao.page(criteria, size: 1, total: .atMost(1)).total }
    try once([seen[1]]) { try dao.page(criteria, size: 1, before: nil).items }
    try once([[2]]) { try dao.dictionaries(.all.project(.count)).map { $0.values.sorted { "\($0)" < "\($1)" } } }
    try once(seen) {
      try dao.withCursor(criteria) { cursor in
        var found: [Zone] = []
        while let zone = try cursor.next() { found.append(zone) }
        return found
      }
    }
    try once(true) { try dao.explain(criteria).statement?.text.contains(#""offset" = ?"#) == true }
    let other = try #require(all.first { $0.offset != 3600 })
    let id = try #require(other.id)
    #expect(try dao.find(id) == other)
    #expect(try dao.update(.where(\.id == id), set: .set(\.comment, to: "seen")) == 1)
    #expect(try dao.delete(.where(\.id == id)) == 1)
    #expect(calls.take().isEmpty)
  }

  @Test func `refine governs streams and what is awaited`() async throws {
    let calls = Calls()
    let dao = try TestStore.zones().factory.dao { NarrowDAO($0, calls: calls) }
    var streamed: [Int] = []
    for try await zone in dao.stream() { streamed.append(zone.offset) }
    #expect(streamed == [3600, 3600] && calls.take() == ["refine"])
    #expect(try await dao.count() == 2 && calls.take() == ["refine"])
    #expect(try await dao.page(size: 1).hasNext && calls.take() == ["refine"])
  }
}
