import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-core-data.md, section “History and migration”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataHistoryAndMigrationTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `NSPersistentHistoryChangeRequest`() async throws {
    try await untilPrinted {
      for await change in try factory.changes(of: Person.self, attributes: true) { print(change[Person.self].updatedAttributes ?? []) }
    } change: {
      try makeOlder()
    }
  }

  @Test func `NSMappingModel`() throws {
    try makeOtherStore()
    let migration = Migration(
      .fill(Person.self, \.age, with: 0), .convert(Person.self, \.age) { if case .text(let text) = $0 { Int(text) ?? 0 } else { 0 } },
      .drop("person", "fax"))
    let factory = try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).findFirst()?.age == 31)
  }

  @Test func `NSStagedMigrationManager`() throws {
    let old = try DAOFactory(store: .file(url, version: 1), entities: Person.self, Company.self)
    try old.runtimeDAO(Person.self).insert(Person(email: email, lastName: " Lee ", firstName: "Ann", age: 31))
    try old.close()
    let migration = Migration(steps: [
      .before(2, "trim names") { store in _ = try store.execute("UPDATE person SET lastName = trim(lastName)") }
    ])
    let factory = try DAOFactory(store: .file(url, version: 2, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).findFirst()?.lastName == "Lee")
  }

  @Test func `NSMigrationManager.migrationProgress`() throws {
    try makeOldStore()
    let migration = Migration(progress: { print($0.number, $0.count, $0.step) })
    #expect(try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self).report?.migration != nil)
    #expect(!printed.isEmpty)
  }

  @Test func `(none)`() throws {
    try makeOldStore()
    let store = StoreDescription.file(url, migration: .automatic)
    let report = try store.rehearseMigration(Person.self, Company.self)
    #expect(report?.steps.isEmpty == false)
  }
}
