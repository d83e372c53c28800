import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-grdb.md, section “Migrations and schema”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBMigrationsAndSchemaTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `migrate(_:)`() throws {
    try makeOldStore()
    let factory = try DAOFactory(store: .file(url, version: 2, migration: .automatic), entities: Person.self, Company.self)
    #expect(factory.report?.storeVersion == 2)
  }

  @Test func `hasBeenSuperseded(_:)`() throws {
    try DAOFactory(store: .file(storeURL, version: 3), entities: Person.self, Company.self).close()
    do { _ = try DAOFactory(store: store, entities: Person.self, Company.self) } catch DAOError.bootstrap(let problem)
      where problem.kind == .newerVersion
    { print(problem) }
    #expect(printed.count == 1)
  }

  @Test func `eraseDatabaseOnSchemaChange`() throws {
    try makeOldStore()
    let store = StoreDescription.file(url, mismatch: .erase)
    guard case .erased? = try DAOFactory(store: store, entities: Person.self, Company.self).report?.outcome else {
      Issue.record("not erased")
      return
    }
  }

  @Test func `db.alter(table:body:)`() throws {
    try makeOtherStore(age: .integer)
    let migration = Migration(.fill(Person.self, \.age, with: 0), .drop("person", "fax"))
    let factory = try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).findFirst()?.age == 31)
  }

  @Test func `db.drop(table:)`() throws {
    try makeStore(withTable: "fax")
    let migration = Migration(.dropTable("fax"))
    let factory = try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.store.entities().count == 2)
  }

  @Test func `(none)`() throws {
    let statements = try SchemaSQL.statements(for: [Person.entityDescription])
    #expect(statements.contains { $0.contains("CREATE TABLE") })
  }
}
