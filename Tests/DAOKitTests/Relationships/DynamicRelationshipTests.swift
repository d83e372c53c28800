import DAOKit
import Testing

@Suite("Relationships of dynamic entities")
struct DynamicRelationshipTests {
  let store: TestStore

  init() throws {
    store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
  }

  @Test func `their rows are prefetched by name`() throws {
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

  @Test func `the statements for related rows are kept, as all are`() throws {
    let nations = try store.factory.runtimeDAO("nation")
    let first = try #require(nations.entity.relationship("town")?.target)
    #expect(nations.entity.relationship("town")?.target === first)
  }

  @Test func `what was not fetched, and what there is not, is told`() throws {
    let nation = try store.factory.runtimeDAO("nation").find("SK")
    #expect { try nation.related("town") } throws: {
      "\($0)" == #"nation.town was not fetched; use prefetch("town") on the criteria"#
    }
    #expect { try nation.related("twon") } throws: {
      "\($0)" == "the criteria do not fit nation: twon: nation has no relationship 'twon'; did you mean 'town'?"
    }
  }

  @Test func `several tables that join the same two have a name each`() throws {
    let join = { (name: String) in
      "CREATE TABLE \(name) (user_id INTEGER REFERENCES users, group_id INTEGER REFERENCES groups, PRIMARY KEY (user_id, group_id));"
    }
    let store = try TestStore(
      [],
      sql: "CREATE TABLE users (id INTEGER PRIMARY KEY); CREATE TABLE groups (id INTEGER PRIMARY KEY);" + join("members") + join("admins")
        + join("invites") + "INSERT INTO users VALUES (1), (2); INSERT INTO groups VALUES (7); INSERT INTO invites VALUES (2, 7)")
    let users = try store.factory.runtimeDAO("users")
    let names = users.entity.relationships.map(\.name)
    #expect(Set(names).count == 6 && names.contains("groups_by_group_id_2"), "\(names)")
    #expect(try users.count() == 2)
    #expect(try users.findAllIDs(.where(.any("invites"))) == [[2]])
  }

  @Test func `a foreign key lends its column's name without the word for a key, however it is written`() throws {
    let columns = ["a_id", "b ID", "c id", "dId", "eID", "f_ID", "ID", "_id", " id", "g", "hid"]
    let store = try TestStore(
      [],
      sql: "CREATE TABLE p (k INTEGER PRIMARY KEY); CREATE TABLE t (k INTEGER PRIMARY KEY, "
        + columns.map { "\"\($0)\" INTEGER REFERENCES P (K)" }.joined(separator: ", ") + ")")
    let relationships = try store.factory.runtimeDAO("t").entity.relationships
    let names = columns.map { column in relationships.first { $0.kind == .toOne(by: [column], onDelete: .deny) }?.name }
    #expect(names == ["a", "b", "c", "d", "e", "f", "ID", "_id", " id", "g", "hid"])
  }

  @Test func `rows are equal with related rows and without`() throws {
    let nations = try store.factory.runtimeDAO("nation")
    let (plain, fetched) = (try nations.find("SK"), try nations.find(["SK"], prefetch: "town"))
    #expect(plain == fetched && plain.hashValue == fetched.hashValue)
    try nations.update(fetched)
  }

  @Test func `rows that are paired twice come once`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY);
        CREATE TABLE b (id INTEGER PRIMARY KEY);
        CREATE TABLE ab (a INTEGER, b INTEGER);
        INSERT INTO a VALUES (1);
        INSERT INTO b VALUES (2);
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

  @Test func `a key of two attributes leads to the rows of just that key`() throws {
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

  @Test func `a key that is null, as SQLite lets it be, hides no row and is on a page`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE zone (id INTEGER PRIMARY KEY, country TEXT REFERENCES country);
        INSERT INTO country VALUES ('SK', 'a'), ('AT', 'b'), (NULL, 'X');
        INSERT INTO zone VALUES (1, 'SK'), (2, 'AT'), (3, NULL);
        """)
    let zones = try store.factory.runtimeDAO("zone")
    #expect(try zones.findAllIDs(.where(.notEqual(.field("country.name"), "X"))) == [[1], [2], [3]])
    #expect(try zones.findAllIDs(.where(.none("country", .equal(.field("name"), "X")))) == [[1], [2], [3]])
    let countries = try store.factory.runtimeDAO("country")
    for order in [Order<DynamicEntity>.ascending(.field("code")), .descending(.field("code")), .ascending(.field("code"), nulls: .last)] {
      let criteria = SearchCriteria<DynamicEntity>().order(by: order)
      var page = try countries.page(criteria, size: 1)
      var found = page.items
      while let next = page.next {
        page = try countries.page(criteria, size: 1, after: next)
        found += page.items
      }
      #expect(try found == countries.findAll(criteria))
      #expect(found.count == 3)
    }
  }

  @Test func `pairs whose two keys share an attribute`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE person (tenant INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tenant, id));
        CREATE TABLE team (tenant INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tenant, id));
        CREATE TABLE member (
          tenant INTEGER NOT NULL, person INTEGER NOT NULL, team INTEGER NOT NULL, PRIMARY KEY (tenant, person, team),
          FOREIGN KEY (tenant, person) REFERENCES person, FOREIGN KEY (tenant, team) REFERENCES team);
        INSERT INTO person VALUES (1, 1), (2, 1);
        INSERT INTO team VALUES (1, 7), (2, 7), (2, 8);
        INSERT INTO member VALUES (1, 1, 7), (2, 1, 8);
        """)
    let persons = try store.factory.runtimeDAO("person")
    let criteria = SearchCriteria<DynamicEntity>().order(by: .ascending(.field("tenant"))).prefetch("team")
    #expect(try persons.findAll(criteria).map { try $0.related("team").map { [$0["tenant"], $0["id"]] } } == [[[1, 7]], [[2, 8]]])
    #expect(try persons.findAllIDs(.where(.any("team", .equal(.field("id"), 8)))) == [[2, 1]])
  }

  @Test func `keys in columns without a type are equal as numbers are`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE a (code PRIMARY KEY NOT NULL);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a_id REFERENCES a);
        INSERT INTO a VALUES (1.0), (2), (2.5);
        INSERT INTO b VALUES (1, 1), (2, 2.0), (3, 2), (4, 2.5), (5, NULL);
        """)
    let (a, b) = (try store.factory.runtimeDAO("a"), try store.factory.runtimeDAO("b"))
    let byID = SearchCriteria<DynamicEntity>().order(by: .ascending(.field("id"))).prefetch("a")
    #expect(try b.findAll(byID).map { try $0.related("a").count } == [1, 1, 1, 1, 0])
    let byCode = SearchCriteria<DynamicEntity>().order(by: .ascending(.field("code"))).prefetch("b")
    #expect(try a.findAll(byCode).map { try $0.related("b").map { $0["id"] } } == [[1], [2, 3], [4]])
  }

  @Test func `a foreign key between columns with different collations makes no relationship, one between equal ones does`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE folded (code TEXT COLLATE NOCASE PRIMARY KEY);
        CREATE TABLE plain (code TEXT PRIMARY KEY);
        CREATE TABLE q (id INTEGER PRIMARY KEY, folded_id TEXT REFERENCES folded, plain_id TEXT REFERENCES plain);
        CREATE TABLE untyped (code COLLATE NOCASE PRIMARY KEY, up COLLATE NOCASE REFERENCES untyped);
        CREATE TABLE r (id INTEGER PRIMARY KEY, folded_id TEXT COLLATE NOCASE REFERENCES folded);
        """)
    #expect(try store.factory.runtimeDAO("q").entity.relationships.map(\.name) == ["plain"])
    #expect(try store.factory.runtimeDAO("folded").entity.relationships.map(\.name) == ["r"])
    #expect(try store.factory.runtimeDAO("r").entity.relationships.map(\.name) == ["folded"])
    // Values that may be no texts are compared by their bytes.
    #expect(try store.factory.runtimeDAO("untyped").entity.relationships == [])
    #expect(try store.factory.runtimeDAO("plain").entity.relationships.map(\.name) == ["q"])
  }
}
