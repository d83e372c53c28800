import CriteriaTesting
import DAOKit
import Testing

// Criteria that go through relationships: the SQL that each becomes, its bindings, and the rows that it finds.

@Suite("Relationships")
struct RelationshipTests {
  private let city = #"SELECT "id", "name", "population", "land_code", "twin_id" FROM "city""#
  private let land = #"SELECT "code", "name" FROM "land""#

  private func cities(
    _ filter: Filter<City>, _ condition: String, _ bindings: [StoredValue] = [], finds keys: [Int64],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try TestStore.cities()
    try assertQuery(.where(filter), "\(city) WHERE \(condition)", bindings, finds: keys, in: store, sourceLocation: sourceLocation)
    let others = try store.cities.findAllIDs(SearchCriteria.where(!filter))
    #expect(Set(others) == Set(1...4).subtracting(keys), sourceLocation: sourceLocation)
  }

  private func lands(
    _ filter: Filter<Land>, _ condition: String, _ bindings: [StoredValue] = [], finds keys: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try TestStore.cities()
    try assertQuery(.where(filter), "\(land) WHERE \(condition)", bindings, finds: keys, in: store, sourceLocation: sourceLocation)
    let others = try store.lands.findAllIDs(SearchCriteria.where(!filter))
    #expect(Set(others) == Set(["SK", "AT", "IS"]).subtracting(keys), sourceLocation: sourceLocation)
  }

  // MARK: To one

  @Test func `an attribute over there is a semi-join`() throws {
    try cities(
      \.land.name == "Slovakia", #""land_code" IN (SELECT "t1"."code" FROM "land" AS "t1" WHERE "t1"."name" = ?)"#, [.text("Slovakia")],
      finds: [1, 3])
  }

  @Test func `where there is no row, an attribute over there is null`() throws {
    try cities(
      \.land.name != "Slovakia",
      #""land_code" IS NULL OR "land_code" NOT IN (SELECT "t1"."code" FROM "land" AS "t1" WHERE "t1"."name" = ?)"#, [.text("Slovakia")],
      finds: [2, 4])
    try cities(
      \.twin.name == nil,
      #"NOT EXISTS (SELECT 1 FROM "city" AS "t1" WHERE "t1"."id" = "city"."twin_id" AND "t1"."name" IS NOT NULL)"#, finds: [1])
  }

  @Test func `several hops, to the same table too`() throws {
    try cities(
      \.twin.twin.land.name == "Slovakia",
      #""twin_id" IN (SELECT "t1"."id" FROM "city" AS "t1" WHERE "t1"."twin_id" IN (SELECT "t2"."id" FROM "city" AS "t2" "#
        + #"WHERE "t2"."land_code" IN (SELECT "t3"."code" FROM "land" AS "t3" WHERE "t3"."name" = ?)))"#,
      [.text("Slovakia")], finds: [3])
  }

  @Test func `compared with an attribute here`() throws {
    try cities(
      \.twin.population > \.population,
      #"(SELECT "t1"."population" FROM "city" AS "t1" WHERE "t1"."id" = "city"."twin_id") > "population""#, finds: [])
    try cities(
      \.population > \.twin.population,
      #""population" > (SELECT "t1"."population" FROM "city" AS "t1" WHERE "t1"."id" = "city"."twin_id")"#, finds: [2])
  }

  @Test func `in orders, nulls where there is no row`() throws {
    let store = try TestStore.cities()
    let name = #"(SELECT "t1"."name" FROM "land" AS "t1" WHERE "t1"."code" = "city"."land_code")"#
    try assertQuery(
      SearchCriteria<City>.all.order(by: .descending(\.land.name), .ascending(\.id)),
      #"\#(city) ORDER BY \#(name) DESC NULLS LAST, "id" ASC NULLS FIRST"#, finds: [1, 3, 2, 4], in: store)
  }

  // MARK: To many

  @Test func `any, with what few rows fulfil: a list of keys`() throws {
    try lands(
      .any(\.cities, \.name == "Wien"),
      #""code" IN (SELECT "t1"."land_code" FROM "city" AS "t1" WHERE "t1"."name" = ?)"#, [.text("Wien")], finds: ["AT"])
  }

  @Test func `any, with what most rows fulfil: EXISTS`() throws {
    let reached = #"SELECT 1 FROM "city" AS "t1" WHERE "t1"."land_code" = "land"."code""#
    try lands(.any(\.cities), "EXISTS (\(reached))", finds: ["SK", "AT"])
    try lands(
      .any(\.cities, \.name != "Wien"), #"EXISTS (\#(reached) AND "t1"."name" IS NOT ?)"#, [.text("Wien")], finds: ["SK"])
    try lands(.none(\.cities), "NOT EXISTS (\(reached))", finds: ["IS"])
    try lands(.any(\.cities, \.population == nil), #"EXISTS (\#(reached) AND "t1"."population" IS NULL)"#, finds: ["SK"])
  }

  @Test func `all is true of no rows, and not of one whose attribute is null`() throws {
    try lands(
      .all(\.cities, \.population > 400_000),
      #""code" NOT IN (SELECT "t1"."land_code" FROM "city" AS "t1" "#
        + #"WHERE "t1"."land_code" IS NOT NULL AND ("t1"."population" <= ? OR "t1"."population" IS NULL))"#,
      [.integer(400_000)], finds: ["AT", "IS"])
  }

  @Test func `where an index finds few rows, each is looked for`() throws {
    try lands(
      \.code == "SK" && .any(\.cities, \.population > 400_000),
      #""code" = ? AND EXISTS (SELECT 1 FROM "city" AS "t1" WHERE "t1"."land_code" = "land"."code" AND "t1"."population" > ?)"#,
      [.text("SK"), .integer(400_000)], finds: ["SK"])
  }

  @Test func `none leaves out a null key, which NOT IN would stumble over`() throws {
    try lands(
      .none(\.cities, \.name == "Wien"),
      #""code" NOT IN (SELECT "t1"."land_code" FROM "city" AS "t1" WHERE "t1"."land_code" IS NOT NULL AND "t1"."name" = ?)"#,
      [.text("Wien")], finds: ["SK", "IS"])
  }

  @Test func `through pairs`() throws {
    try cities(
      .any(\.rivers, \.name == "Danube"),
      #"""
      "id" IN (SELECT "t1"."city_id" FROM "city_river" AS "t1" JOIN "river" AS "t2" ON "t2"."name" = "t1"."river" \#
      WHERE "t2"."name" = ?)
      """#,
      [.text("Danube")], finds: [1, 2])
    try cities(
      .none(\.rivers),
      #"NOT EXISTS (SELECT 1 FROM "city_river" AS "t1" JOIN "river" AS "t2" ON "t2"."name" = "t1"."river" "#
        + #"WHERE "t1"."city_id" = "city"."id")"#,
      finds: [4])
  }

  @Test func `quantifiers within quantifiers`() throws {
    try lands(
      .any(\.cities, .any(\.rivers, \.name == "Hornád")),
      #""code" IN (SELECT "t1"."land_code" FROM "city" AS "t1" WHERE "t1"."id" IN (SELECT "t2"."city_id" FROM "city_river" AS "t2" "#
        + #"JOIN "river" AS "t3" ON "t3"."name" = "t2"."river" WHERE "t3"."name" = ?))"#,
      [.text("Hornád")], finds: ["SK"])
  }

  @Test func `written over the fields`() throws {
    let store = try TestStore.cities()
    #expect(try store.lands.findAllIDs(.where { $0.cities.any { $0.population > 1_000_000 } }) == ["AT"])
    #expect(try store.lands.findAllIDs(.where { $0.cities.none() }) == ["IS"])
    #expect(try Set(store.lands.findAllIDs(.where { $0.cities.all { $0.population > 1_000_000 } })) == ["AT", "IS"])
  }

  @Test func `where rows over there have no index, each look would read them all: a list of keys`() throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a_id REFERENCES a)
        """)
    let statements = try store.trace.during { try store.factory.runtimeDAO("a").count(.where(.any("b"))) }.texts
    #expect(statements.last == #"SELECT COUNT(*) FROM "a" WHERE "id" IN (SELECT "t1"."a_id" FROM "b" AS "t1")"#)
    let indexed = try TestStore(
      [],
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a_id REFERENCES a);
        CREATE INDEX b_on_a ON b (a_id)
        """)
    let looks = try indexed.trace.during { try indexed.factory.runtimeDAO("a").count(.where(.any("b"))) }.texts
    #expect(looks.last == #"SELECT COUNT(*) FROM "a" WHERE EXISTS (SELECT 1 FROM "b" AS "t1" WHERE "t1"."a_id" = "a"."id")"#)
  }

  @Test(arguments: ["t1", "T1", "t2"])
  func `a table that is called like an alias is not hidden by one`(_ name: String) throws {
    let store = try TestStore(
      [],
      sql: """
        CREATE TABLE \(name) (id INTEGER PRIMARY KEY);
        CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES \(name), other_id REFERENCES child);
        CREATE INDEX child_on_parent ON child (parent_id);
        CREATE INDEX child_on_other ON child (other_id);
        INSERT INTO \(name) VALUES (1), (2), (3);
        INSERT INTO child VALUES (10, 1, NULL), (2, 2, 10), (12, 2, 2);
        """)
    let parents = try store.factory.runtimeDAO(name)
    #expect(try parents.findAllIDs(.where(.any("child"))) == [[1], [2]])
    #expect(try parents.findAllIDs(.where(.none("child"))) == [[3]])
    #expect(try parents.findAllIDs(.where(.any("child.other"))) == [[2]])
    #expect(try parents.findAllIDs(.where(.any("child", .any("child")))) == [[1], [2]])
  }

  // MARK: Aggregates

  @Test func `two counts do not multiply each other`() throws {
    let store = try TestStore.cities()
    let rows = try store.cities.project(
      .field(\.id), .count(\.rivers).named("all"), .count(\.rivers, where: \.name == "Danube").named("danube"),
      matching: .all.order(by: \.id))
    #expect(rows.map { "\($0) \($1) \($2)" } == ["1 1 1", "2 1 1", "3 1 0", "4 0 0"])
  }

  @Test func `compared`() throws {
    let from = #"FROM "city" AS "t1" WHERE "t1"."land_code" = "land"."code""#
    try lands(.count(\.cities) >= 2, "(SELECT COUNT(*) \(from)) >= ?", [.integer(2)], finds: ["SK"])
    try lands(.count(\.cities) == 0, "(SELECT COUNT(*) \(from)) = ?", [.integer(0)], finds: ["IS"])
    try lands(
      .sum(\.cities, \.population) > 500_000, #"(SELECT dao_sum("t1"."population", 'INTEGER', 'city', 'population') \#(from)) > ?"#,
      [.integer(500_000)], finds: ["AT"])
    try lands(.max(\.cities, \.population) == nil, #"(SELECT MAX("t1"."population") \#(from)) IS NULL"#, finds: ["IS"])
  }

  // MARK: Changes

  @Test func `delete and update find their rows through relationships`() throws {
    let store = try TestStore.cities()
    #expect(try store.cities.update(.where(\.land.name == "Slovakia"), set: [.set(\.population, to: 1)]) == 2)
    #expect(try store.cities.findAllIDs(.where(\.population == 1)).sorted() == [1, 3])
    #expect(try store.lands.delete(.where(.none(\.cities))) == 1)
    #expect(try store.lands.count() == 2)
  }

  @Test func `rows are chosen before any is changed, also where SQLite would look at other rows late`() throws {
    let isAlone: Filter<City> = !(\.twin.population >= 1)
    let store = try TestStore.cities()
    let found = try store.cities.findAllIDs(.where(isAlone)).sorted()
    #expect(try store.cities.update(.where(isAlone), set: [.set(\.population, to: 9)]) == found.count)
    #expect(try store.cities.findAllIDs(.where(\.population == 9)).sorted() == found)
    let other = try TestStore.cities()
    let run = try other.trace.during { try other.cities.delete(.where(isAlone)) }
    #expect(run.result == found.count)
    #expect(run.texts.first?.hasPrefix(#"DELETE FROM "city" WHERE "id" IN (SELECT "id" FROM "city" WHERE "#) == true)
    #expect(try other.cities.findAllIDs().sorted() == (1...4).filter { !found.contains($0) })
  }

  @Test func `what a delete does over there: cascade, nullify, deny`() throws {
    let store = try TestStore.cities()
    try store.factory.runtimeDAO(Land.self).delete("AT")
    #expect(try store.cities.findAllIDs().sorted() == [1, 3, 4])
    #expect(try store.cities.find(3).twinID == nil)
    #expect(throws: DAOError.self) { try store.factory.runtimeDAO(River.self).delete("Danube") }
  }

  // MARK: Plans

  @Test func `rows of a related one come from the foreign key's index`() throws {
    let store = try TestStore.cities()
    let plan = try store.cities.explain(.where(\.land.name == "Slovakia"))
    #expect(
      plan.kinds.contains(.search(table: "city", index: "city_on_land_code", columns: ["land_code"], isCovering: false)), "\(plan)")
  }

  // MARK: Problems

  @Test func `a path of eight relationships runs, and a longer one is refused`() throws {
    let store = try TestStore.cities()
    #expect(
      problems { _ = try store.cities.findAll(.where(\.twin.twin.twin.twin.twin.twin.twin.twin.name == "x")) } == [], "eight are enough")
    #expect(problems { _ = try store.cities.findAll(.where(\.twin.twin.twin.twin.twin.twin.twin.twin.twin.name == "x")) }.count == 1)
  }
}
