import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// Section 1C of Documentation/behaviours.md: factories, DAOs and units of work.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1C DAOFactory.factory`() throws {
    let other = try DAOFactory(store: .inMemory(), entities: Person.self, Company.self)
    #expect(try other.runtimeDAO(Person.self).count() == 0 && people.count() == 5)
  }

  @Test func `1C setStorePath: / storePath`() throws {
    let place = world.folder.appendingPathComponent("deep/er/a store.sqlite")
    let factory = try DAOFactory(store: .file(place), entities: Person.self, Company.self)
    #expect(factory.report?.store?.path == place.resolvingSymlinksInPath().path)
  }

  @Test func `1C setStoreType:, setStoreOptions:`() throws {
    let file = try fileFactory()
    #expect(file.report?.outcome == .created)
    try file.backUp(to: url)
    let inPlace = try DAOFactory(store: .inPlace(.file(url)), entities: Person.self, Company.self)
    #expect(inPlace.report?.outcome == .inPlace)
    let memory = try DAOFactory(store: .inMemory(seed: .file(url)), entities: Person.self, Company.self)
    #expect(memory.report?.outcome == .loaded)
    #expect(try memory.runtimeDAO(Person.self).count() == 5)
  }

  @Test func `1C Stack`() throws {
    let error = #expect(throws: DAOError.self) {
      try makeOldStore()
      _ = try DAOFactory(store: .file(url), entities: Person.self, Company.self)
    }
    guard case .schemaMismatch(_, let differences)? = error else {
      Issue.record("another error, or none")
      return
    }
    #expect(differences.count > 1)
  }

  @Test func `1C Seed copy`() throws {
    // The store is store.sqlite, and its seed people.sqlite.
    let store = StoreDescription.file(storeURL, seed: .resource("people.sqlite", in: .module, requiresManifest: true))
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).runtimeDAO(Person.self).count() == 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path).allSatisfy { $0.hasPrefix("store.sqlite") })
    let empty = world.folder.appendingPathComponent("empty.sqlite")
    try Data().write(to: empty)
    let refused = StoreDescription.file(world.folder.appendingPathComponent("b.sqlite"), seed: .file(empty))
    #expect(throws: DAOError.self) { try DAOFactory(store: refused, entities: Person.self, Company.self) }
    #expect(!FileManager.default.fileExists(atPath: world.folder.appendingPathComponent("b.sqlite").path))
    let memory = try DAOFactory(store: .inMemory(), entities: Person.self, Company.self)
    #expect(memory.report?.outcome == .created)
    #expect(try memory.runtimeDAO(Person.self).count() == 0)
  }

  @Test func `1C newDAO:Class`() throws {
    let dao: PersonDAO = factory.dao(PersonDAO.init)
    #expect(try dao.entity.name == "person" && dao.findAll().count == 5)
  }

  @Test func `1C newRuntimeDAO: / createDAO:`() throws {
    #expect(try factory.runtimeDAO("person").find(.integer(1))["email"] == "ann@example.org")
    let error = #expect(throws: DAOError.self) { try factory.runtimeDAO("persn") }
    guard case .unknownEntity(_, let known, let nearest)? = error else {
      Issue.record("another error, or none")
      return
    }
    #expect(known.contains("company") && nearest == "person")
  }

  @Test func `1C save, save:error`() throws {
    try edited.insert(Person(email: email, lastName: "Double", firstName: "D", age: 1))
    #expect(problem { try work.commit() } == "constraint")
    try work.undo()
    try edited.delete(4)
    #expect(try work.commit().changes.rows.count == 1)
  }

  @Test func `1C undo redo reset rollback undoManager`() throws {
    try work.limitUndo(to: 2)
    for key in [1, 2, 3] as [Int64] { try edited.delete(key) }
    #expect(try work.undoNames.count == 2)
    #expect(try work.undo() && work.undo() && !work.undo())
    #expect(try edited.count() == 4)
    #expect(try work.redo())
    let held = try edited.find(4)
    try work.rollback()
    #expect(try edited.count() == 5 && held.lastName == "Moser")
  }

  @Test func `1C DAO inits`() throws {
    #expect(try PersonDAO(people.context).count() == 5)
    #expect(try factory.dao(of: Person.entityDescription, PersonDAO.init).count() == 5)
  }

  @Test func `1C findAll … offset limit:`() throws {
    #expect(keys(try people.findAll(criteria.limit(2, offset: 2))) == [4, 2])
    #expect(try people.findAll(criteria.limit(0)).isEmpty)
    #expect(try people.findAll(criteria.limit(20, offset: 40)).isEmpty)
    #expect(throws: DAOError.self) { try people.findAll(criteria.limit(-1)) }
    #expect(try people.dictionaries(criteria.project(.field(\.lastName))).first?["lastName"] == "Berg")
    try factory.close()
    #expect(problem { try people.findAll() } == "closed")
  }

  @Test func `1C findAllId(:criteria)`() throws {
    #expect(try people.findAllIDs(criteria) == [5, 1, 4, 2, 3])
    #expect(problem { try people.findAllIDs(criteria.project(.field(\.lastName))) } == "invalidCriteria")
  }

  @Test func `1C count(:criteria)`() throws {
    #expect(try people.count(criteria) == 5 && people.count(criteria.limit(2)) == 2 && people.count(criteria.limit(20, offset: 4)) == 1)
    try factory.close()
    #expect(problem { try people.count(criteria) } == "closed")
  }

  @Test func `1C insertNewObject, deleteObject:`() throws {
    let new = try people.insert(newPerson)
    let key = try #require(new.id)
    #expect(try people.exists(key))
    try edited.delete(new)
    #expect(try people.count() == 6 && edited.count() == 5)
    try work.commit()
    #expect(try people.count() == 5)
  }

  @Test func `1C findObjectById:`() throws {
    #expect(try people.find(id).email == email)
    #expect(problem { try people.find(99) } == "notFound")
  }

  @Test func `1C refreshObject:mergeChanges:`() throws {
    var mine = person
    mine.age = 40
    try edited.update(mine)
    try people.update(.where { $0.id == id }, set: .set(\.city, to: "Praha"))
    #expect(try people.refresh(person).city == "Praha")
    try work.refresh(mine, keeping: .mine)
    let merged = try edited.find(id)
    #expect(merged.age == 40 && merged.city == "Praha")
    try work.commit()
    #expect(try people.find(id).age == 40)
  }

  @Test func `1C newFetchedResultsController:`() async throws {
    #expect(try await first(of: people.fetchedResults(criteria, sections: \.city))?.sections.count == 3)
    let error = await #expect(throws: DAOError.self) { try await first(of: people.fetchedResults(.all, sections: \.city)) }
    #expect(error.map { "\($0)".contains("order") } == true)
  }

  @Test func `1C Interceptor`() throws {
    let czech = factory.dao(CzechDAO.init)
    #expect(keys(try czech.findAll(criteria)) == [5, 1, 3])
    #expect(keys(try people.findAll(criteria)).count == 5)
    // Each query calls it once, with the criteria that the query got and not with those that a query before it was refined to.
    let counting = factory.dao(CountingDAO.init)
    let three = criteria.limit(3)
    #expect(keys(try counting.findAll(three)) == [5, 1, 3] && counting.limits.texts == ["3"])
    #expect(try counting.findFirst(three)?.id == 5 && counting.count(three) == 3 && counting.exists(three))
    #expect(try counting.findAllIDs(three) == [5, 1, 3] && counting.distinctValues(of: \.city, matching: three).count == 2)
    #expect(counting.limits.texts == ["3", "1", "3", "3", "3", "3"])
    #expect(try three.criteria.filter == criteria.criteria.filter && counting.find(2).id == 2)
    #expect(counting.limits.texts.count == 6)
    // A find by key is no query; a scope governs it too.
    #expect(try czech.find(2).id == 2)
    let living = factory.dao(LivingDAO.init)
    #expect(problem { try living.find(2) } == "notFound")
    #expect(try living.delete(.where { $0.age > 0 }) == 2)
    #expect(try people.count() == 3)
  }

  @Test func `1C Threading`() async throws {
    let people = people
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await people.findAll().count } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(counts == [5])
    #expect(try syncly { try withDeadline(.seconds(600)) { try people.findAll().count } } == 5)
    // The deadline ends while another call has the connection.
    let (gate, begun) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
    let factory = factory
    let holder = Task {
      try await factory.write { _ in
        begun.continuation.finish()
        gate.wait()
      }
    }
    for await _ in begun.stream {}
    #expect(syncly { problem { try withDeadline(.milliseconds(1)) { try people.findAll() } } } == "timedOut")
    gate.signal()
    try await holder.value
    #expect(try await people.findAll().count == 5)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await people.findAll()
    }
    await #expect(throws: (any Error).self) { try await task.value }
  }
}
