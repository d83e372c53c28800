import DAOKit
import Foundation
import Testing

@Suite("Identity, names and rules of the schema")
struct IdentityTests {
  @Test func `a generated key comes back, and a given one is kept`() throws {
    let zones = try TestStore().zones
    #expect(try zones.insert(Zone("a", 1)).id == 1)
    #expect(try zones.insert(Zone(id: 40, "b", 1)).id == 40)
    #expect(try zones.insert([Zone("c", 1), Zone(id: 7, "d", 1), Zone("e", 1)]).map(\.id) == [41, 7, 42])
    #expect(try zones.find(41).name == "c" && zones.find([7, 40, 41]).map(\.name) == ["d", "b", "c"])
  }

  @Test func `a UUID is a key`() throws {
    let dao = try TestStore([Document.entityDescription]).factory.runtimeDAO(Document.self)
    let documents = try dao.insert((0..<5).map { Document("\($0)") })
    #expect(try documents.allSatisfy { try dao.find($0.id) == $0 })
    #expect(try dao.find([documents[3].id, documents[1].id]) == [documents[3], documents[1]])
    #expect(try Set(dao.findAllIDs()) == Set(documents.map(\.id)))
    #expect(try dao.findAll(.where(.in(\.id, [documents[2].id]))) == [documents[2]])
    #expect(try dao.delete(documents[0].id) && !dao.exists(documents[0].id))
  }

  @Test func `a natural key in a renamed table with renamed columns`() throws {
    let store = try TestStore([Country.entityDescription])
    let dao = store.factory.runtimeDAO(Country.self)
    try dao.insert([Country("SK", "Slovakia"), Country("CZ", "Czechia")])
    #expect(try dao.find("SK").name == "Slovakia")
    try assertQuery(
      SearchCriteria<Country>.where(\.name == "Czechia").order(by: \.code).limit(1),
      #"SELECT "ISO ""code""", "order" FROM "iso countries" WHERE "order" = ? ORDER BY "ISO ""code""" ASC NULLS FIRST LIMIT ?"#,
      [.text("Czechia"), .integer(1)], finds: ["CZ"], in: store)
    #expect(try dao.dictionaries(.all.project(.max(\.code))) == [["max:code": "SK"]])
    #expect(try dao.query("SELECT \(identifier: "order"), \(identifier: "ISO \"code\"") FROM \(identifier: "iso countries")").count == 2)
  }

  @Test func `a composite key, in the key's order`() throws {
    let store = try TestStore([Zone.entityDescription, Transition.entityDescription])
    try store.zones.insert(Zone.samples)
    let dao = store.factory.runtimeDAO(Transition.self)
    let all = [Transition(1, 10, 7), Transition(1, 20, 8, "x"), Transition(2, 10, 9)]
    try dao.insert(all)
    let keys = all.compactMap(\.primaryKey)
    #expect(try dao.find(keys[1]) == all[1] && dao.find([keys[2], keys[0]]) == [all[2], all[0]])
    #expect(try dao.findAllIDs(.all.order(by: \.offset)) == keys)
    let paged = SearchCriteria<Transition>.all.order(by: .descending(\.zoneID)).limit(2)
    #expect(
      try paged.sql()?.text
        == #"""
        SELECT "instant", "offset", "zoneID", "note" FROM "transition" \#
        ORDER BY "zoneID" DESC NULLS LAST, "instant" DESC NULLS LAST LIMIT ?
        """#
    )
    #expect(try dao.findAll(paged) == [all[2], all[1]])
    let deleted = try store.trace.during { try dao.delete(paged, allowUnfiltered: true) }
    #expect(
      deleted.texts.first
        == #"""
        DELETE FROM "transition" \#
        WHERE ("zoneID", "instant") IN (SELECT "zoneID", "instant" FROM "transition" \#
        ORDER BY "zoneID" DESC NULLS LAST, "instant" DESC NULLS LAST LIMIT ?)
        """#
    )
    #expect(try dao.findAll() == [all[0]])
    var changed = all[0]
    changed.note = nil
    try dao.update(changed)
    #expect(try dao.refresh(all[0]).note == nil)
    #expect(try dao.delete([keys[1], keys[0]]) == 1)
  }

  @Test func `a default is the schema's: rows of others get it`() throws {
    let store = try TestStore([Zone.entityDescription, Transition.entityDescription])
    try store.zones.insert(Zone("a", 1))
    _ = try store.store.execute(#"INSERT INTO "transition" ("zoneID", "instant", "offset") VALUES (1, 5, 6)"#)
    let dao = store.factory.runtimeDAO(Transition.self)
    #expect(try dao.findFirst()?.note == "none")
    try dao.insert(Transition(1, 6, 7, nil))
    #expect(try dao.find(.init(1, Date(timeIntervalSince1970: 6))).note == nil)
    #expect(try store.factory.runtimeDAO("transition").make(["zoneID": 1])["note"] == "none")
  }

  @Test func `indexes, and uniques over several attributes`() throws {
    let store = try TestStore([Zone.entityDescription, Transition.entityDescription])
    try store.zones.insert(Zone.samples)
    let dao = store.factory.runtimeDAO(Transition.self)
    try dao.insert(Transition(1, 10, 7))
    try dao.insert(Transition(2, 10, 7))
    #expect(constraint { try dao.insert(Transition(1, 11, 7)) } == "unique transition zoneID,offset")
    let indexes = try store.store.query("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%transition%' ORDER BY name") {
      row, _ in
      try row.next(String.self)
    }
    #expect(
      indexes == [
        #"CREATE INDEX "transition_on_offset" ON "transition" ("offset")"#,
        #"CREATE UNIQUE INDEX "transition_on_zoneID_offset" ON "transition" ("zoneID", "offset")"#,
      ])
  }

  @Test func `an entity that does not write what its description says is refused, and no value of another row slips in`() throws {
    struct Short: Entity {
      var count: Int
      static let entityDescription = Zone.entityDescription
      typealias Fields = Zone.Fields
      var primaryKey: Int64? { 1 }
      init(_ count: Int) { self.count = count }
      init(row: inout RowReader) throws { count = 0 }
      func write(to row: inout ColumnWriter) throws {
        for value in [nil, "name", 5, "comment", "more"].prefix(count) as ArraySlice<(any AttributeValue & Sendable)?> {
          switch value {
          case let text as String: try row.write(text)
          case let number as Int: try row.write(number)
          default: try row.write(nil as Int?)
          }
        }
      }
    }
    let store = try TestStore.zones()
    let dao = store.factory.runtimeDAO(Short.self)
    for count in [0, 3, 5] {
      for call in [{ try dao.insert(Short(count)) }, { try dao.update(Short(count)) }, { try dao.save(Short(count)) }]
        as [() throws -> Void]
      {
        #expect {
          try call()
        } throws: {
          if case DAOError.invalidValue("zone", _, _) = $0 { true } else { false }
        }
      }
    }
    #expect(try store.zones.count() == 6)
  }

  @Test func `a view is read, with criteria as any entity, and never written`() throws {
    let store = try TestStore([Zone.entityDescription, OffsetCount.entityDescription])
    try store.zones.insert(Zone.samples)
    let dao = store.factory.runtimeDAO(OffsetCount.self)
    try assertQuery(
      SearchCriteria<OffsetCount>.where(\.zones > 1), #"SELECT "offset", "zones" FROM "offset_count" WHERE "zones" > ?"#, [.integer(1)],
      finds: [3600], in: store)
    #expect(try dao.find(3600) == OffsetCount(3600, 2))
    let entity = OffsetCount(1, 1)
    let writes: [() throws -> Void] = [
      { try dao.insert(entity) }, { try dao.update(entity) }, { try dao.save(entity) }, { try dao.upsert(entity) },
      { try dao.delete(entity) },
      { try dao.delete(3600) }, { try dao.delete(.where(\.zones > 1)) }, { try dao.update(.where(\.zones > 1), set: .set(\.zones, to: 1)) },
    ]
    for write in writes { #expect(readOnly(write) == "offset_count") }
    #expect(try store.zones.count() == 6)
  }

  @Test func `a description that contradicts itself is refused, all of it together, in every call`() throws {
    let broken = EntityDescription("zone", key: .assigned(["nothing"]), attributes: [Attribute("a", .text), Attribute("a", .text)])
    let store = try TestStore()
    let target = EntityTarget(broken)
    let calls: [() throws -> Void] = [
      { _ = try store.store.find(Zone.self, in: target, Criteria()) }, { _ = try store.store.find(Zone.self, in: target, key: 1) },
      { _ = try store.store.insert([Zone("a", 1)], in: target) }, { _ = try store.store.count(in: target, Criteria()) },
      { _ = try SchemaSQL.statements(for: [broken]) },
    ]
    for call in calls {
      #expect(throws: DAOError.self) { try call() }
      do { try call() } catch DAOError.invalidDescription(_, let problems) {
        #expect(problems.count == 3, "\(problems)")
      } catch { Issue.record(error) }
    }
  }
}

/// A constraint that does not hold, in words.
func constraint(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
  do { try body() } catch DAOError.constraint(let kind, let entity, let attributes, _) {
    return "\(kind.rawValue) \(entity) \(attributes.joined(separator: ","))"
  } catch { Issue.record(error, sourceLocation: sourceLocation) }
  return nil
}

/// The entity that can only be read; "store" where it is the session or store.
func readOnly(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
  do { try body() } catch DAOError.readOnly(let entity, _) { return entity ?? "store" } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}
