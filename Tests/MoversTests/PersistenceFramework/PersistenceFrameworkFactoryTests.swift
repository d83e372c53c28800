import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-coredata-persistence-framework.md, section “The factory”.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkFactoryTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+setStoreOptions:`() throws {
    let store = StoreDescription.file(url, version: 2, migration: .automatic)
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).report?.storeVersion == 2)
  }

  @Test func `(copy of the shipped database, named like the store)`() throws {
    let store = StoreDescription.file(url, seed: .resource("people.sqlite", in: .module, requiresManifest: true))
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).report?.outcome == .copied)
  }

  @Test func `-newDAO:`() throws {
    let people = factory.dao(PersonDAO.init)
    #expect(try people.count() == 5)
  }

  @Test func `-newRuntimeDAO:`() throws {
    let named = try factory.runtimeDAO("person")
    #expect(try named.count() == 5)
  }

  @Test func `-undo`() throws {
    try edited.delete(4)
    try work.undo()
    try work.redo()
    #expect(try !edited.exists(4))
  }

  @Test func `-undo, 2`() throws {
    try work.limitUndo(to: 20)
    for key in [1, 2, 3] as [Int64] { try edited.delete(key) }
    #expect(try work.undoNames.count == 3)
  }
}
