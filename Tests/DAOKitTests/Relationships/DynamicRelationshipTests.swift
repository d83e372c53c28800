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
    let nations = try store.factory.runtimeDAO("nation")
    #expect(nations.entity.relationships.map(\.name) == ["neighbour", "nation", "nation_lake", "town", "lake"])
    let run = try store.trace.during {
      try nations.findAll(SearchCriteria().order(by: .ascending(.field("code"))).prefetch("neighbour.town", "lake"))
    }
    #expect(run.texts.filter { $0.contains("SELECT") }.count == 5)
    #expect(try run.result.map { try $0.related("neighbour").map { $0["name"] } } == [["Slovakia"], [], ["Austria"]])
    #expect(try run.result[0].related("neighbour")[0].related("town").count == 2)
    #expect(try run.result.map { try $0.related("lake").count } == [1, 0, 2])
    #expect(try nations.find(["SK"], prefetch: "town").related("town").count == 2)
  }

  @Test("the statements for related rows are kept, as all are")
  func kept() throws {
    let nations = try store.factory.runtimeDAO("nation")
    let first = try #require(nations.entity.relationship("town")?.target)
    #expect(nations.entity.relationship("town")?.target === first)
  }

  @Test("what was not fetched, and what there is not, is told")
  func problems() throws {
    let nation = try store.factory.runtimeDAO("nation").find("SK")
    do { _ = try nation.related("town") } catch {
      #expect("\(error)" == #"nation.town was not fetched; use prefetch("town") on the criteria"#)
    }
    #expect(throws: DAOError.self) { try nation.related("town") }
    do { _ = try nation.related("twon") } catch {
      #expect("\(error)" == "the criteria does not fit nation: twon: nation has no relationship 'twon'; did you mean 'town'?")
    }
  }

  @Test("rows are equal with related rows and without")
  func equality() throws {
    let nations = try store.factory.runtimeDAO("nation")
    let (plain, fetched) = (try nations.find("SK"), try nations.find(["SK"], prefetch: "town"))
    #expect(plain == fetched && plain.hashValue == fetched.hashValue)
    try nations.update(fetched)
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
        CREATE TABLE region (nation TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (nation, number));
        CREATE TABLE author (id INTEGER PRIMARY KEY, nation TEXT, number INTEGER, FOREIGN KEY (nation, number) REFERENCES region);
        INSERT INTO region VALUES ('s', 1), ('s', 2), ('t', 1), ('t', 2);
        INSERT INTO author VALUES (1, 's', 1), (2, 't', 2), (3, 't', NULL), (4, 's', 1);
        """)
    let authors = try store.factory.runtimeDAO("author").findAll(
      SearchCriteria().order(by: .ascending(.field("id"))).prefetch("region.author"))
    #expect(
      try authors.map { try $0.related("region").map { [$0["nation"], $0["number"]] } } == [[["s", 1]], [["t", 2]], [], [["s", 1]]])
    #expect(try authors[0].related("region")[0].related("author").map { $0["id"] } == [1, 4])
  }
}
