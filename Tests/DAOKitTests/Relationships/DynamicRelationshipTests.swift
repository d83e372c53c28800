import DAOKit
import Testing

@Suite("Relationships of dynamic entities")
struct DynamicRelationshipTests {
  let store: TestStore

  init() throws {
    store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
  }

  @Test("their rows are prefetched by name")
  func prefetch() throws {
    let lands = try store.factory.runtimeDAO("land")
    #expect(lands.entity.relationships.map(\.name) == ["neighbour", "city", "land", "land_river", "river"])
    let run = try store.trace.during {
      try lands.findAll(SearchCriteria().order(by: .ascending(.field("code"))).prefetch("neighbour.city", "river"))
    }
    #expect(run.texts.filter { $0.contains("SELECT") }.count == 5)
    #expect(try run.result.map { try $0.related("neighbour").map { $0["name"] } } == [["Slovakia"], [], ["Austria"]])
    #expect(try run.result[0].related("neighbour")[0].related("city").count == 2)
    #expect(try run.result.map { try $0.related("river").count } == [1, 0, 2])
    #expect(try lands.find(["SK"], prefetch: "city").related("city").count == 2)
  }

  @Test("the statements for related rows are kept, as all are")
  func kept() throws {
    let lands = try store.factory.runtimeDAO("land")
    let first = try #require(lands.entity.relationship("city")?.target)
    #expect(lands.entity.relationship("city")?.target === first)
  }

  @Test("what was not fetched, and what there is not, is told")
  func problems() throws {
    let land = try store.factory.runtimeDAO("land").find("SK")
    do { _ = try land.related("city") } catch {
      #expect("\(error)" == #"land.city was not fetched; use prefetch("city") on the criteria"#)
    }
    #expect(throws: DAOError.self) { try land.related("city") }
    do { _ = try land.related("citty") } catch {
      #expect("\(error)" == "the criteria does not fit land: citty: land has no relationship 'citty'; did you mean 'city'?")
    }
  }

  @Test("rows are equal with related rows and without")
  func equality() throws {
    let lands = try store.factory.runtimeDAO("land")
    let (plain, fetched) = (try lands.find("SK"), try lands.find(["SK"], prefetch: "city"))
    #expect(plain == fetched && plain.hashValue == fetched.hashValue)
    try lands.update(fetched)
  }

  @Test("rows that are paired twice come once")
  func repeatedPairs() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY);
        CREATE TABLE ab (a INTEGER, b INTEGER); INSERT INTO a VALUES (1); INSERT INTO b VALUES (2);
        INSERT INTO ab VALUES (1, 2), (1, 2), (1, NULL), (NULL, 2);
        """)
    let id = [Attribute("id", .integer)]
    let b = EntityDescription("b", key: .generated("id"), attributes: id)
    let ab = EntityDescription(
      "ab", key: .assigned(["a", "b"]), attributes: [Attribute("a", .integer), Attribute("b", .integer)])
    let a = EntityDescription(
      "a", key: .generated("id"), attributes: id, relationships: [.manyToMany("bs", b, through: ab, by: "a", to: "b")])
    let criteria = SearchCriteria<DynamicEntity>().prefetch("bs").criteria
    let found = try store.store.find(DynamicEntity.self, in: EntityTarget(a), criteria)
    #expect(try found.map { try $0.related("bs").map { $0["id"] } } == [[2]])
  }

  @Test("a key of two attributes leads to the rows of just that key")
  func compositeKeys() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE region (land TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (land, number));
        CREATE TABLE author (id INTEGER PRIMARY KEY, land TEXT, number INTEGER, FOREIGN KEY (land, number) REFERENCES region);
        INSERT INTO region VALUES ('s', 1), ('s', 2), ('t', 1), ('t', 2);
        INSERT INTO author VALUES (1, 's', 1), (2, 't', 2), (3, 't', NULL), (4, 's', 1);
        """)
    let authors = try store.factory.runtimeDAO("author").findAll(
      SearchCriteria().order(by: .ascending(.field("id"))).prefetch("region.author"))
    #expect(
      try authors.map { try $0.related("region").map { [$0["land"], $0["number"]] } } == [[["s", 1]], [["t", 2]], [], [["s", 1]]])
    #expect(try authors[0].related("region")[0].related("author").map { $0["id"] } == [1, 4])
  }
}
