import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Observation”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmObservationTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `results.observe(keyPaths:on:_:)`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) {
        if let changes = list.changes { print(changes.deleted, changes.inserted, changes.updated, changes.moved) }
      }
    } change: {
      try makeOlder()
    }
  }

  @Test func `results.observe`() async throws {
    try await untilPrinted {
      for try await found in people.observe(criteria) { print(found.count) }
    }
  }

  @Test func `observe(keyPaths:)`() async throws {
    let before = printed.count
    let changes = try factory.changes(of: Person.self, attributes: true)
    let task = Task { for await change in changes { print(change) } }
    try await waitForPrint(after: before, change: makeOlder)
    task.cancel()
  }

  @Test func `sectioned(by:)`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(.all.order(by: \.city, \.lastName), sections: \.city) { print(list.sections.map(\.name)) }
    }
  }

  @Test func `ThreadSafeReference(to:)`() async throws {
    let task = Task { try await people.update(person) }
    #expect(try await task.value.id == id)
  }

  @Test func `freeze()`() throws {
    let kept = person
    #expect(kept.id == id)
  }
}
