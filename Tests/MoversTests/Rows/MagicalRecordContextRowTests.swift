import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.2 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordContextRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1A.2 Default context`() async throws {
    let people = people
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await people.count() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 5, count: 8))
    try syncly {
      let other = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self))
      try other.runtimeDAO(Person.self).delete(1)
      // The default is set once; a task's own factory comes before it.
      try ActiveRecord.$standard.withValue(DefaultFactory()) {
        try ActiveRecord.use(factory)
        #expect(throws: DAOError.self) { try ActiveRecord.use(other) }
        #expect(try ActiveRecord.withFactory(other) { try Person.count() } == 4)
        #expect(try Person.count() == 5)
      }
    }
  }

  @Test func `1A.2 Merge into default`() async throws {
    let value = await LiveValue(people.observe(.where { $0.age > 30 }), initially: [])
    _ = try await first(of: people.observe(.where { $0.age > 30 }))
    try syncly { try edited.delete(4) }
    try await work.commit()
    // No turn of a main loop lies between: the read and the value are up to date.
    #expect(try await people.count() == 4)
    let shown = await value.value
    #expect(shown.allSatisfy { $0.id != 4 })
  }

  @Test func `1A.2 context, contextWithParent:, …`() async throws {
    let dialog = work.child()
    let new = try syncly { try dialog.runtimeDAO(Person.self).insert(newPerson) }
    // Keys of a unit are negative until the commit.
    #expect(try #require(new.id) < 0)
    #expect(try syncly { try edited.count() } == 5)
    try syncly { _ = try dialog.commit() }
    #expect(try syncly { try edited.count() } == 6)
    // A unit can be used by all threads.
    let shared = edited
    #expect(try await Task.detached { try await shared.count() }.value == 6)
    try syncly { _ = try work.commit() }
    #expect(try syncly { try people.findFirst(.where { $0.email == "new@example.org" })?.id } == 6)
  }

  @Test func `1A.2 inContext:`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    #expect(try edited.find(id).age == 40)
    #expect(try people.find(id).age == 31)
    try edited.delete(id)
    #expect(problem { try edited.find(id) } == "notFound")
  }

  @Test func `1A.2 deleteObjects:`() throws {
    #expect(try people.delete(ids) == 2)
    #expect(try people.delete(ids) == 0)
    #expect(try people.count() == 3)
  }

  @Test func `1A.2 observeContext:, …`() async throws {
    var changes = try syncly { try factory.changes(of: Person.self) }.makeAsyncIterator()
    try syncly {
      try factory.write { session in
        let people = session.runtimeDAO(Person.self)
        try people.insert(newPerson)
        try people.delete(4)
        try people.update(.where { $0.id == id }, set: .set(\.age, to: 40))
      }
    }
    let change = try #require(await changes.next())
    #expect(change[Person.self].inserted == [6] && change[Person.self].deleted == [4] && change[Person.self].updated == [1])
  }
}
