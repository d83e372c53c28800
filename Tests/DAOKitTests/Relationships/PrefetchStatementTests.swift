import DAOKit
import Testing

@Suite("Prefetch: the statements")
struct PrefetchStatementTests {
  let store: TestStore

  init() throws {
    store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
  }

  @Test func `one statement a relationship, two through pairs, all in one snapshot`() throws {
    let run = try store.trace.during {
      try store.factory.runtimeDAO(Nation.self).findAll(SearchCriteria().prefetch(\.towns, \.neighbour, \.lakes))
    }
    #expect(
      run.texts == [
        "BEGIN DEFERRED TRANSACTION",
        #"SELECT "code", "name", "neighbour" FROM "nation""#,
        #"SELECT "code", "name", "neighbour" FROM "nation" WHERE "code" IN (SELECT value FROM temp.json_each(?))"#,
        #"SELECT "id", "name", "size", "nation_code" FROM "town" WHERE "nation_code" IN (SELECT value FROM temp.json_each(?))"#,
        #"SELECT DISTINCT "nation", "lake" FROM "nation_lake" WHERE "nation" IN (SELECT value FROM temp.json_each(?))"#,
        #"SELECT "id", "name" FROM "lake" WHERE "id" IN (SELECT value FROM temp.json_each(?))"#,
        "COMMIT TRANSACTION",
      ])
  }

  @Test(arguments: [1, 1_000])
  func `as many for a thousand rows as for one, and each row there is asked for once`(_ rows: Int) throws {
    let towns = store.factory.runtimeDAO(Town.self)
    try towns.delete(.all, allowUnfiltered: true)
    try towns.insert((0..<rows).map { Town("\($0)", $0, in: Reference($0 % 2 == 0 ? "SK" : "AT")) })
    let run = try store.trace.during { try towns.findAll(SearchCriteria().prefetch(\.nation.neighbour.towns)) }
    #expect(run.texts.count == 6, "\(run.texts)")
    let asked = run.expanded.filter { $0.contains("json_each") }
    #expect(asked[0].hasSuffix(rows == 1 ? #"json_each('["SK"]'))"# : #"json_each('["SK","AT"]'))"#))
    #expect(try run.result.allSatisfy { town in try town.nation.get().code == town.nation.key })
    #expect(try run.result.last?.nation.get().neighbour?.get().towns.get().count == (rows == 1 ? 0 : 500))
  }

  @Test func `nothing is asked where no row leads anywhere`() throws {
    let nations = store.factory.runtimeDAO(Nation.self)
    let run = try store.trace.during { try nations.findAll(.where(\.code == "FI").prefetch(\.neighbour.towns)) }
    #expect(run.texts.count == 3)
    #expect(run.result[0].neighbour == nil)
  }

  @Test func `paths that begin alike share what they have in common`() throws {
    let run = try store.trace.during {
      try store.factory.runtimeDAO(Town.self).findAll(SearchCriteria().prefetch(\.nation, \.nation.neighbour, \.nation.towns, \.nation))
    }
    #expect(run.texts.filter { $0.contains("SELECT") }.count == 4)
  }

  @Test func `what is prefetched is part of the value, and not of its statement`() throws {
    let plain = SearchCriteria<Nation>.where(\.code == "SK")
    #expect(plain.prefetch(\.towns) != plain)
    #expect(plain.prefetch(\.towns) == plain.prefetch("towns"))
    #expect(plain.prefetch(\.towns, order: .ascending(\.size)) != plain.prefetch(\.towns))
    #expect(Set([plain, plain.prefetch(\.towns), plain.prefetch(\.lakes), plain]).count == 3)
    #expect(try plain.prefetch(\.towns).sql() == plain.sql())
  }

  @Test func `without it nothing is read but the rows themselves`() throws {
    let run = try store.trace.during { try store.factory.runtimeDAO(Nation.self).findAll() }
    #expect(run.texts == [#"SELECT "code", "name", "neighbour" FROM "nation""#])
  }

  @Test func `those that are shown without a connection are those that run, to the byte`() throws {
    func check<E: Entity>(_ criteria: SearchCriteria<E>, on dao: DAO<E>) throws {
      let ran = try store.trace.during { try dao.findAll(criteria) }.queries.dropFirst()
      let shown = try criteria.prefetchSQL(in: dao.target).map(\.text)
      #expect(ran.sorted() == shown.sorted() && !shown.isEmpty)
    }
    try check(SearchCriteria<Nation>().prefetch(\.towns, \.neighbour, \.lakes), on: store.factory.runtimeDAO(Nation.self))
    try check(SearchCriteria<Town>().prefetch(\.nation.lakes.nations.towns, \.nation.neighbour), on: store.factory.runtimeDAO(Town.self))
    let nations = try store.factory.runtimeDAO("nation")
    try check(SearchCriteria().prefetch("neighbour.town", "lake"), on: nations)
    #expect(
      try SearchCriteria<DynamicEntity>().prefetch("neighbour.town").prefetchSQL(in: nations.target).map(\.path)
        == ["neighbour", "neighbour.town"])
  }
}
