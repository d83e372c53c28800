import CriteriaTesting
import DAOKit
import DAOTestSupport
import Foundation
import Testing

@Suite("Query plans")
struct QueryPlanTests {
  private let store: TestStore

  init() throws { store = try TestStore.zones() }

  // MARK: Steps

  @Test func `scans, searches and sorts are told apart`() throws {
    let zones = store.zones
    let unique = "zone_on_name"
    #expect(try zones.explain(.where(\.offset > 0)).steps.map(\.kind) == [.fullScan(table: "zone")])
    #expect(
      try zones.explain(.where(\.name == "x")).steps.map(\.kind)
        == [.search(table: "zone", index: unique, columns: ["name"], isCovering: false)])
    #expect(
      try zones.explain(.where(.between(\.name, "a", "b"))).steps.map(\.kind)
        == [.search(table: "zone", index: unique, columns: ["name"], isCovering: false)])
    #expect(try zones.explain(.where(\.id == 3)).steps.map(\.kind) == [.keySearch(table: "zone", columns: ["rowid"])])
    #expect(
      try zones.explain(.all.order(by: \.name)).steps.map(\.kind) == [.indexScan(table: "zone", index: unique, isCovering: false)])
    #expect(
      try zones.explain(.all.order(by: \.offset)).steps.map(\.kind) == [.fullScan(table: "zone"), .sort(.order, isPartial: false)])
    let indexed = try TestStore(sql: "CREATE INDEX i ON zone (offset)").zones
    #expect(
      try indexed.explain(.all.order(by: \.offset, \.comment)).steps.map(\.kind)
        == [.indexScan(table: "zone", index: "i", isCovering: false), .sort(.order, isPartial: true)])
    let report = SearchCriteria<Zone>.all.project(.group(by: \.offset), .count)
    #expect(try zones.explain(report).sorts == [.group])
    #expect(try zones.explain(SearchCriteria<Zone>.all.project(.field(\.offset)).distinct()).sorts == [.distinct])
    #expect(try zones.explainCount(.where(.like(\.name, "*x*"))).usedIndexes == [unique])
  }

  @Test func `steps within steps, tables by their names`() throws {
    let store = try TestStore.cities()
    let plan = try store.lands.explain(.where(.any(\.cities, \.population > 1)))
    #expect(plan.fullScans == ["city"])
    #expect(plan.usedIndexes == ["sqlite_autoindex_land_1"])
    let list = try #require(plan.steps.last)
    #expect(list.kind == .subquery(isCorrelated: false) && list.steps.map(\.kind) == [.fullScan(table: "city")])
    #expect(
      plan.description.hasPrefix("SEARCH land USING INDEX sqlite_autoindex_land_1 (code=?)\nLIST SUBQUERY 1\n  SCAN t1"), "\(plan)")
    #expect(plan.description.hasSuffix("\nmissing: " + plan.missingIndexes.map(\.sql).joined(separator: "\nmissing: ")))
    let each = try store.lands.explain(.where(.none(\.cities)))
    #expect(each.usedIndexes == ["city_on_land_code"] && each.steps.contains { $0.kind == .subquery(isCorrelated: true) })
  }

  @Test func `a page after a place is searched for, part by part`() throws {
    let criteria = SearchCriteria<Zone>.all.order(by: \.offset)
    let request = PageRequest(.after(try store.zones.page(criteria, size: 2).next), size: 2)
    #expect(try store.zones.explain(criteria, page: request).missingIndexes.map(\.index) == [Index(on: "offset")])
    let indexed = try TestStore(sql: "CREATE INDEX zone_on_offset ON zone (offset)")
    let plan = try indexed.zones.explain(criteria, page: request)
    #expect(plan.fullScans.isEmpty && plan.sorts.isEmpty && plan.missingIndexes.isEmpty, "\(plan)")
    #expect(plan.kinds.contains(.union) && plan.kinds.contains(.keySearch(table: "zone", columns: ["rowid"])))
    #expect(try plan.statement == criteria.pageSQL(request))
    #expect(throws: DAOError.self) { try store.zones.explain(criteria, page: PageRequest(size: 0)) }
  }

  @Test func `what is prefetched is explained too`() throws {
    let store = try TestStore(Atlas.entities, sql: "DROP INDEX town_on_nation_code")
    let plan = try store.factory.runtimeDAO(Nation.self).explain(.where(\.code == "SK").prefetch(\.towns, \.neighbour))
    #expect(plan.steps.map(\.kind).count == 1 && plan.prefetches.count == 2)
    #expect(plan.fullScans == ["town"] && plan.missingIndexes.isEmpty)
    #expect(plan.prefetches[1].missingIndexes.map(\.sql) == [#"CREATE INDEX "town_on_nation_code" ON "town" ("nation_code")"#])
  }

  // MARK: What is asked

  @Test func `a scope is part of it`() throws {
    let mine = store.factory.dao { TenantDAO($0, tenant: "me") }
    let plan = try mine.explain(.where(\.name == "x"))
    #expect(try plan.statement == SearchCriteria<Zone>.where(\.name == "x").sql(in: mine.target))
    #expect(try mine.explain().missingIndexes.map(\.index) == [Index(on: "comment", "offset")])
  }

  @Test func `nothing is sent where no row can match`() throws {
    let plan = try store.zones.explain(.where(.in(\.name, [])))
    #expect(plan.statement == nil && plan.steps.isEmpty && plan.description == "nothing is sent")
  }

  // SQLite traces no EXPLAIN.
  @Test func `values are bound, rows are neither read nor changed, and the copy leaves nothing behind`() throws {
    let run = try store.trace.during { try store.zones.explain(.where(\.offset == 3600).order(by: \.comment)) }
    #expect(run.result.missingIndexes.count == 1 && run.result.statement?.bindings == [.integer(3600)])
    #expect(
      run.texts == [
        "SELECT type, name, tbl_name FROM sqlite_schema",
        "SELECT sql FROM sqlite_schema WHERE type <> 'trigger' ORDER BY type = 'table' DESC, type = 'view', rootpage > 0, rowid",
        "SELECT name FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')",
      ])
    #expect(try store.zones.explain(.where(\.offset == 3600).order(by: \.comment)) == run.result)
  }

  @Test func `a search is explained, and the copy has its table whatever order VACUUM leaves the schema in`() throws {
    let store = try TestStore.notes()
    let criteria = SearchCriteria<Note>.where(.match("europe")).order(by: \.title)
    let plan = try store.notes.explain(criteria)
    #expect(plan.sorts == [.order] && plan.fullScans.isEmpty && plan.missingIndexes.isEmpty, "\(plan)")
    let relevance = SearchCriteria<Note>.where(.match("europe")).order(by: .relevance(of: FullTextMatch("europe"))).limit(2)
    #expect(try store.notes.explain(relevance).fullScans.isEmpty)
    _ = try store.store.execute("VACUUM")
    #expect(try store.notes.explain(criteria) == plan)
  }

  @Test func `inside a session`() throws {
    let file = try FileStore()
    let criteria = SearchCriteria<Zone>.where(\.offset == 1)
    let index = [Index(on: "offset")]
    #expect(try file.factory.read { try $0.runtimeDAO(Zone.self).explain(criteria) }.missingIndexes.map(\.index) == index)
    #expect(try file.factory.write { try $0.runtimeDAO(Zone.self).explain(criteria) }.missingIndexes.map(\.index) == index)
  }

  @Test func `with await`() async throws {
    let file = try FileStore()
    let criteria = SearchCriteria<Zone>.where(\.offset == 1)
    let index = [Index(on: "offset")]
    #expect(try await file.zones.explain(criteria).missingIndexes.map(\.index) == index)
    #expect(try await file.zones.explainCount(criteria).fullScans == ["zone"])
    #expect(try await file.zones.explain(criteria, page: PageRequest(size: 2)).missingIndexes.map(\.index) == index)
  }

  @Test func `a store without SQL says so`() throws {
    let zones = try DAOFactory(store: .evaluator, entities: Zone.self).runtimeDAO(Zone.self)
    for explain in [{ try zones.explain() }, { try zones.explainCount() }, { try zones.explain(page: PageRequest(size: 1)) }] {
      #expect { try explain() } throws: { if case DAOError.unsupported(let what) = $0 { what.contains("SQL") } else { false } }
    }
  }

  @Test func `a query that does not fit is refused as the query is`() throws {
    #expect(
      problems { _ = try store.zones.explain(.where(.field("nam") == "x")) } == ["nam: zone has no attribute 'nam'; did you mean 'name'?"])
    #expect(throws: DAOError.self) { try store.zones.explain(.all.prefetch("nothing")) }
  }

  @Test(arguments: [#"a "b" USING INDEX c (d=?)"#, "t1 USING x", "SCAN", "ä (b", "x AND y=?"])
  func `any names`(_ name: String) throws {
    let entity = EntityDescription(
      "odd", table: name, key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("a", .text, column: name), Attribute("b", .text)], indexes: [Index(on: "a")])
    let store = try TestStore([entity])
    let target = EntityTarget(entity)
    var criteria = Criteria()
    criteria.filter = .compare(.field(FieldPath("a")), .equal, .value("x"))
    #expect(try store.store.explain(.entities, criteria, in: target).usedIndexes == ["\(name)_on_\(name)"])
    criteria.filter = .compare(.field(FieldPath("b")), .equal, .value("x"))
    let plan = try store.store.explain(.entities, criteria, in: target)
    #expect(plan.fullScans == [name] && plan.missingIndexes.map(\.index) == [Index(on: "b")])
    _ = try store.store.execute(SQL(stringLiteral: try #require(plan.missingIndexes.first).sql))
    #expect(try store.store.explain(.entities, criteria, in: target).usedIndexes == ["\(name)_on_b"])
  }
}
