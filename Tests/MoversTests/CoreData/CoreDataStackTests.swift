import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-core-data.md, section “The stack”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataStackTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `NSPersistentStoreDescription(url:)`() throws {
    let memory = StoreDescription.inMemory()
    #expect(try DAOFactory(store: memory, entities: Person.self, Company.self).report?.outcome == .created)
  }

  @Test func `isReadOnly`() throws {
    try fileFactory().backUp(to: url)
    let factory = try DAOFactory(store: .inPlace(.file(url)), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 5)
    #expect(throws: DAOError.self) { try factory.runtimeDAO(Person.self).delete(id) }
  }

  @Test func `shouldMigrateStoreAutomatically`() throws {
    try makeOldStore()
    let store = StoreDescription.file(url, migration: .automatic)
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).report?.migration != nil)
  }

  @Test func `shouldAddStoreAsynchronously`() async throws {
    let factory = try await Task.detached { try DAOFactory(store: store, entities: Person.self, Company.self) }.value
    #expect(factory.report?.outcome == .created)
  }

  @Test func `NSPersistentHistoryTrackingKey`() async throws {
    let before = printed.count
    let changes = try factory.changes(of: Person.self)
    let task = Task { for await change in changes { print(change) } }
    try await waitForPrint(after: before, change: makeOlder)
    task.cancel()
  }

  @Test func `addPersistentStore(ofType:configurationName:at:options:)`() throws {
    let archive = try DAOFactory(store: .file(url), entities: Person.self, Company.self)
    #expect(try archive.runtimeDAO(Person.self).count() == 0)
  }

  @Test func `replacePersistentStore(at:withPersistentStoreFrom:)`() throws {
    try makeOldStore()
    let store = StoreDescription.file(url, seed: .resource("people.sqlite", in: .module), policy: .replace)
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).runtimeDAO(Person.self).count() == 5)
  }

  @Test func `replacePersistentStore(at:withPersistentStoreFrom:), 2`() throws {
    let factory = try DAOFactory(store: .file(url, seed: .resource("people.sqlite", in: .module)), entities: Person.self, Company.self)
    try factory.runtimeDAO(Person.self).delete(id)
    try factory.resetToSeed()
    #expect(try factory.runtimeDAO(Person.self).count() == 5)
  }

  @Test func `migratePersistentStore(_:to:options:type:)`() throws {
    try factory.backUp(to: url)
    #expect(try DAOFactory(store: .file(url), entities: Person.self, Company.self).runtimeDAO(Person.self).count() == 5)
  }
}
