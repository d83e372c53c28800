import DAOKit
import Foundation
import Testing

@Suite("Entities with references as values")
struct EntityValueTests {
  private let store: TestStore
  private var nations: RuntimeDAO<Nation> { store.factory.runtimeDAO(Nation.self) }

  init() throws {
    store = try TestStore([Nation.entityDescription, Town.entityDescription, Lake.entityDescription, NationLake.entityDescription])
    try nations.insert([Nation("SK", "Slovakia"), Nation("CZ", "Czechia", neighbour: "SK")])
    try store.factory.runtimeDAO(Town.self).insert(Town("Praha", 9, in: "CZ"))
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `they are encoded as their rows: references as keys, and no rows that were fetched along`() throws {
    let fetched = try nations.findAll(.where { $0.code == "CZ" }.prefetch(\.neighbour, \.towns))[0]
    let row = #"{"code":"CZ","name":"Czechia","neighbour":"SK"}"#
    #expect(try json(fetched) == row && json(nations.find("CZ")) == row && json(Nation("CZ", "Czechia", neighbour: "SK")) == row)
    let town = try store.factory.runtimeDAO(Town.self).find(1)
    #expect(try json(town) == #"{"id":1,"name":"Praha","nation":"CZ","size":9}"#)
    #expect(try json([town.nation]) == #"["CZ"]"# && json([Many<Town>()]) == "[null]")
  }

  @Test func `they are decoded equal, from text that has rows too, and store as they were`() throws {
    let all = try nations.findAll(.all.prefetch(\.towns))
    let again = try JSONDecoder().decode([Nation].self, from: Data(json(all).utf8))
    #expect(again == all && again.map(\.hashValue) == all.map(\.hashValue))
    #expect(throws: DAOError.self) { try again[0].towns.get() }
    #expect(throws: DAOError.self) { try again[1].neighbour?.get() }
    #expect(try nations.save(again) == all)
    let text = #"{"code":"AT","name":"Austria","towns":[{"anything":1}],"neighbour":null}"#
    #expect(try JSONDecoder().decode(Nation.self, from: Data(text.utf8)) == Nation("AT", "Austria"))
    let list = try PropertyListDecoder().decode([Nation].self, from: PropertyListEncoder().encode(all))
    #expect(list == all)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Nation.self, from: Data(#"{"code":"AT","name":"Austria","neighbour":7}"#.utf8))
    }
  }

  @Test func `they are equal and hashed by their own values, fetched or not`() throws {
    let (plain, fetched) = (try nations.findAll(), try nations.findAll(.all.prefetch(\.neighbour.towns, \.towns)))
    #expect(plain == fetched && Set(plain + fetched).count == 2)
    var changed = fetched[1]
    changed.neighbour = nil
    #expect(changed != fetched[1])
  }

  @Test func `their key identifies them, whatever its name`() throws {
    #expect(try nations.findAll().map(\.id) == ["SK", "CZ"] && Nation("AT", "Austria").id == "AT")
    let town = Town("Brno", 4, in: "CZ")
    #expect(town.id == nil && Town.ID.self == Int64?.self && Nation.ID.self == String?.self)
    func identity<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    #expect(identity(try store.factory.runtimeDAO(Town.self).find(1)) == 1)
  }

  @Test func `they print their values`() throws {
    let plain = try nations.find("CZ")
    #expect("\(plain)" == #"Nation(code: "CZ", name: "Czechia", neighbour: Optional(SK), towns: not fetched, lakes: not fetched)"#)
    let fetched = try nations.find("CZ", prefetch: \.towns, \.neighbour)
    #expect(
      "\(fetched)"
        == #"""
        Nation(code: "CZ", name: "Czechia", \#
        neighbour: Optional(SK), towns: \#([Town(id: 1, "Praha", 9, in: "CZ")]), lakes: not fetched)
        """#
    )
    #expect("\(Town(id: 1, "Praha", 9, in: "CZ"))".contains("nation: CZ"))
  }
}
