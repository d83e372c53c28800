import DAOKit
import Testing

@Suite("References and to-many rows")
struct ReferenceTests {
  let store: TestStore
  var lands: RuntimeDAO<Land> { store.factory.runtimeDAO(Land.self) }
  var cities: RuntimeDAO<City> { store.factory.runtimeDAO(City.self) }

  init() throws {
    store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
  }

  private func text(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
  }

  @Test("what was not fetched says which relationship of which entity, and what fetches it")
  func notFetched() throws {
    let slovakia = try lands.find("SK")
    #expect(text { _ = try slovakia.neighbour?.get() } == #"land.neighbour was not fetched; use prefetch(\.neighbour) on the criteria"#)
    #expect(text { _ = try slovakia.cities.get() } == #"land.cities was not fetched; use prefetch(\.cities) on the criteria"#)
    #expect(text { _ = try slovakia.rivers.get() } == #"land.rivers was not fetched; use prefetch(\.rivers) on the criteria"#)
    let city = try #require(try cities.findFirst())
    #expect(text { _ = try city.land.get() } == #"city.land was not fetched; use prefetch(\.land) on the criteria"#)
    #expect(
      text { _ = try Reference<Land>("SK").get() }
        == "this land was not fetched, only its key is known; use find on a DAO of land, or a criteria that prefetches the relationship")
    #expect(text { _ = try Land("X", "X").cities.get() }?.hasPrefix("this city was not fetched") == true)
    do { _ = try slovakia.cities.get() } catch DAOError.notFetched(let entity, let relationship, _) {
      #expect(entity == "land" && relationship == "cities")
    }
  }

  @Test("a row that is not there is not found, which is another thing than not fetched")
  func missing() throws {
    let loose = try TestStore(
      [], sql: "CREATE TABLE land (code TEXT PRIMARY KEY NOT NULL, name TEXT, neighbour TEXT); INSERT INTO land VALUES ('A', 'A', 'gone')")
    let land = try loose.factory.runtimeDAO(Land.self).find("A", prefetch: \.neighbour)
    #expect(land.neighbour?.key == "gone")
    #expect(text { _ = try land.neighbour?.get() } == "no land has the key gone")
  }

  @Test("they are equal where their keys are, fetched or not")
  func equality() throws {
    let plain = try lands.find("SK")
    let fetched = try lands.find("SK", prefetch: \.neighbour, \.cities)
    #expect(plain == fetched && plain.hashValue == fetched.hashValue)
    #expect(plain.neighbour == Reference("AT") && plain.neighbour != Reference("SK"))
    #expect(Set([Reference<Land>("AT"), try Reference(to: lands.find("AT"))]).count == 1)
  }

  @Test("they are made from a key or a row, and written as the key")
  func writing() throws {
    var austria = try lands.find("AT")
    #expect(try Reference(to: austria).get() == austria)
    #expect(throws: DAOError.self) { try Reference(to: City("new", 1, in: Reference("SK"))) }
    let city = try cities.insert(City("Graz", 290, in: Reference(to: austria)))
    #expect(try cities.find(try #require(city.id)).land.key == "AT")
    austria.neighbour = nil
    austria.cities = Many([])
    try lands.update(austria)
    #expect(try lands.find("AT").neighbour == nil)
    #expect(try lands.find("AT", prefetch: \.cities).cities.get().count == 2)
    // A row that comes back from a write has what it went with.
    #expect(try city.land.get().code == "AT")
    #expect(throws: DAOError.self) { try cities.insert(City("x", 1, in: Reference("XX"))) }
  }

  @Test("in criteria a reference is its key, and its members are the other row's")
  func criteria() throws {
    func codes(_ filter: Filter<Land>) throws -> [String] { try lands.findAllIDs(SearchCriteria.where(filter).order(by: \.code)) }
    #expect(try codes(\.neighbour == nil) == ["FI"])
    #expect(try codes(\.neighbour == Reference("SK")) == ["AT"])
    #expect(try codes(.in(\.neighbour, [Reference("SK"), Reference("AT")])) == ["AT", "SK"])
    #expect(try codes(\.neighbour.name == "Slovakia") == ["AT"])
    #expect(try codes(\.neighbour.neighbour.name == "Slovakia") == ["SK"])
    #expect(try codes(.any(\.neighbour.cities, \.name == "Wien")) == ["SK"])
    #expect(try lands.findAllIDs(.where { $0.neighbour.cities.any { $0.size > 1_000 } }) == ["SK"])
    #expect(try lands.findAllIDs(SearchCriteria().order(by: .ascending(\.neighbour.name, nulls: .last))) == ["SK", "AT", "FI"])
    #expect(
      try cities.project(.group(by: \.land), .count, matching: SearchCriteria().order(by: \.land)).map { "\($0) \($1)" } == [
        "AT 1", "SK 2",
      ])
    #expect(try lands.update(.where(\.code == "FI"), set: .set(\.neighbour, Reference("SK"))) == 1)
    #expect(try lands.find("FI").neighbour?.key == "SK")
  }

  @Test("a to-one relationship may have the name of the attribute that holds its key, and no other")
  func names() {
    func problems(_ relationship: Relationship) -> [String] {
      EntityDescription(
        "x", key: .assigned(["id"]), attributes: [Attribute("id", .integer), Attribute("land", .text)], relationships: [relationship]
      ).problems
    }
    #expect(problems(.toOne("land", Land.entityDescription, by: "land")) == [])
    #expect(problems(.toOne("id", Land.entityDescription, by: "land")) == ["x has an attribute and a relationship named 'id'"])
    #expect(problems(.toMany("land", Land.entityDescription, by: "land")) == ["x has an attribute and a relationship named 'land'"])
  }

  @Test("a key can be of references")
  func keys() throws {
    let pairs = store.factory.runtimeDAO(LandRiver.self)
    let key = LandRiver.PrimaryKey(land: Reference("SK"), river: Reference(2))
    #expect(try pairs.find(key).key == key)
    #expect(try pairs.delete(key))
    #expect(try !pairs.exists(key))
  }
}
