import CriteriaTesting
import DAOKit
import Testing

@Suite("Prefetch: the SQL without a connection")
struct PrefetchSQLTests {
  /// Towns that lead somewhere on every path.
  private func store() throws -> TestStore {
    let store = try TestStore(Atlas.entities)
    try Atlas.fill(store.factory)
    store.trace.clear()
    return store
  }

  @Test func `one for each relationship, two through pairs, and an order`() throws {
    let criteria = SearchCriteria<Nation>().prefetch(\.towns, order: .descending(\.size)).prefetch(\.lakes)
    #expect(
      try criteria.prefetchSQL() == [
        SQL.PrefetchStatement(
          path: "lakes",
          text: #"SELECT DISTINCT "nation", "lake" FROM "nation_lake" WHERE "nation" IN (SELECT value FROM temp.json_each(?))"#),
        SQL.PrefetchStatement(path: "lakes", text: #"SELECT "id", "name" FROM "lake" WHERE "id" IN (SELECT value FROM temp.json_each(?))"#),
        SQL.PrefetchStatement(
          path: "towns",
          text: #"SELECT "id", "name", "size", "nation_code" FROM "town" WHERE "nation_code" IN (SELECT value FROM temp.json_each(?)) "#
            + #"ORDER BY "size" DESC NULLS LAST"#),
      ])
    #expect(try SearchCriteria<Nation>().prefetchSQL() == [])
  }

  @Test func `they are those that run, to the byte`() throws {
    let store = try store()
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

  @Test func `what is no relationship is told`() {
    #expect(
      problems { _ = try SearchCriteria<Nation>().prefetch("townz").prefetchSQL() }
        == ["townz: nation has no relationship 'townz'; did you mean 'towns'?"])
  }
}
