import DAOKit
import Testing

@Suite("Finding")
struct FindTests {
  let store: TestStore
  var zones: RuntimeDAO<Zone> { store.zones }

  init() throws { store = try .zones() }

  @Test func `findAll returns all rows, or those of a query`() throws {
    #expect(try zones.findAll().map(\.name) == Zone.samples.map(\.name))
    #expect(try zones.findAll(.where(\.offset == 0)).map(\.name) == ["Europe/London"])
  }

  @Test func `findAllIDs reads keys only`() throws {
    let run = try store.trace.during { try zones.findAllIDs(.where(\.offset > 0).order(by: .descending(\.offset))) }
    #expect(run.result == [3, 5, 1, 6])
    #expect(run.texts == [#"SELECT "id" FROM "zone" WHERE "offset" > ? ORDER BY "offset" DESC NULLS LAST"#])
  }

  @Test func `findFirst goes by key where no order is given, and by the order where one is`() throws {
    let run = try store.trace.during { try zones.findFirst(.where(\.offset == 3600)) }
    #expect(run.result?.id == 1)
    #expect(
      run.texts == [
        #"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "offset" = ? ORDER BY "id" ASC NULLS FIRST LIMIT ?"#
      ])
    #expect(try zones.findFirst(.all.order(by: .descending(\.offset)))?.id == 3)
    #expect(try zones.findFirst(.where(\.offset == 1)) == nil)
    #expect(try zones.findFirst(.all.limit(5, offset: 2))?.id == 3 && zones.findFirst(.all.limit(0)) == nil)
  }

  @Test func `find takes one key, and says which one no row has`() throws {
    let run = try store.trace.during { try zones.find(3) }
    #expect(run.result.name == "Asia/Kolkata" && run.texts == [#"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "id" = ?1"#])
    #expect(run.expanded == [#"SELECT "id", "name", "offset", "comment" FROM "zone" WHERE "id" = 3"#])
    #expect(notFound { _ = try zones.find(99) } == "zone 99")
  }

  @Test func `find takes many keys, keeps their order, and leaves out those that no row has`() throws {
    let run = try store.trace.during { try zones.find([5, 99, 1, 5]) }
    #expect(run.result.map(\.id) == [5, 1, 5])
    #expect(run.texts.first == "BEGIN DEFERRED TRANSACTION" && run.texts.last == "COMMIT TRANSACTION")
    #expect(try zones.find([]).isEmpty)
    #expect(try zones.find(Array(1...2000)).count == 6)
  }

  @Test func `exists, by criteria and by key`() throws {
    let run = try store.trace.during { try zones.exists(.where(\.offset == 3600)) }
    #expect(run.result && run.texts == [#"SELECT EXISTS (SELECT 1 FROM "zone" WHERE "offset" = ?)"#])
    #expect(try zones.exists() && !zones.exists(.where(\.offset == 1)) && zones.exists(6) && !zones.exists(7))
  }

  @Test func `whether a key is there does not depend on what its row holds`() throws {
    try zones.execute("UPDATE zone SET offset = 'bad' WHERE id = 6")
    #expect(throws: DAOError.self) { try zones.find(6) }
    #expect(try zones.exists(6))
  }

  @Test func `count`() throws {
    let run = try store.trace.during { try zones.count(.where(\.offset == 3600)) }
    #expect(run.result == 2 && run.texts == [#"SELECT COUNT(*) FROM "zone" WHERE "offset" = ?"#])
    #expect(try zones.count() == 6)
  }

  @Test func `refresh reads the row again`() throws {
    var zone = try zones.find(1)
    try zones.update(.where(\.id == 1), set: .set(\.comment, to: "new"))
    zone = try zones.refresh(zone)
    #expect(zone.comment == "new")
    try zones.delete(1)
    #expect(notFound { _ = try zones.refresh(zone) } == "zone 1")
    #expect(notFound { _ = try zones.refresh(Zone("never", 1)) }?.hasPrefix("zone nil") == true)
  }
}

/// The entity and key that were not found.
func notFound(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> String? {
  do { try body() } catch DAOError.notFound(let entity, let key) { return "\(entity) \(key)" } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}
