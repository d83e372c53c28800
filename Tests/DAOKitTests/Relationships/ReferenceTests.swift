import DAOKit
import Testing

@Suite("References and to-many rows")
struct ReferenceTests {
  let store: TestStore
  var nations: RuntimeDAO<Nation> { store.factory.runtimeDAO(Nation.self) }
  var towns: RuntimeDAO<Town> { store.factory.runtimeDAO(Town.self) }

  init() throws {
    store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
  }

  private func text(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
  }

  @Test func `what was not fetched says which relationship of which entity, and what fetches it`() throws {
    let slovakia = try nations.find("SK")
    #expect(text { _ = try slovakia.neighbour?.get() } == #"nation.neighbour was not fetched; use prefetch(\.neighbour) on the criteria"#)
    #expect(text { _ = try slovakia.towns.get() } == #"nation.towns was not fetched; use prefetch(\.towns) on the criteria"#)
    #expect(text { _ = try slovakia.lakes.get() } == #"nation.lakes was not fetched; use prefetch(\.lakes) on the criteria"#)
    let town = try #require(try towns.findFirst())
    #expect(text { _ = try town.nation.get() } == #"town.nation was not fetched; use prefetch(\.nation) on the criteria"#)
    #expect(
      text { _ = try Reference<Nation>("SK").get() }
        == "this nation was not fetched, only its key is known; use find on a DAO of nation, or a query that prefetches the relationship"
    )
    #expect(text { _ = try Nation("X", "X").towns.get() }?.hasPrefix("this town was not fetched") == true)
    do { _ = try slovakia.towns.get() } catch DAOError.notFetched(let entity, let relationship, _) {
      #expect(entity == "nation" && relationship == "towns")
    }
  }

  @Test(arguments: [true, false])
  func `what was not fetched of a row that was fetched along names the whole path, which fetches it`(onSQL: Bool) throws {
    let factory = onSQL ? store.factory : DAOFactory(over: try EvaluatorStore(Atlas.entities))
    if !onSQL { try Atlas.fill(factory) }
    let towns = factory.runtimeDAO(Town.self)
    let one = try #require(try towns.findFirst(SearchCriteria.where { $0.nation == Reference("SK") }.prefetch(\.nation)))
    let nation = try one.nation.get()
    #expect(
      text { _ = try nation.neighbour?.get() } == #"nation.neighbour was not fetched; use prefetch(\.nation.neighbour) on the criteria"#)
    #expect(text { _ = try nation.lakes.get() } == #"nation.lakes was not fetched; use prefetch(\.nation.lakes) on the criteria"#)
    let two = try #require(try towns.findFirst(SearchCriteria.where { $0.nation == Reference("SK") }.prefetch(\.nation.neighbour)))
    let neighbour = try #require(try two.nation.get().neighbour?.get())
    #expect(
      text { _ = try neighbour.towns.get() }
        == #"nation.towns was not fetched; use prefetch(\.nation.neighbour.towns) on the criteria"#)
    // The same statement serves rows that are asked for themselves.
    let itself = try factory.runtimeDAO(Nation.self).find("SK")
    #expect(text { _ = try itself.towns.get() } == #"nation.towns was not fetched; use prefetch(\.towns) on the criteria"#)
    let dynamic = try factory.runtimeDAO("nation")
    let row = try #require(try dynamic.findAll(SearchCriteria().prefetch("town")).first { try !$0.related("town").isEmpty })
    let related = try #require(try row.related("town").first)
    let name = try #require(related.entity.relationships.first?.name)
    #expect(text { _ = try related.related(name) } == "town.\(name) was not fetched; use prefetch(\"town.\(name)\") on the criteria")
  }

  @Test func `a row that is not there is not found, which is another thing than not fetched`() throws {
    let loose = try TestStore(
      [],
      sql: """
        CREATE TABLE nation (code TEXT PRIMARY KEY NOT NULL, name TEXT, neighbour TEXT);
        INSERT INTO nation VALUES ('A', 'A', 'gone')
        """)
    let nation = try loose.factory.runtimeDAO(Nation.self).find("A", prefetch: \.neighbour)
    #expect(nation.neighbour?.key == "gone")
    #expect(text { _ = try nation.neighbour?.get() } == "no nation has the key gone")
  }

  @Test func `they are equal where their keys are, fetched or not`() throws {
    let plain = try nations.find("SK")
    let fetched = try nations.find("SK", prefetch: \.neighbour, \.towns)
    #expect(plain == fetched && plain.hashValue == fetched.hashValue)
    #expect(plain.neighbour == Reference("AT") && plain.neighbour != Reference("SK"))
    #expect(Set([Reference<Nation>("AT"), try Reference(to: nations.find("AT"))]).count == 1)
  }

  @Test func `they are made from a key or a row, and written as the key`() throws {
    var austria = try nations.find("AT")
    #expect(try Reference(to: austria).get() == austria)
    #expect(throws: DAOError.self) { try Reference(to: Town("new", 1, in: Reference("SK"))) }
    let town = try towns.insert(Town("Graz", 290, in: Reference(to: austria)))
    #expect(try towns.find(try #require(town.id)).nation.key == "AT")
    austria.neighbour = nil
    austria.towns = Many([])
    try nations.update(austria)
    #expect(try nations.find("AT").neighbour == nil)
    #expect(try nations.find("AT", prefetch: \.towns).towns.get().count == 2)
    // A row that comes back from a write has what it went with.
    #expect(try town.nation.get().code == "AT")
    #expect(throws: DAOError.self) { try towns.insert(Town("x", 1, in: Reference("XX"))) }
  }

  @Test(arguments: [true, false])
  func `beyond an optional reference everything is optional: a group without a row is nil`(isSQLite: Bool) throws {
    let factory = try isSQLite ? store.factory : DAOFactory(over: EvaluatorStore(Atlas.entities))
    if !isSQLite { try Atlas.fill(factory) }
    let (nations, towns) = (factory.runtimeDAO(Nation.self), factory.runtimeDAO(Town.self))
    func texts<each Value>(_ rows: [(repeat each Value)]) -> Set<String> { Set(rows.map { "\($0)" }) }

    let groups: [(String?, Int)] = try nations.project(.group(by: \.neighbour.name), .count)
    #expect(texts(groups) == [#"(nil, 1)"#, #"(Optional("Austria"), 1)"#, #"(Optional("Slovakia"), 1)"#])
    let beyond: [(String?, String?)] = try nations.project(.field(\.neighbour.neighbour.code), .lower(\.neighbour.name).named("lower"))
    #expect(texts(beyond).contains("(nil, nil)") && beyond.count == 3)
    // The key of the row beyond is optional, and so is what follows a reference that is not.
    let keys: [(Reference<Nation>?, String?)] = try towns.project(.field(\.nation.neighbour), .field(\.nation.neighbour.name))
    #expect(keys.count == (try towns.count()) && keys.allSatisfy { ($0.0 == nil) == ($0.1 == nil) })
    let names: [String] = try towns.project(.field(\.nation.name))
    #expect(names.count == keys.count)
    let highest: [String?] = try nations.project(.max(\.neighbour.name))
    #expect(highest == ["Slovakia"])

    #expect(try nations.findAllIDs(.where { $0.neighbour.name == nil }) == ["FI"])
    #expect(try nations.findAllIDs(SearchCriteria.where { $0.neighbour.name != "Slovakia" }.order(by: \.code)) == ["FI", "SK"])
    #expect(try nations.findAllIDs(.where { $0.neighbour.towns.any { $0.name == "Wien" } }) == ["SK"])
    #expect(try nations.findAllIDs(.where(.in(\.neighbour.name, ["Austria", nil]))).sorted() == ["FI", "SK"])
  }

  @Test func `so it is through fields that are written by hand`() throws {
    let store = try TestStore.cities()
    let groups: [(String?, Int)] = try store.cities.project(.group(by: \.twin.name), .count)
    #expect(
      Set(groups.map { "\($0)" }) == [
        #"(nil, 1)"#, #"(Optional("Bratislava"), 1)"#, #"(Optional("Wien"), 1)"#, #"(Optional("Atlantis"), 1)"#,
      ])
    let beyond: [String?] = try store.cities.project(.field(\.twin.twin.land.name))
    #expect(beyond.count == 4 && beyond.contains(nil) && beyond.contains("Slovakia"))
    #expect(try store.cities.count(.where { $0.twin.rivers.any { $0.name == "Danube" } }) == 2)
  }

  @Test func `in criteria a reference is its key, and its members are the other row's`() throws {
    func codes(_ filter: Filter<Nation>) throws -> [String] { try nations.findAllIDs(SearchCriteria.where(filter).order(by: \.code)) }
    #expect(try codes(\.neighbour == nil) == ["FI"])
    #expect(try codes(\.neighbour == Reference("SK")) == ["AT"])
    #expect(try codes(.in(\.neighbour, [Reference("SK"), Reference("AT")])) == ["AT", "SK"])
    #expect(try codes(\.neighbour.name == "Slovakia") == ["AT"])
    #expect(try codes(\.neighbour.neighbour.name == "Slovakia") == ["SK"])
    #expect(try codes(.any(\.neighbour.towns, \.name == "Wien")) == ["SK"])
    #expect(try nations.findAllIDs(.where { $0.neighbour.towns.any { $0.size > 1_000 } }) == ["SK"])
    #expect(try nations.findAllIDs(SearchCriteria().order(by: .ascending(\.neighbour.name, nulls: .last))) == ["SK", "AT", "FI"])
    #expect(
      try towns.project(.group(by: \.nation), .count, matching: SearchCriteria().order(by: \.nation)).map { "\($0) \($1)" } == [
        "AT 1", "SK 2",
      ])
    #expect(try nations.update(.where(\.code == "FI"), set: .set(\.neighbour, to: Reference("SK"))) == 1)
    #expect(try nations.find("FI").neighbour?.key == "SK")
  }

  @Test func `a to-one relationship may have the name of the attribute that holds its key, and no other`() {
    func problems(_ relationship: Relationship) -> [String] {
      EntityDescription(
        "x", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("nation", .text)], relationships: [relationship]
      ).problems
    }
    #expect(problems(.toOne("nation", Nation.entityDescription, by: "nation")) == [])
    #expect(problems(.toOne("id", Nation.entityDescription, by: "nation")) == ["x has an attribute and a relationship named 'id'"])
    #expect(problems(.toMany("nation", Nation.entityDescription, by: "nation")) == ["x has an attribute and a relationship named 'nation'"])
  }

  @Test func `a key can be of references`() throws {
    let pairs = store.factory.runtimeDAO(NationLake.self)
    let key = NationLake.PrimaryKey(nation: Reference("SK"), lake: Reference(2))
    #expect(try pairs.find(key).key == key)
    #expect(try pairs.delete(key))
    #expect(try !pairs.exists(key))
  }
}
