import DAOKit
import Testing

@Suite("Prefetch: the statements")
struct PrefetchStatementTests {
  let store: TestStore

  init() throws {
    store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
  }

  @Test("one statement a relationship, two through pairs, all in one snapshot")
  func texts() throws {
    let run = try store.trace.during {
      try store.factory.runtimeDAO(Land.self).findAll(SearchCriteria().prefetch(\.cities, \.neighbour, \.rivers))
    }
    #expect(
      run.texts == [
        "BEGIN DEFERRED TRANSACTION",
        #"SELECT "code", "name", "neighbour" FROM "land""#,
        #"SELECT "code", "name", "neighbour" FROM "land" WHERE "code" IN (SELECT value FROM json_each(?))"#,
        #"SELECT "id", "name", "size", "land_code" FROM "city" WHERE "land_code" IN (SELECT value FROM json_each(?))"#,
        #"SELECT DISTINCT "land", "river" FROM "land_river" WHERE "land" IN (SELECT value FROM json_each(?))"#,
        #"SELECT "id", "name" FROM "river" WHERE "id" IN (SELECT value FROM json_each(?))"#,
        "COMMIT TRANSACTION",
      ])
  }

  @Test("as many for a thousand rows as for one, and each row there is asked for once", arguments: [1, 1_000])
  func count(_ rows: Int) throws {
    let cities = store.factory.runtimeDAO(City.self)
    try cities.delete(.all, allowUnfiltered: true)
    try cities.insert((0..<rows).map { City("\($0)", $0, in: Reference($0 % 2 == 0 ? "SK" : "AT")) })
    let run = try store.trace.during { try cities.findAll(SearchCriteria().prefetch(\.land.neighbour.cities)) }
    #expect(run.texts.count == 6, "\(run.texts)")
    let asked = run.expanded.filter { $0.contains("json_each") }
    #expect(asked[0].hasSuffix(rows == 1 ? #"json_each('["SK"]'))"# : #"json_each('["SK","AT"]'))"#))
    #expect(try run.result.allSatisfy { city in try city.land.get().code == city.land.key })
    #expect(try run.result.last?.land.get().neighbour?.get().cities.get().count == (rows == 1 ? 0 : 500))
  }

  @Test("nothing is asked where no row leads anywhere")
  func none() throws {
    let lands = store.factory.runtimeDAO(Land.self)
    let run = try store.trace.during { try lands.findAll(.where(\.code == "FI").prefetch(\.neighbour.cities)) }
    #expect(run.texts.count == 3)
    #expect(run.result[0].neighbour == nil)
  }

  @Test("paths that begin alike share what they have in common")
  func shared() throws {
    let run = try store.trace.during {
      try store.factory.runtimeDAO(City.self).findAll(SearchCriteria().prefetch(\.land, \.land.neighbour, \.land.cities, \.land))
    }
    #expect(run.texts.filter { $0.contains("SELECT") }.count == 4)
  }

  @Test("what is prefetched is part of the value, and not of its statement")
  func value() throws {
    let plain = SearchCriteria<Land>.where(\.code == "SK")
    #expect(plain.prefetch(\.cities) != plain)
    #expect(plain.prefetch(\.cities) == plain.prefetch("cities"))
    #expect(plain.prefetch(\.cities, order: .ascending(\.size)) != plain.prefetch(\.cities))
    #expect(Set([plain, plain.prefetch(\.cities), plain.prefetch(\.rivers), plain]).count == 3)
    #expect(try plain.prefetch(\.cities).sql() == plain.sql())
  }

  @Test("without it nothing is read but the rows themselves")
  func untouched() throws {
    let run = try store.trace.during { try store.factory.runtimeDAO(Land.self).findAll() }
    #expect(run.texts == [#"SELECT "code", "name", "neighbour" FROM "land""#])
  }
}
