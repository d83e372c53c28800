import DAOActiveRecord
import DAOKit
import Testing

/// The default factory of one-liners, and the one of a task.
@Suite struct ActiveRecordTests {
  private static func factory(named name: String) throws -> DAOFactory {
    let factory = try DAOFactory(store: .inMemory(), entities: Person.self, City.self)
    try factory.runtimeDAO(City.self).insert(City(code: name, name: name))
    return factory
  }

  private var cities: [String] { get throws { try City.findAll().map(\.code) } }

  // One test, since the default is the process's.
  @Test func `A default factory is set once, forgotten and set again, and a task's own comes before it`() async throws {
    let first = try Self.factory(named: "first")
    let second = try Self.factory(named: "second")
    var error = #expect(throws: DAOError.self) { try City.findAll() }
    #expect("\(try #require(error))" == "there is no default factory; use try ActiveRecord.use(factory) where the app starts")
    await #expect(throws: DAOError.self) { try await City.count() }

    try ActiveRecord.use(first)
    #expect(try cities == ["first"])
    error = #expect(throws: DAOError.self) { try ActiveRecord.use(second) }
    #expect("\(try #require(error))".contains("a second default factory"))
    #expect(try cities == ["first"])
    #expect(try ActiveRecord.factory === first)

    let own = try await ActiveRecord.withFactory(second) { try await City.findAll() }
    #expect(own.map(\.code) == ["second"])
    try await ActiveRecord.withFactory(second) {
      #expect(try await City.findAll().map(\.code) == ["second"])
      let child = try await Task { try await City.findAll().map(\.code) }.value
      let detached = try await Task.detached { try await City.findAll().map(\.code) }.value
      #expect(child == ["second"])
      #expect(detached == ["first"])
    }
    #expect(try cities == ["first"])

    ActiveRecord.forget()
    #expect(throws: DAOError.self) { try City.findAll() }
    try ActiveRecord.use(second)
    #expect(try cities == ["second"])
    ActiveRecord.forget()
  }

  @Test func `Sessions and units of work are given by in, and a forgotten one is an error that leaves nothing behind`() throws {
    let factory = try Self.factory(named: "KE")
    try ActiveRecord.withFactory(factory) {
      try ActiveRecord.factory.write { (session: Session) throws in
        try City.create(City(code: "TZ", name: "Dodoma"), in: session)
        #expect(try City.count(in: session) == 2)
      }
      #expect(try City.count() == 2)

      let error = #expect(throws: DAOError.self) {
        try ActiveRecord.factory.write { session in
          try City.create(City(code: "UG", name: "Kampala"), in: session)
          try City.create(City(code: "RW", name: "Kigali"))
        }
      }
      #expect("\(try #require(error))".contains("session"))
      #expect(try City.count() == 2)

      let work = try factory.unitOfWork()
      try City.findFirst(by: \.code, "KE")?.delete(in: work)
      try City.create(City(code: "UG", name: "Kampala"), in: work)
      #expect(try City.findAll(sortedBy: "code", in: work).map(\.code) == ["TZ", "UG"])
      #expect(try City.findAll(sortedBy: "code").map(\.code) == ["KE", "TZ"])
      try work.commit()
      #expect(try City.findAll(sortedBy: "code").map(\.code) == ["TZ", "UG"])
    }
  }

  @Test func `A factory that is handed over comes before the default`() throws {
    let (one, other) = (try Self.factory(named: "one"), try Self.factory(named: "other"))
    #expect(try ActiveRecord.withFactory(one) { try City.findAll(in: other) }.map(\.code) == ["other"])
  }

  @Test func `Closures on the store's queue have the task's factory, over SQLite and the evaluator`() async throws {
    let other = try Self.factory(named: "other")
    for factory in [try Self.factory(named: "own"), try DAOFactory(store: .evaluator, entities: City.self, Person.self)] {
      try await ActiveRecord.withFactory(factory) {
        let cities = try City.dao()
        let seen = try await cities.read { try ActiveRecord.factory === factory }
        #expect(seen)
        let found = try await City.findFirst(
          by: \.code, "FI", orCreate: City(code: try ActiveRecord.factory === factory ? "FI" : "", name: ""))
        #expect(found.code == "FI")
        try await found.clone { $0.code = try ActiveRecord.factory === factory ? "SE" : "" }
        // The same store, though the closure runs on another thread: what forgets the session is an error and no second transaction.
        await #expect(throws: DAOError.self) {
          try await factory.write { session in
            try City.create(City(code: "DK", name: ""), in: session)
            try City.create(City(code: "IS", name: ""))
          }
        }
        #expect(try await City.count(.where { .in($0.code, ["FI", "SE", "DK", "IS"]) }) == 2)
      }
    }
    #expect(try await other.runtimeDAO(City.self).count() == 1)
  }
}
