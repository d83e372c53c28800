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
    try await merge()
    #expect(try await people.count() == 4)
  }

  @MainActor private func merge() async throws {
    let older = SearchCriteria<Person>.where { $0.age > 30 }.order(by: \.id)
    let value = LiveValue(people.observe(older), initially: [])
    var listed: [Int64?] = []
    let lists = people.fetchedResults(older)
    let loop = Task { for try await list in lists { listed = list.map(\.id) } }
    defer { loop.cancel() }
    try await wait { keys(value.value) == [1, 3, 4, 5] && listed == [1, 3, 4, 5] }
    try syncly { try edited.delete(4) }
    try await work.commit()
    // No turn of the main loop lies between: the value and the list are up to date.
    #expect(keys(value.value) == [1, 3, 5] && listed == [1, 3, 5])
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

  @Test func `1A.2 resetDefaultContext`() throws {
    try edited.delete(4)
    try edited.insert(newPerson)
    try work.rollback()
    #expect(try !work.hasChanges && edited.count() == 5 && edited.exists(4))
    #expect(try people.count() == 5)
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
    // A contract keeps the first company; the third one stays with it.
    let factory = try World.filled(DAOFactory(store: .inMemory(), entities: Person.self, Company.self, Contract.self))
    try factory.runtimeDAO(Contract.self).insert(Contract(company: 1))
    let companies = factory.runtimeDAO(Company.self)
    #expect(problem { try companies.delete([3, 1]) } == "constraint")
    #expect(try companies.findAllIDs(.all.order(by: \.id)) == [1, 2, 3])
    #expect(try companies.delete([3, 2]) == 2)
  }

  @Test func `1A.2 observeContext:, …`() async throws {
    let factory = try syncly { try fileFactory() }
    var changes = try syncly { try factory.changes(of: Person.self) }.makeAsyncIterator()
    let observer = try syncly { try factory.onChange(of: Person.self) { change in print(change[Person.self].inserted.count) } }
    try syncly {
      try factory.write { session in
        let people = session.runtimeDAO(Person.self)
        try people.insert(newPerson)
        try people.delete(4)
        try people.update(.where { $0.id == id }, set: .set(\.age, to: 40))
      }
    }
    let change = try #require(await changes.next())
    try await waitForPrint(after: 0)
    observer.cancel()
    #expect(printed == ["1"])
    #expect(change[Person.self].inserted == [6] && change[Person.self].deleted == [4] && change[Person.self].updated == [1])
    // A unit of work, SQL of the app and another factory write too; of the last it is not known which rows.
    try syncly {
      let work = try factory.unitOfWork()
      try work.runtimeDAO(Person.self).delete(5)
      try work.commit()
      try factory.runtimeDAO(Person.self).execute("DELETE FROM person WHERE id = 3")
    }
    #expect(await changes.next()?[Person.self].deleted == [5])
    #expect(await changes.next()?[Person.self].deleted == [3])
    try syncly { try DAOFactory(store: store, entities: Person.self, Company.self).runtimeDAO(Person.self).delete(2) }
    #expect(await changes.next()?[Person.self].needsReload == true)
  }
}
