import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “Observation”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBObservationTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `ValueObservation.tracking { db in … }`() async throws {
    let totals = factory.observe { session in try session.runtimeDAO(Person.self).count() }
    #expect(try await first(of: totals) == 5)
  }

  @Test func `observation.values(in:)`() async throws {
    try await untilPrinted {
      for try await found in people.observe(.where { $0.age > 30 }.order(by: \.lastName)) { print(found.count) }
    }
  }

  @Test func `observation.start(in:scheduling:onError:onChange:)`() async throws {
    let task = Task { for try await count in people.observeCount(criteria) { print(count) } }
    try await waitForPrint(after: 0)
    task.cancel()
  }

  @Test func `removeDuplicates()`() async throws {
    try await untilPrinted {
      for try await count in people.observeCount(criteria) { print(count) }
    }
  }

  @Test func `map(_:)`() async throws {
    let names = factory.observe { session in try session.runtimeDAO(Person.self).project(.field(\.lastName)) }
    #expect(try await first(of: names)?.count == 5)
  }

  @Test func `.immediate`() async throws {
    let shown = await LiveValue(people.observe(criteria), initially: [])
    try await wait { shown.value.count == 5 }
    #expect(await shown.value.count == 5)
  }

  @Test func `DatabaseRegionObservation(tracking:)`() async throws {
    let observer = try factory.onChange(of: Person.self, Company.self) { change in print(change) }
    try await waitForPrint(after: 0, change: makeOlder)
    observer.cancel()
  }

  @Test func `TransactionObserver`() async throws {
    try await untilPrinted {
      for await change in try factory.changes(of: Person.self, attributes: true) {
        print(change[Person.self].updated, change[Person.self].updatedAttributes ?? [])
      }
    } change: {
      try makeOlder()
    }
  }

  @Test func `db.afterNextTransaction(onCommit:onRollback:)`() async throws {
    try await factory.write { session in try session.runtimeDAO(Person.self).delete(id) }
    print("committed")
    #expect(printed == ["committed"])
    #expect(try await !people.exists(id))
  }
}
