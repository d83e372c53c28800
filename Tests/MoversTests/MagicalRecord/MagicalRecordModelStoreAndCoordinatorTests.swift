import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Model, store and coordinator”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordModelStoreAndCoordinatorTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_defaultManagedObjectModel`() throws {
    let statements = try SchemaSQL.statements(for: [Person.entityDescription, Company.entityDescription])
    #expect(statements.contains { $0.contains("CREATE TABLE") })
  }

  @Test func `MR_defaultPersistentStore`() throws {
    let other = DAOFactory(over: factory.store)
    #expect(try other.runtimeDAO(Person.self).count() == 5)
  }

  @Test func `MR_defaultLocalStoreUrl`() throws {
    let factory = try fileFactory()
    let file = factory.report?.store
    #expect(file?.lastPathComponent == "store.sqlite")
  }

  @Test func `MR_coordinatorWithInMemoryStore`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Person.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 0)
  }

  @Test func `MR_coordinatorWithSqliteStoreNamed:`() throws {
    let factory = try DAOFactory(store: .file(url, migration: .automatic), entities: Person.self)
    #expect(factory.report?.outcome == .created)
  }

  @Test func `MR_addInMemoryStore`() throws {
    let archive = try DAOFactory(store: .file(url), entities: Person.self)
    #expect(try archive.runtimeDAO(Person.self).count() == 0)
  }
}
