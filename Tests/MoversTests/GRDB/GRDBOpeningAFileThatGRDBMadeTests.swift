import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-grdb.md, section “Opening a file that GRDB made”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBOpeningAFileThatGRDBMadeTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `DATETIME`() throws {
    try makeGRDBStore()
    let migration = Migration(.convert(Person.self, \.born, by: grdbDate))
    let factory = try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).findFirst()?.born == Date(timeIntervalSince1970: 86_400))
  }

  @Test func `grdb_migrations`() throws {
    try makeStore(withTable: "grdb_migrations")
    let migration = Migration(.dropTable("grdb_migrations"))
    let factory = try DAOFactory(store: .file(url, migration: migration), entities: Person.self, Company.self)
    #expect(try factory.store.entities().count == 2)
  }
}
