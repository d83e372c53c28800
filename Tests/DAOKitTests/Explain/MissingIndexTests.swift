import DAOKit
import Foundation
import GRDB
import Testing

/// What is told of indexes that are missing; that they serve is shown for random criteria by `DAODifferentialTests`.
@Suite("Missing indexes")
struct MissingIndexTests {
  private func missing(_ criteria: SearchCriteria<Zone>, page: PageRequest? = nil) throws -> [String] {
    let zones = try TestStore.zones().zones
    let plan = try page.map { try zones.explain(criteria, page: $0) } ?? zones.explain(criteria)
    return plan.missingIndexes.map(\.sql)
  }

  @Test func `equal attributes first, then the order with its directions, or one range`() throws {
    #expect(
      try missing(.where(\.offset == 1 && \.comment == nil)) == [
        #"CREATE INDEX "zone_on_offset_comment" ON "zone" ("offset", "comment")"#
      ])
    #expect(
      try missing(.where(\.comment > "a" && \.offset == 1)) == [
        #"CREATE INDEX "zone_on_offset_comment" ON "zone" ("offset", "comment")"#
      ])
    #expect(
      try missing(.where(\.offset == 1).order(by: .descending(\.comment), .ascending(\.name))) == [
        #"CREATE INDEX "zone_on_offset_comment_name" ON "zone" ("offset", "comment", "name" DESC)"#
      ])
    #expect(try missing(.all.order(by: .descending(\.offset))) == [#"CREATE INDEX "zone_on_offset" ON "zone" ("offset")"#])
    #expect(
      try missing(.all.order(by: .ascending(\.offset), .descending(\.comment)), page: PageRequest(size: 5)) == [
        #"CREATE INDEX "zone_on_offset_comment" ON "zone" ("offset", "comment" DESC)"#
      ])
    #expect(try missing(.where(.beginsWith(\.comment, "a"))) == [#"CREATE INDEX "zone_on_comment" ON "zone" ("comment")"#])
    #expect(try missing(.where(\.offset == .max(\.offset))) == [#"CREATE INDEX "zone_on_offset" ON "zone" ("offset")"#])
  }

  @Test func `each part of an OR has its own`() throws {
    #expect(
      try missing(.where(\.offset == 1 || \.comment == "x")) == [
        #"CREATE INDEX "zone_on_offset" ON "zone" ("offset")"#, #"CREATE INDEX "zone_on_comment" ON "zone" ("comment")"#,
      ])
    #expect(try missing(.where(\.offset == 1 || .contains(\.comment, "x"))) == [])
    #expect(try missing(.where(\.offset == 1 || \.name == "x" || \.id == 3)) == [#"CREATE INDEX "zone_on_offset" ON "zone" ("offset")"#])
  }

  @Test func `none is missing where none would serve, or what is there does`() throws {
    for criteria: SearchCriteria<Zone> in [
      .all, .where(\.name == "x"), .where(\.id == 1), .where(.contains(\.comment, "x")), .where(\.offset != 1), .all.order(by: \.name),
      .where(.lower(\.comment) == "x"), .all.order(by: .ascending(.lower(\.comment))), .where(\.name == "x" && \.offset == 1),
    ] {
      #expect(try missing(criteria) == [], "\(criteria.criteria)")
    }
  }

  @Test func `relationships: the foreign key, and what is asked of the rows over there`() throws {
    let drop = #"DROP INDEX "city_on_land_code"; DROP INDEX "city_on_twin_id";"#
    let store = try TestStore(
      [Land.entityDescription, City.entityDescription, River.entityDescription, CityOnRiver.entityDescription], sql: drop)
    let key = #"CREATE INDEX "city_on_land_code" ON "city" ("land_code")"#
    #expect(
      try Set(store.cities.explain(.where(\.land.name == "Slovakia")).missingIndexes.map(\.sql)) == [
        key, #"CREATE INDEX "land_on_name" ON "land" ("name")"#,
      ])
    #expect(try store.lands.explain(.where(.count(\.cities) > 3)).missingIndexes.map(\.sql) == [key])
    #expect(
      try store.lands.explain(.where(.any(\.cities, \.population > 1))).missingIndexes.map(\.sql) == [
        #"CREATE INDEX "city_on_population" ON "city" ("population")"#
      ])
    #expect(
      try store.cities.explain(.where(.any(\.rivers, \.name == "Danube"))).missingIndexes == [], "the pairs' key begins with the river")
  }

  @Test func `a name that is taken is not given again`() throws {
    let store = try TestStore(sql: "CREATE INDEX ZONE_on_offset ON zone (comment, offset)")
    let plan = try store.zones.explain(.where(\.offset == 1))
    #expect(plan.missingIndexes.map(\.sql) == [#"CREATE INDEX "zone_on_offset_2" ON "zone" ("offset")"#])
    #expect(plan.missingIndexes.map(\.index) == [Index(on: "offset")])
  }

  @Test func `views, other tools' tables, triggers and statistics are no obstacle`() throws {
    let store = try TestStore(
      sql: """
        CREATE VIEW far AS SELECT * FROM zone WHERE offset > 0;
        CREATE TABLE own (a, b, c AS (a || b), CHECK (a <> b));
        CREATE TRIGGER t AFTER INSERT ON zone BEGIN DELETE FROM own; END;
        CREATE INDEX own_on_lower ON own (lower(a)) WHERE b IS NOT NULL;
        INSERT INTO zone (name, offset) VALUES ('a', 1), ('b', 1), ('c', 1), ('d', 2); ANALYZE;
        """)
    #expect(try store.zones.explain(.where(\.offset == 1)).missingIndexes.count == 1)
    let own = try store.factory.runtimeDAO("own")
    #expect(try own.explain(.where(.field("a") == "x")).missingIndexes.map(\.index) == [Index(on: "a")])
    let far = try store.factory.runtimeDAO("far")
    let plan = try far.explain(.where(.field("offset") == 1))
    #expect(plan.fullScans == ["zone"] && plan.missingIndexes.isEmpty)
  }

  @Test func `none is told for a table that needs another tool's collation, and so can't be made anew`() throws {
    let engine = try SQLiteEngine(inMemory: { database in
      database.add(collation: DatabaseCollation("LOCALIZED") { $0.localizedCompare($1) })
      try database.execute(sql: "CREATE TABLE odd (id INTEGER PRIMARY KEY, a TEXT COLLATE LOCALIZED, b TEXT)")
    })
    let plan = try DAOFactory(over: EngineStore(engine)).runtimeDAO("odd").explain(.where(.field("b") == "x"))
    #expect(plan.fullScans == ["odd"] && plan.missingIndexes.isEmpty)
  }
}
