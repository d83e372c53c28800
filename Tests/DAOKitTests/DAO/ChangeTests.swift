import CriteriaTesting
import DAOKit
import Testing

@Suite("Changing")
struct ChangeTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws { store = try .zones() }

  @Test func `insert returns the entity with the key that was generated`() throws {
    let run = try store.trace.during { try zones.insert(Zone("a", 1, "it's")) }
    #expect(run.result == Zone(id: 7, "a", 1, "it's"))
    #expect(run.expanded == [#"INSERT INTO "zone" ("id", "name", "offset", "comment") VALUES (NULL, 'a', 1, 'it''s')"#])
  }

  @Test func `10,000 entities come back with their keys in the order in which they were given, from one statement`() throws {
    let many = (0..<10_000).map { Zone("\($0 * 7919 % 10_000)", $0) }
    let run = try store.trace.during { try zones.insert(many) }
    #expect(run.result.map(\.name) == many.map(\.name) && run.result.map(\.id) == (7...10_006).map { $0 })
    #expect(Set(run.texts).count == 3)
    let found = try zones.find(run.result.compactMap(\.id))
    #expect(found == run.result)
    #expect(try zones.insert([]).isEmpty)
  }

  @Test func `insert of many is whole or not at all`() throws {
    var many = (0..<1000).map { Zone("\($0)", $0) }
    many[700].name = "Europe/London"
    #expect(constraint { try zones.insert(many) } == "unique zone name")
    #expect(try zones.count() == 6)
    #expect(try zones.insert(Zone("after", 1)).id == 7)
  }

  @Test func `update writes every attribute of the row with the key`() throws {
    let run = try store.trace.during { try zones.update(Zone(id: 2, "London", 1)) }
    #expect(run.expanded == [#"UPDATE "zone" SET "name" = 'London', "offset" = 1, "comment" = NULL WHERE "id" = 2"#])
    #expect(try zones.find(2) == Zone(id: 2, "London", 1) && zones.count(.where(\.comment == nil)) == 3)
    try zones.update(Zone(id: 2, "London", 1))
  }

  @Test func `update of a row that is not there is an error, of many whole or not at all`() throws {
    #expect(notFound { try zones.update(Zone(id: 99, "x", 1)) } == "zone 99")
    #expect(notFound { try zones.update(Zone("x", 1)) }?.hasPrefix("zone nil") == true)
    #expect(notFound { try zones.update([Zone(id: 1, "x", 1), Zone(id: 99, "y", 1)]) } == "zone 99")
    #expect(constraint { try zones.update([Zone(id: 1, "x", 1), Zone(id: 2, "x", 1)]) } == "unique zone name")
    #expect(try zones.find(1).name == "Europe/Bratislava")
    try zones.update([Zone(id: 1, "x", 1), Zone(id: 2, "y", 1)])
    #expect(try zones.find([1, 2]).map(\.name) == ["x", "y"])
  }

  @Test func `save inserts what is new and updates what is there`() throws {
    #expect(try zones.save(Zone("new", 1)).id == 7)
    #expect(try zones.save(Zone(id: 2, "London", 1)).id == 2)
    #expect(try zones.save([Zone(id: 50, "fifty", 1), Zone("next", 2)]).map(\.id) == [50, 51])
    #expect(try zones.find([2, 7, 50, 51]).map(\.name) == ["London", "new", "fifty", "next"])
  }

  @Test func `delete, by entity, by key and by keys`() throws {
    try zones.delete(zones.find(1))
    #expect(notFound { try zones.delete(Zone(id: 1, "gone", 0)) } == "zone 1")
    #expect(try zones.delete(2) && !zones.delete(2))
    #expect(try zones.delete([3, 99, 4]) == 2 && zones.delete([]) == 0)
    #expect(try zones.findAllIDs() == [5, 6])
  }

  @Test func `delete by criteria returns how many there were`() throws {
    let run = try store.trace.during { try zones.delete(.where(\.offset == 3600)) }
    #expect(run.result == 2 && run.texts == [#"DELETE FROM "zone" WHERE "offset" = ?"#])
    #expect(try Set(zones.findAllIDs()) == [2, 3, 4, 5] && zones.delete(.where(\.offset == 3600)) == 0)
  }

  @Test func `update by criteria sets values, nil and other attributes, and returns how many there were`() throws {
    let run = try store.trace.during { () throws in
      try zones.update(.where(\.offset > 5000), set: .set(\.comment, to: Operand(\.name)), .set(\.offset, to: 1))
    }
    #expect(run.result == 2 && run.texts == [#"UPDATE "zone" SET "comment" = "name", "offset" = ? WHERE "offset" > ?"#])
    #expect(run.expanded == [#"UPDATE "zone" SET "comment" = "name", "offset" = 1 WHERE "offset" > 5000"#])
    #expect(try zones.find([3, 5]) == [Zone(id: 3, "Asia/Kolkata", 1, "Asia/Kolkata"), Zone(id: 5, "europe/minsk", 1, "europe/minsk")])
    #expect(try zones.update(.where(\.offset == 1), set: .set(\.comment, to: nil)) == 2)
    #expect(try zones.update(.where(\.offset == 1), set: .set(\.name, to: .upper(\.name))) == 2)
    #expect(try zones.update(.where(\.id == 2), set: .set("comment", to: "named")) == 1)
    #expect(try zones.find([2, 3]).map(\.comment) == ["named", nil] && zones.find(3).name == "ASIA/KOLKATA")
  }

  @Test func `an update by criteria that can't be is refused, all problems together`() throws {
    let found = problems {
      try zones.update(
        .where(\.offset == 1), set: .set("id", to: 1), .set("name", to: .null), .set("offset", to: "x"), .set("ofset", to: 1),
        .set("comment", to: 5))
    }
    #expect(found.count == 5, "\(found)")
    #expect(problems { try zones.update(.where(\.offset == 1), set: []) } == ["an update needs something to set"])
  }

  @Test(
    arguments: [
      .all, .where(.everything), .where(.all([])), .all.order(by: \.name), .where(.optional(nil as Int?) { \.offset == $0 }),
      .where(.notIn(\.offset, [])), .where(.everything || \.offset == 1), .where(!(.in(\.offset, []) && \.offset == 1)),
      .where(!(.nothing && \.offset == 1)),
    ] as [SearchCriteria<Zone>])
  func `delete and update need a filter, or the word that allows them to touch every row`(_ criteria: SearchCriteria<Zone>) throws {
    func refusal(_ body: () throws -> Void) -> String? {
      do { try body() } catch DAOError.unfiltered(let operation, let entity) { return "\(operation) \(entity)" } catch { return "\(error)" }
      return nil
    }
    #expect(refusal { try zones.delete(criteria) } == "delete zone")
    #expect(refusal { try zones.update(criteria, set: .set(\.comment, to: "x")) } == "update zone")
    #expect(try zones.count() == 6 && zones.count(.where(\.comment == "x")) == 0)
    #expect(try zones.update(criteria, set: .set(\.comment, to: "x"), allowUnfiltered: true) == 6)
    #expect(try zones.delete(criteria, allowUnfiltered: true) == 6)
  }
}

@Suite("Upsert")
struct UpsertTests {
  @Test func `it says inserted, updated or unchanged, by key`() throws {
    let store = try TestStore.zones()
    let entities = [Zone(id: 1, "Europe/Bratislava", 3600), Zone(id: 2, "Europe/London", 60, "x"), Zone(id: 90, "a", 1), Zone("b", 1)]
    let run = try store.trace.during { try store.zones.upsert(entities) }
    #expect(run.result.map(\.outcome) == [.unchanged, .updated, .inserted, .inserted])
    #expect(run.result.map(\.entity.id) == [1, 2, 90, 91])
    #expect(
      run.texts.contains(
        #"""
        INSERT INTO "zone" ("id", "name", "offset", "comment") VALUES (?1, ?2, ?3, ?4) \#
        ON CONFLICT ("id") DO UPDATE SET "name" = excluded."name", "offset" = excluded."offset", "comment" = excluded."comment" \#
        WHERE ("zone"."name" IS NOT excluded."name" COLLATE BINARY \#
        OR "zone"."offset" IS NOT excluded."offset" OR "zone"."comment" IS NOT excluded."comment" COLLATE BINARY)
        """#
      ))
    #expect(!run.texts.contains { $0.contains("REPLACE") })
    #expect(try store.zones.find(2) == Zone(id: 2, "Europe/London", 60, "x"))
  }

  @Test func `another unique constraint decides, and the met row's key comes back`() throws {
    let zones = try TestStore.zones().zones
    let result = try zones.upsert([Zone("Asia/Kolkata", 1), Zone("Europe/London", 0, "UTC in winter"), Zone("c", 3)], on: ["name"])
    #expect(result.map(\.outcome) == [.updated, .unchanged, .inserted] && result.map(\.entity.id) == [3, 2, 7])
    #expect(try zones.find(3).offset == 1)
  }

  @Test func `only named attributes take new values`() throws {
    let zones = try TestStore.zones().zones
    #expect(try zones.upsert(Zone("Europe/London", 9, "new"), on: ["name"], updating: ["comment"]).outcome == .updated)
    #expect(try zones.find(2) == Zone(id: 2, "Europe/London", 0, "new"))
    #expect(try zones.upsert(Zone("Europe/London", 9, "new"), on: ["name"], updating: ["comment"]).outcome == .unchanged)
    #expect(try zones.upsert(Zone("Europe/London", 9, "other"), on: ["name"], updating: []).outcome == .unchanged)
    #expect(try zones.find(2).comment == "new")
    #expect(
      problems { try zones.upsert(Zone("x", 1), on: ["name"], updating: ["id"]) } == [
        "id: is part of the key, which an upsert can't change"
      ])
    #expect(problems { try zones.upsert(Zone("x", 1), on: []) } == ["an upsert needs attributes as its target"])
    #expect(
      problems { try zones.upsert(Zone("x", 1), on: ["nam"], updating: ["offfset"]) } == [
        "nam: zone has no attribute 'nam'; did you mean 'name'?", "offfset: zone has no attribute 'offfset'; did you mean 'offset'?",
      ])
  }

  @Test func `with a natural key, the entity that comes back has the key of the row it met`() throws {
    let dao = try TestStore([Country.entityDescription]).factory.runtimeDAO(Country.self)
    try dao.insert([Country("SK", "Slovakia"), Country("CZ", "Czechia")])
    let met = try dao.upsert(Country("XX", "Slovakia"), on: ["name"])
    #expect(met.outcome == .unchanged && met.entity == Country("SK", "Slovakia"))
    #expect(try dao.count() == 2)
    #expect(
      try dao.upsert([Country("SK", "Slovensko"), Country("PL", "Poland"), Country("CZ", "Czechia")]).map(\.outcome) == [
        .updated, .inserted, .unchanged,
      ])
    #expect(try dao.find("SK").name == "Slovensko")
  }

  @Test func `a composite key decides too`() throws {
    let store = try TestStore([Zone.entityDescription, Transition.entityDescription])
    try store.zones.insert(Zone.samples)
    let dao = store.factory.runtimeDAO(Transition.self)
    try dao.insert([Transition(1, 10, 7), Transition(1, 20, 8)])
    let result = try dao.upsert([Transition(1, 10, 7), Transition(1, 20, 9), Transition(2, 10, 7)])
    #expect(result.map(\.outcome) == [.unchanged, .updated, .inserted])
    #expect(try dao.upsert(Transition(1, 20, 9, "n"), on: ["zoneID", "offset"]).outcome == .updated)
  }

  @Test func `a table without row ids says the same`() throws {
    let store = try TestStore(
      [], sql: #"CREATE TABLE "iso countries" ("ISO ""code""" TEXT PRIMARY KEY NOT NULL, "order" TEXT NOT NULL UNIQUE) WITHOUT ROWID"#)
    let dao = store.factory.runtimeDAO(Country.self)
    try dao.insert([Country("SK", "Slovakia"), Country("CZ", "Czechia")])
    let result = try dao.upsert([Country("SK", "Slovakia"), Country("CZ", "Česko"), Country("PL", "Poland")])
    #expect(result.map(\.outcome) == [.unchanged, .updated, .inserted])
    #expect(try dao.upsert(Country("YY", "Poland"), on: ["name"]).entity == Country("PL", "Poland"))
    #expect(try dao.upsert(Country("DE", "Germany"), on: ["name"]).outcome == .inserted)
    #expect(try dao.count() == 4)
  }

  @Test func `null in the target meets no row`() throws {
    let entity = EntityDescription(
      "t", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("a", .text, optional: true), Attribute("b", .integer)],
      indexes: [Index(on: "a", unique: true)])
    let dao = try TestStore([entity]).factory.runtimeDAO("t")
    for expected in 1...2 {
      let result = try dao.upsert(dao.make(["b": 1]), on: ["a"])
      #expect(result.outcome == .inserted && result.entity["id"] == .integer(Int64(expected)))
    }
  }

  @Test func `the entities of one upsert are told apart, whatever their keys and those before them`() throws {
    let store = try TestStore([Zone.entityDescription])
    let keys: [Int64] = [.min, .max, 0, -1, .min + 1, .max - 1]
    func upsert(_ offset: Int) throws -> [Upserted<Zone>] { try store.zones.upsert(keys.map { Zone(id: $0, "zone \($0)", offset) }) }
    for (offset, outcome) in [(1, UpsertOutcome.inserted), (2, .updated), (2, .unchanged)] {
      let upserted = try upsert(offset)
      #expect(upserted.map(\.outcome) == keys.map { _ in outcome })
      #expect(upserted.map(\.entity.id) == keys)
    }
    // A generated key follows one that is the mark by which inserts are seen.
    let mixed = try store.zones.upsert([Zone(id: .min, "zone", 3), Zone("new", 3), Zone(id: .max, "last", 3), Zone("newer", 3)])
    #expect(mixed.map(\.outcome) == [.updated, .inserted, .updated, .inserted])
    #expect(try store.zones.find(mixed.compactMap(\.entity.id)).map(\.name) == ["zone", "new", "last", "newer"])
  }

  @Test func `children of an updated row stay, which REPLACE would have deleted`() throws {
    let store = try TestStore([Zone.entityDescription, Transition.entityDescription])
    try store.zones.insert(Zone.samples)
    let transitions = store.factory.runtimeDAO(Transition.self)
    try transitions.insert([Transition(1, 10, 7), Transition(1, 20, 8)])
    #expect(try store.zones.upsert(Zone(id: 1, "Europe/Bratislava", 1)).outcome == .updated)
    #expect(try store.zones.upsert(Zone("Europe/Bratislava", 2), on: ["name"]).outcome == .updated)
    #expect(try store.zones.save(Zone(id: 1, "Europe/Bratislava", 3)).id == 1)
    #expect(try transitions.count() == 2)
    // That the cascade is there at all:
    try store.zones.delete(1)
    #expect(try transitions.count() == 0)
  }

  @Test func `a failure in the middle leaves nothing behind`() throws {
    let zones = try TestStore.zones().zones
    #expect(constraint { try zones.upsert([Zone("a", 1), Zone(id: 3, "Europe/London", 1)]) } == "unique zone name")
    #expect(try zones.count() == 6)
    #expect(throws: DAOError.self) { try zones.upsert([Zone("a", 1)], on: ["offset"]) }
    #expect(try zones.count() == 6)
  }
}
