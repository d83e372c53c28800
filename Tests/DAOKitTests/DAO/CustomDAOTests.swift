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
  override func update(_ entities: [Zone]) throws {
    calls.note("update")
    try super.update(entities)
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

/// Returns nothing, against the rule.
private final class PinningDAO: DAO<Zone>, @unchecked Sendable {
  override func findAll(_ criteria: SearchCriteria<Zone> = .all) throws -> [Zone] {
    try super.findAll(criteria.filter(\.offset == 0)) + super.findAll(criteria.filter(\.offset != 0))
  }
}

private final class EmptyDAO: DAO<Zone>, @unchecked Sendable { override func insert(_ entities: [Zone]) throws -> [Zone] { [] } }

private final class AppFactory: DAOFactory, @unchecked Sendable {
  func tenant(_ name: String) -> TenantDAO { dao { TenantDAO($0, tenant: name) } }
}

extension DAOFactory {
  fileprivate var loneZones: ZoneDAO { dao(ZoneDAO.init) }
}

@Suite("Custom DAOs")
struct CustomDAOTests {
  @Test("they are made by their initializer, or by a closure that hands them what they need")
  func made() throws {
    let store = try TestStore.zones()
    #expect(try store.factory.dao(ZoneDAO.init).at(3600).map(\.name) == ["Europe/Bratislava", "Ärzte"])
    #expect(store.factory.dao { TenantDAO($0, tenant: "x") }.tenant == "x")
    struct Refused: Error {}
    #expect(throws: Refused.self) { try store.factory.dao { _ -> ZoneDAO in throw Refused() } }
  }

  @Test("a factory is subclassed and extended")
  func factories() throws {
    let store = try TestStore.zones()
    #expect(AppFactory(over: store.store).tenant("y").tenant == "y")
    #expect(try store.factory.loneZones.at(0).count == 1)
  }

  @Test("one override governs single, many and both with await")
  func overrides() async throws {
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
    _ = try await dao.page(size: 2)
    #expect(calls.take() == ["findAll", "findAll", "findAll", "findAll"])
    _ = try syncly { try dao.refresh(one) }
    _ = try await dao.refresh(one)
    _ = try await dao.find(1)
    #expect(calls.take() == ["find", "find", "find"])
    try syncly { try dao.delete(one) }
    #expect(try await dao.delete(2) && calls.take() == ["delete", "delete"])
    #expect(try await dao.delete([3]) == 1 && calls.take() == ["delete"])
  }

  @Test("every function has a twin with await that returns the same")
  func twins() async throws {
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

  @Test("an override that returns too little is told so")
  func empty() throws {
    let dao = try TestStore().factory.dao(EmptyDAO.init)
    #expect(misuse { try dao.insert(Zone("a", 1)) } == "an error thrown from it")
  }

  @Test("an override that asks for a page twice is told so, since what is beyond the first would be hidden")
  func twice() throws {
    let dao = try TestStore.zones().factory.dao(PinningDAO.init)
    #expect(try dao.findAll().count == 6)
    #expect(misuse { _ = try dao.page(size: 2) } == "super.findAll once, with the criteria that it was given")
  }
}
