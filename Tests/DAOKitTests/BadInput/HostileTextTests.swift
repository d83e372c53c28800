import CriteriaTesting
import DAOKit
import Foundation
import Testing

@Suite("Hostile text")
struct HostileTextTests {
  static let attacks = [
    "'; DROP TABLE zone; --", "\"; DROP TABLE zone; --", "x' OR '1'='1", "?1", "\\", "%' OR 1=1 --", "\0'; DROP TABLE zone", "]]",
    "\u{301}'",
    "'\u{301}; DROP TABLE zone; --", "\"\u{301}; DROP TABLE zone; --",
  ]

  @Test(arguments: attacks)
  func `in values it is only ever data`(_ attack: String) throws {
    let store = try TestStore.zones()
    let zones = store.zones
    let saved = try zones.insert(Zone(attack, 1, attack))
    let filters: [Filter<Zone>] = [
      \.name == attack, .in(\.name, [attack]), .contains(\.name, attack), .beginsWith(\.name, attack), .endsWith(\.name, attack),
      .between(\.name, attack, attack), .coalesce(\.comment, attack) == attack && \.offset == 1,
    ]
    for filter in filters {
      let statement = try #require(try SearchCriteria<Zone>.where(filter).sql())
      #expect(!statement.text.contains("DROP"))
      #expect(try zones.findAll(.where(filter)) == [saved], "\(statement)")
    }
    try zones.update(.where(\.offset == 1), set: .set(\.comment, to: attack + attack))
    #expect(try zones.refresh(saved).comment?.utf8.elementsEqual((attack + attack).utf8) == true)
    #expect(try zones.upsert(Zone(attack, 2), on: ["name"]).entity.id == saved.id)
    #expect(try zones.query("SELECT * FROM zone WHERE name = \(attack)").map(\.id) == [saved.id])
    #expect(try zones.delete(.where(\.name == attack)) == 1 && zones.count() == 6)
  }

  @Test func `a text with NUL is found by like too, and without regard to case`() throws {
    let zones = try TestStore().zones
    try zones.insert([Zone("a\0b", 1), Zone("a", 2), Zone("a\0c", 3)])
    #expect(try zones.findAll(.where(\.name == "a\0b")).map(\.offset) == [1])
    #expect(try zones.findAll(SearchCriteria.where(.in(\.name, ["a\0b", "a"])).order(by: \.id)).map(\.offset) == [1, 2])
    #expect(try zones.findAll(.where(.contains(\.name, "\0b"))).map(\.offset) == [1])
    #expect(try zones.findAll(SearchCriteria.where(.beginsWith(\.name, "a\0")).order(by: \.id)).map(\.offset) == [1, 3])
    #expect(try zones.findAll(.where(.endsWith(\.name, "\0c"))).map(\.offset) == [3])
  }

  @Test(arguments: [
    "a\"b", "a'b", "a;b", "a b--", "a.b", "select", "a\"; DROP TABLE zone; --", "a\"\n; DROP TABLE zone; --", "\"\u{301}x\"\u{301}", "]",
    "ä",
  ])
  func `in names of tables and columns it is only ever a name`(_ name: String) throws {
    let entity = EntityDescription(
      name, key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("v", .text, column: name + "v"), Attribute(name + "w", .integer, optional: true)],
      indexes: [Index(on: "v", unique: true)])
    let store = try TestStore([entity, Zone.entityDescription])
    let dao = try store.factory.runtimeDAO(name)
    let made = try dao.insert(dao.make([name + "v": "x", name + "w": 5]))
    #expect(try dao.find(1) == made)
    #expect(try dao.findAll(.where(.equal(Operand<DynamicEntity, Scalar>(.field(FieldPath.root.appending(name + "w"))), 5))).count == 1)
    #expect(try dao.upsert(made, on: [name + "v"]).outcome == .unchanged)
    #expect(
      try dao.update(
        .all, set: [Assignment(Criteria.Change(.field(FieldPath.root.appending(name + "w")), .value(6)))], allowUnfiltered: true) == 1)
    #expect(try dao.query("SELECT * FROM \(identifier: name) WHERE \(identifier: name + "w") = \(6)").count == 1)
    #expect(try dao.delete(made.primaryKey ?? []) && store.zones.count() == 0)
  }

  @Test(arguments: attacks + ["", ".", "name.x", "zone.name", "NAME"])
  func `a name that no entity has is an error before SQL, whatever it holds`(_ name: String) throws {
    let store = try TestStore.zones()
    let sent = try store.trace.during { () throws in
      #expect(problems { _ = try store.zones.findAll(.where(.field(name) == "x")) }.count == 1)
      #expect(problems { _ = try store.zones.findAll(.all.order(by: .ascending(.field(name)))) }.count == 1)
      #expect(problems { _ = try store.zones.dictionaries(.all.project(.field(name))) }.count == 1)
      #expect(problems { _ = try store.zones.update(.where(\.offset == 1), set: .set(name, to: "x")) }.count == 1)
      #expect(problems { _ = try store.zones.upsert(Zone("a", 1), on: [name]) }.count == 1)
      #expect(problems { _ = try store.zones.upsert(Zone("a", 1), updating: [name]) }.count == 1)
    }
    // Upserts ask for the transaction first; nothing else may have run.
    #expect(sent.texts.allSatisfy { $0.hasPrefix("BEGIN") || $0.hasPrefix("ROLLBACK") })
    #expect(try store.zones.count() == 6)
  }

  @Test func `SQL with NUL in it is refused, not cut short`() throws {
    let store = try TestStore.zones()
    #expect(throws: DAOError.self) { try store.zones.execute("DELETE FROM zone\0 WHERE id = \(1)") }
    #expect(throws: DAOError.self) { try store.zones.execute("DELETE FROM zone\0 WHERE id = 1") }
    #expect(throws: DAOError.self) { try store.zones.query("SELECT * FROM \(identifier: "zone\0\"x")") }
    #expect(try store.zones.count() == 6)
  }
}
