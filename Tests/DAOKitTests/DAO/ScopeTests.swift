import CriteriaTesting
import DAOKit
import Testing

/// Only zones of one tenant, which is the comment here, that are not hidden, which is a negative offset.
final class TenantDAO: DAO<Zone>, @unchecked Sendable {
  let tenant: String

  init(_ context: DAOContext, tenant: String) {
    self.tenant = tenant
    super.init(context)
  }

  override var scope: Filter<Zone> { \.comment == tenant && \.offset >= 0 }
}

@Suite("A DAO's scope")
struct ScopeTests {
  let store: TestStore
  var all: RuntimeDAO<Zone> { store.zones }
  var mine: TenantDAO { store.factory.dao { TenantDAO($0, tenant: "me") } }
  let scope = #""comment" = ? AND "offset" >= ?"#

  /// 1 and 2 are mine, 3 is mine and hidden, 4 and 5 are another's.
  init() throws {
    store = try TestStore()
    try store.zones.insert([Zone("a", 1, "me"), Zone("b", 5, "me"), Zone("c", -1, "me"), Zone("d", 9, "you"), Zone("e", 1, "you")])
  }

  /// Runs a call and asserts that its one statement has the scope once.
  func once<Result>(_ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ call: () throws -> Result) throws -> Result {
    let run = try store.trace.during(call)
    #expect(run.texts.filter { !$0.hasSuffix("TRANSACTION") } == [text], sourceLocation: sourceLocation)
    #expect(text.components(separatedBy: #""offset" >= "#).count == 2, sourceLocation: sourceLocation)
    return run.result
  }

  @Test func `it is applied once to every query`() throws {
    let select = #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "#
    #expect(try once(select + scope) { try mine.findAll() }.map(\.id) == [1, 2])
    #expect(try once(select + "(\(scope)) AND \"name\" = ?") { try mine.findAll(.where(\.name == "b")) }.map(\.id) == [2])
    #expect(try once(#"SELECT "id" FROM "zone" WHERE "# + scope) { try mine.findAllIDs() } == [1, 2])
    #expect(try once(select + scope + #" ORDER BY "id" ASC NULLS FIRST LIMIT ?"#) { try mine.findFirst() }?.id == 1)
    #expect(try once(#"SELECT COUNT(*) FROM "zone" WHERE "# + scope) { try mine.count() } == 2)
    #expect(try once(#"SELECT EXISTS (SELECT 1 FROM "zone" WHERE \#(scope))"#) { try mine.exists() })
    let sum = #"SELECT dao_sum("offset", 'INTEGER', 'zone', 'offset') FROM "zone" WHERE "#
    let sums = try once(sum + scope) { try mine.project(.sum(\.offset)) }
    #expect(sums == [6])
    #expect(try once(select + scope + #" ORDER BY "id" ASC NULLS FIRST LIMIT ?"#) { try mine.page(size: 5) }.items.count == 2)
    #expect(try mine.page(size: 1, total: .exact).total == 2)
  }

  @Test func `a row outside is not there by its key`() throws {
    let find = #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "id" = ?1 AND ("comment" = ? AND "offset" >= ?)"#
    #expect(try once(find) { try mine.find(2) }.name == "b")
    #expect(notFound { _ = try mine.find(3) } == "zone 3" && notFound { _ = try mine.find(4) } == "zone 4")
    #expect(try mine.find([4, 2, 3, 1]).map(\.id) == [2, 1])
    #expect(try mine.exists(1) && !mine.exists(4))
    #expect(notFound { _ = try mine.refresh(Zone(id: 4, "d", 9)) } == "zone 4")
  }

  /// The statement that found a row last is kept at hand.
  @Test func `nor right after a DAO without a scope has found it, on the same connection`() throws {
    try store.factory.read { (session) throws in
      let (plain, mine) = (session.runtimeDAO(Zone.self), session.dao { TenantDAO($0, tenant: "me") })
      for _ in 0..<2 {
        #expect(try plain.find(4).name == "d")
        #expect(notFound { _ = try mine.find(4) } == "zone 4")
        #expect(try [mine.find(2), plain.find(4)].map(\.name) == ["b", "d"])
      }
    }
  }

  @Test func `an aggregate in a filter speaks of the visible rows, with the scope once in each place`() throws {
    let run = try store.trace.during { try mine.findAll(.where(\.offset == .max(\.offset))) }
    #expect(run.result.map(\.id) == [2])
    #expect(
      run.texts == [
        #"""
        SELECT "id", "name", "offset", "comment" FROM "zone" \#
        WHERE ("comment" = ?1 AND "offset" >= ?2) \#
        AND "offset" = (SELECT MAX("offset") FROM "zone" WHERE "comment" = ?1 AND "offset" >= ?2)
        """#
      ])
    #expect(
      run.expanded == [
        #"""
        SELECT "id", "name", "offset", "comment" FROM "zone" \#
        WHERE ("comment" = 'me' AND "offset" >= 0) \#
        AND "offset" = (SELECT MAX("offset") FROM "zone" WHERE "comment" = 'me' AND "offset" >= 0)
        """#
      ])
    #expect(try all.findAllIDs(.where(\.offset == .max(\.offset))) == [4])
  }

  @Test func `update, delete and upsert touch visible rows only`() throws {
    let update = #"UPDATE "zone" SET "name" = ?2, "offset" = ?3, "comment" = ?4 WHERE "id" = ?1 AND ("comment" = ? AND "offset" >= ?)"#
    #expect(try once(update) { try mine.update(Zone(id: 1, "a", 2, "me")) } == Zone(id: 1, "a", 2, "me"))
    #expect(notFound { try mine.update(Zone(id: 4, "x", 1, "me")) } == "zone 4")
    #expect(try once(#"DELETE FROM "zone" WHERE "id" = ?1 AND ("comment" = ? AND "offset" >= ?)"#) { try mine.delete(4) } == false)
    #expect(notFound { try mine.delete(Zone(id: 3, "c", -1)) } == "zone 3")
    #expect(
      try once(#"UPDATE "zone" SET "offset" = ? WHERE (\#(scope)) AND "offset" < ?"#) {
        try mine.update(.where(\.offset < 100), set: .set(\.offset, to: 7))
      } == 2)
    #expect(try mine.upsert(Zone("a", 8, "me"), on: ["name"]).outcome == .updated)
    #expect(constraint { try mine.upsert(Zone("d", 8, "me"), on: ["name"]) } == "unique zone name")
    #expect(constraint { try mine.save(Zone(id: 4, "z", 8, "me")) } == "unique zone id")
    #expect(try all.find([3, 4, 5]) == [Zone(id: 3, "c", -1, "me"), Zone(id: 4, "d", 9, "you"), Zone(id: 5, "e", 1, "you")])
    #expect(try once(#"DELETE FROM "zone" WHERE (\#(scope)) AND "offset" > ?"#) { try mine.delete(.where(\.offset > 0)) } == 2)
    #expect(try all.findAllIDs() == [3, 4, 5])
  }

  @Test func `it is not the filter that a delete or update needs`() throws {
    #expect(throws: DAOError.self) { try mine.delete(.all) }
    #expect(throws: DAOError.self) { try mine.update(.all, set: .set(\.offset, to: 1)) }
    #expect(try once(#"DELETE FROM "zone" WHERE "# + scope) { try mine.delete(.all, allowUnfiltered: true) } == 2)
    #expect(try all.count() == 3)
  }

  @Test func `it holds inside sessions`() throws {
    try store.factory.write { (session) throws in
      let mine = session.dao { TenantDAO($0, tenant: "you") }
      #expect(try mine.count() == 2 && mine.delete(.where(\.offset > 0)) == 2)
    }
    #expect(try all.findAllIDs() == [1, 2, 3])
  }

  @Test func `a scope that no row fits finds nothing and sends nothing`() throws {
    final class NoDAO: DAO<Zone>, @unchecked Sendable { override var scope: Filter<Zone> { .nothing } }
    let dao = store.factory.dao(NoDAO.init)
    let run = try store.trace.during { () throws in
      #expect(try dao.findAll().isEmpty && dao.count() == 0 && !dao.exists(1) && dao.delete(.all, allowUnfiltered: true) == 0)
      #expect(notFound { _ = try dao.find(1) } == "zone 1")
      #expect(try !dao.delete(1))
    }
    #expect(run.texts == [])
  }

  @Test func `a scope with an aggregate is refused: it would speak of itself`() throws {
    final class MaxDAO: DAO<Zone>, @unchecked Sendable { override var scope: Filter<Zone> { \.offset == .max(\.offset) } }
    let dao = store.factory.dao(MaxDAO.init)
    let problem = "a scope can't have aggregates: they speak of the rows that it lets be seen"
    #expect(problems { _ = try dao.findAll() } == [problem])
    #expect(problems { _ = try dao.find(1) } == [problem])
    #expect(problems { _ = try dao.count(.where(\.offset == .max(\.offset))) } == [problem])
  }
}
