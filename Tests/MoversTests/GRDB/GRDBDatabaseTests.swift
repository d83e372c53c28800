import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-grdb.md, section “The database”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBDatabaseTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `DatabaseQueue.inMemoryCopy(fromPath:)`() throws {
    try fileFactory().backUp(to: url)
    let factory = try DAOFactory(store: .inMemory(seed: .file(url)), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 5)
  }

  @Test func `read(_:)`() throws {
    let count = try factory.read { session in try session.runtimeDAO(Person.self).count() }
    #expect(count == 5)
  }

  @Test func `writeWithoutTransaction(_:)`() throws {
    let person = newPerson
    try people.insert(person)
    #expect(try people.count() == 6)
  }

  @Test func `db.inTransaction(_:_:)`() throws {
    try factory.write { session in try session.runtimeDAO(Person.self).delete(id) }
    #expect(try !people.exists(id))
  }

  @Test func `db.inSavepoint(_:)`() throws {
    try factory.write { session in try session.write { inner in try inner.runtimeDAO(Person.self).delete(id) } }
    #expect(try !people.exists(id))
  }

  @Test func `makeSnapshot()`() async throws {
    for try await person in people.stream(.all.order(by: \.id)) { print(person.email) }
    #expect(printed.count == 5 && printed.first == email)
  }

  @Test func `interrupt()`() throws {
    let found = try withDeadline(.seconds(1)) { try people.findAll(criteria) }
    #expect(found.count == 5)
  }

  @Test func `vacuum()`() throws {
    let factory = try fileFactory()
    let freed = try factory.compact().freed
    #expect(freed >= 0)
  }

  @Test func `db.trace(options:_:)`() throws {
    let factory = try DAOFactory(store: store, entities: Person.self, Company.self) { statement in print(statement.sql, statement.duration)
    }
    #expect(try factory.runtimeDAO(Person.self).count() == 0)
    #expect(!printed.isEmpty)
  }

  @Test func `Configuration.observesSuspensionNotifications`() throws {
    try withNamedStore {
      let suspension = Suspension()
      let store = StoreDescription.named("people").following(suspension)
      let factory = try DAOFactory(store: store, entities: Person.self, Company.self)
      try suspension.suspend()
      #expect(problem { try factory.runtimeDAO(Person.self).count() }?.contains("suspended") == true)
      suspension.resume()
      #expect(try factory.runtimeDAO(Person.self).count() == 0)
    }
  }

  @Test func `db.tableExists(_:)`() throws {
    let entity = try factory.entity(named: "person")
    print(entity.attributes, entity.keyAttributes, entity.relationships)
    #expect(printed.count == 1)
  }

  @Test func `db.checkForeignKeys()`() throws {
    let findings = try factory.examine().findings.filter { $0.kind == .foreignKey }
    #expect(findings.isEmpty)
  }

  @Test func `dumpContent()`() throws {
    let json = try people.exported(criteria, as: .json)
    #expect(!json.isEmpty)
  }
}
