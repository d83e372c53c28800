import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “The context manager”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectContextManagerTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+sharedInstanceWithModelName:`() throws {
    try withNamedStore {
      let factory = try DAOFactory(
        store: .named("people", seed: .resource("people.sqlite", in: .module), migration: .automatic), entities: Person.self, Company.self)
      #expect(try factory.runtimeDAO(Person.self).count() == 5)
    }
  }

  @Test func `-deleteStoreFiles:`() throws {
    try fileFactory().close()
    try store.destroy()
    #expect(!FileManager.default.fileExists(atPath: storeURL.path))
  }

  @Test func `-pendingChangesCountWithError:`() throws {
    try edited.delete(4)
    let count = try work.changes.rows.count
    #expect(count == 1)
  }

  @Test func `RHWillMassUpdateNotification`() async throws {
    let lists = people.fetchedResults(criteria, reloadingAbove: 10)
    #expect(try await first(of: lists)?.count == 5)
  }

  @Test func `-entities`() throws {
    let entities = try factory.store.entities()
    #expect(entities.map(\.name).sorted() == ["company", "person"])
  }

  @Test func `-applicationDocumentsDirectory`() throws {
    let store = StoreDescription.file(url)
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).report?.outcome == .created)
  }
}
