import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Migrations”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmMigrationsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `migration.enumerateObjects(ofType:_:)`() throws {
    try makeOtherStore()
    let migration = Migration(.convert(Person.self, \.age) { if case .text(let text) = $0 { Int(text) ?? 0 } else { 0 } })
    let factory = try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).findFirst()?.age == 31)
  }

  @Test func `migration.create(_:value:)`() throws {
    try DAOFactory(store: .file(url, version: 1), entities: Person.self, Company.self).close()
    let migration = Migration(steps: [
      .after(2, "first company") { store in _ = try store.execute("INSERT INTO company (name) VALUES ('Acme')") }
    ])
    let factory = try DAOFactory(store: .file(url, version: 2, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Company.self).count() == 1)
  }

  @Test func `oldSchemaVersion`() throws {
    let factory = try fileFactory()
    let version = factory.report?.storeVersion
    #expect(version == 2)
  }
}
