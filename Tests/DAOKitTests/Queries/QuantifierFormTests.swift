import CriteriaTesting
import DAOKit
import Testing

// A quantifier over a range is a list where few related rows fit, and a look for each row where most do.

@Suite("The form of a quantifier over a range")
struct QuantifierFormTests {
  private let list =
    #"SELECT "code", "name" FROM "land" WHERE "code" IN (SELECT "t1"."land_code" FROM "city" AS "t1" WHERE "t1"."population" > ?)"#
  private let looks =
    #"""
    SELECT "code", "name" FROM "land" \#
    WHERE EXISTS (SELECT 1 FROM "city" AS "t1" WHERE "t1"."land_code" = "land"."code" AND "t1"."population" > ?)
    """#

  /// Lands with cities of these populations, in turn.
  private func store(_ populations: [Int]) throws -> TestStore {
    let store = try TestStore.cities()
    try store.cities.delete(.all, allowUnfiltered: true)
    let codes = ["SK", "AT"]
    try store.cities.insert(populations.enumerated().map { City(Int64($0 + 1), "\($0)", $1, in: codes[$0 % 2]) })
    store.trace.clear()
    return store
  }

  /// What was sent for the lands with a city over 500, besides the sample.
  private func sent(_ store: TestStore) throws -> [String] {
    let criteria = SearchCriteria<Land>.where(.any(\.cities, \.population > 500))
    let found = try store.lands.findAll(criteria).map(\.code)
    let sent = store.trace.texts.filter { !$0.contains("dao_sample") }
    #expect(store.trace.texts.count == 2)
    #expect(try store.lands.explain(criteria).statement?.text == sent.last)
    #expect(Set(found) == Set(try store.cities.findAll(.where(\.population > 500)).compactMap(\.landCode)))
    return sent.filter { $0.contains(#"FROM "land""#) }
  }

  @Test func `most of the first and of the last rows fit`() throws {
    #expect(
      try sent(store(Array(repeating: 1000, count: 60) + Array(repeating: 0, count: 40) + Array(repeating: 1000, count: 60))) == [looks])
  }

  @Test func `few fit`() throws {
    #expect(try sent(store(Array(repeating: 0, count: 150) + [1000])) == [list])
  }

  @Test func `most fit at one end of the table alone`() throws {
    #expect(try sent(store(Array(repeating: 1000, count: 50) + Array(repeating: 0, count: 50))) == [list])
    #expect(try sent(store(Array(repeating: 0, count: 50) + Array(repeating: 1000, count: 50))) == [list])
  }

  @Test func `half of the sample is not most of it`() throws {
    let even = (0..<100).map { $0 % 2 == 0 ? 1000 : 0 }
    #expect(try sent(store(even)) == [list])
    #expect(try sent(store(even.enumerated().map { [1, 97].contains($0) ? 1000 : $1 })) == [looks])
  }

  @Test func `one statement finds its form anew for other values and other rows`() throws {
    let store = try store(Array(repeating: 1000, count: 100))
    func sent(_ population: Int) throws -> [String] {
      store.trace.clear()
      _ = try store.lands.findAll(.where(.any(\.cities, \.population > population)))
      return store.trace.texts.filter { !$0.contains("dao_sample") }
    }
    #expect(try sent(500) == [looks])
    #expect(try sent(5000) == [list])
    #expect(try sent(500) == [looks])
    try store.cities.update(.all, set: [.set(\.population, to: 0)], allowUnfiltered: true)
    #expect(try sent(500) == [list])
  }

  @Test func `what an index finds, and what is known without looking, takes no sample`() throws {
    let store = try store(Array(repeating: 1000, count: 100))
    for filter: Filter<Land> in [
      .any(\.cities, \.name == "7"), .any(\.cities), .any(\.cities, \.id > 3), \.code == "SK" && .any(\.cities, \.population > 1),
    ] {
      store.trace.clear()
      _ = try store.lands.count(.where(filter))
      #expect(store.trace.texts.count == 1 && !store.trace.texts[0].contains("dao_sample"))
    }
  }

  @Test func `a table that declares no key is sampled by its row ids`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE land (code TEXT NOT NULL PRIMARY KEY);
        CREATE TABLE city (land TEXT NOT NULL REFERENCES land (code));
        CREATE INDEX city_on_land ON city (land);
        INSERT INTO land VALUES ('SK'), ('AT');
        INSERT INTO city WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT 'SK' FROM n;
        """)
    let lands = try store.factory.runtimeDAO("land")
    let cities = try #require(lands.entity.relationships.first?.name)
    let criteria = SearchCriteria<DynamicEntity>.where(.any(cities, .abs(.field("rowid")) > 3))
    #expect(try lands.count(criteria) == 1)
    #expect(try lands.explain(criteria).statement?.text.contains("EXISTS") == true)
  }

  @Test func `values that don't fit are told all at once by a statement that is known too`() throws {
    let depots = try TestStore.parcels().factory.runtimeDAO(Depot.self)
    func find(_ place: Int, limit: Int) throws {
      _ = try depots.findAll(.where(.any(\.parcels, .json(\.details, "sizes", place, as: Int.self) > 1)).limit(limit))
    }
    let expected = [
      "parcels.details: has a path with the place -1; places count from 0", "limit: is -1; it can't be negative",
    ]
    #expect(problems { try find(-1, limit: -1) } == expected)
    try find(0, limit: 1)
    #expect(problems { try find(-1, limit: -1) } == expected)
  }

  @Test func `a value of the sample that overflows does not end a query that never comes to it`() throws {
    let store = try store([.min])
    let criteria = SearchCriteria<Land>.where(\.name == "nowhere" && .none(\.cities, .abs(\.population) > 5))
    #expect(try store.lands.findAll(criteria) == [])
    #expect(try store.lands.explain(criteria).statement?.text.contains("NOT IN") == true)
    #expect(throws: DAOError.self) { try store.lands.findAll(.where(.none(\.cities, .abs(\.population) > 5))) }
  }

  @Test func `of one row, found by its key, a scope is a look`() throws {
    final class LargeLandDAO: DAO<Land>, @unchecked Sendable {
      override var scope: Filter<Land> { .any(\.cities, \.population > 500) }
    }
    let store = try store([0, 1000])
    let lands = store.factory.dao(LargeLandDAO.init)
    #expect(try lands.find("AT").code == "AT")
    let look = #"EXISTS (SELECT 1 FROM "city" AS "t1" WHERE "t1"."land_code" = "land"."code" AND "t1"."population" > ?)"#
    #expect(store.trace.texts == [#"SELECT "code", "name" FROM "land" WHERE "code" = ?1 AND "# + look])
    #expect(throws: DAOError.self) { try lands.update(Land("SK", "Slovensko")) }
    try lands.update(Land("AT", "Österreich"))
    #expect(try lands.upsert(Land("AT", "Austria")).outcome == .updated)
    #expect(try lands.delete(["SK"]) == 0 && store.lands.find("AT").name == "Austria")
  }

  @Test func `eight quantifiers of a query are sampled, the others are lists`() throws {
    let store = try store(Array(repeating: 1000, count: 100))
    for (count, looks) in [(8, 8), (9, 8), (600, 8)] {
      let criteria = SearchCriteria<Land>.where(.any((0..<count).map { .any(\.cities, \.population > $0 + 100) }))
      store.trace.clear()
      #expect(try store.lands.count(criteria) == 2)
      #expect(store.trace.texts.last.map { $0.components(separatedBy: "EXISTS").count - 1 } == looks)
    }
  }
}
