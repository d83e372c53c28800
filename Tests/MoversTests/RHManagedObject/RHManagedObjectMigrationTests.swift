import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “Migration”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectMigrationTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+doesRequireMigrationWithError:`() throws {
    let isDue = try store.requiresMigration(Person.self, Company.self)
    #expect(!isDue)
  }
}
