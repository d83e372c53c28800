import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.1 of Documentation/behaviours.md. A test is named after its row: the section's number, a space, the first cell.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordStackRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1A.1 setupCoreDataStack`() throws {
    try withNamedStore {
      let factory = try DAOFactory(store: .named("people"), entities: Person.self, Company.self)
      #expect(factory.report?.store?.lastPathComponent == "people.sqlite")
      // It is nobody's default.
      #expect(try Person.count() == 5)
      #expect(try factory.runtimeDAO(Person.self).count() == 0)
    }
  }

  @Test func `1A.1 setupCoreDataStackWithStoreNamed: / …AtURL:`() throws {
    let first = try fileFactory()
    let second = try DAOFactory(store: .file(url), entities: Person.self, Company.self)
    #expect(try first.runtimeDAO(Person.self).count() == 5)
    #expect(try second.runtimeDAO(Person.self).count() == 0)
    #expect(first.report?.store != second.report?.store)
  }

  @Test func `1A.1 setupAutoMigratingCoreDataStack and the others`() throws {
    try makeOldStore()
    let old = try DAOFactory(store: .file(url), describedBy: [])
    try old.runtimeDAO("person").execute("INSERT INTO person (id) VALUES (7)")
    try old.close()
    // The row has no email, which the entity requires: nothing is done, and everything is named.
    let error = #expect(throws: DAOError.self) {
      try DAOFactory(store: .file(url, migration: .automatic), entities: Person.self, Company.self)
    }
    guard case .migration(_, let problems)? = error else {
      Issue.record("another error, or none")
      return
    }
    #expect(problems.count > 1)
    #expect(try DAOFactory(store: .file(url), describedBy: []).runtimeDAO("person").count() == 1)
    let hints = Migration(
      .fill(Person.self, \.email, with: "a@example.org"), .fill(Person.self, \.lastName, with: "Lee"),
      .fill(Person.self, \.firstName, with: "Ann"), .fill(Person.self, \.age, with: 30))
    let factory = try DAOFactory(store: .file(url, migration: hints), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).find(7).firstName == "Ann")
  }

  @Test func `1A.1 setupCoreDataStackWithInMemoryStore`() throws {
    #expect(try people.count() == 5)
    try factory.close()
    #expect(throws: DAOError.self) { try factory.reopen() }
    #expect(problem { try people.count() } == "closed")
  }

  @Test func `1A.1 Store location`() throws {
    try withNamedStore {
      let place = try DAOFactory(store: .named("people"), entities: Person.self, Company.self).report?.store
      let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      let support = try #require(FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first)
      let expected = support.appendingPathComponent(program).appendingPathComponent("people.sqlite").resolvingSymlinksInPath()
      #expect(place?.path == expected.path)
    }
    let below = world.folder.appendingPathComponent("a/b/people.sqlite")
    #expect(try DAOFactory(store: .file(below), entities: Person.self, Company.self).report?.outcome == .created)
    #expect(throws: DAOError.self) {
      try DAOFactory(store: .file(below.appendingPathComponent("store.sqlite")), entities: Person.self, Company.self)
    }
  }

  @Test func `1A.1 Add-store failure`() throws {
    try Data("no database".utf8).write(to: url)
    let error = #expect(throws: DAOError.self) { try DAOFactory(store: .file(url), entities: Person.self, Company.self) }
    guard case .bootstrap(let problem)? = error else {
      Issue.record("another error, or none")
      return
    }
    #expect(problem.path.hasSuffix("people.sqlite"))
    #expect(try Data(contentsOf: url) == Data("no database".utf8))
  }

  @Test func `1A.1 Erase-on-mismatch`() throws {
    try makeOldStore()
    let old = try DAOFactory(store: .file(url), describedBy: [])
    try old.runtimeDAO("person").execute("INSERT INTO person (id) VALUES (7)")
    try old.close()
    #expect(throws: DAOError.self) { try DAOFactory(store: .file(url), entities: Person.self, Company.self) }
    let factory = try DAOFactory(store: .file(url, mismatch: .erase), entities: Person.self, Company.self)
    let report = try #require(factory.report)
    guard case .erased(let differences) = report.outcome else {
      Issue.record("\(report)")
      return
    }
    #expect(!differences.isEmpty && !report.erased.isEmpty)
    // The new store is empty, and the old one is kept with its rows.
    #expect(try factory.runtimeDAO(Person.self).count() == 0)
    #expect(report.erased.count == 1)
    let kept = try DAOFactory(store: .file(report.erased[0]), describedBy: [])
    #expect(try kept.runtimeDAO("person").query("SELECT id FROM person") { row in try row.next(Int.self) } == [7])
    try kept.close()
    try report.removeErased()
    #expect(report.erased.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    try factory.close()
    // A store of a later version is not erased.
    let later = try DAOFactory(store: .file(storeURL, version: 3), entities: Badge.self)
    try later.close()
    let before = try Data(contentsOf: storeURL)
    let erasing = StoreDescription.file(storeURL, mismatch: .erase, version: 2)
    #expect(problem { try DAOFactory(store: erasing, entities: Person.self, Company.self) } == "bootstrap")
    #expect(try Data(contentsOf: storeURL) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path).allSatisfy { !$0.contains("store.sqlite.erased") })
    // What is no store is not erased.
    try Data("no database".utf8).write(to: url)
    #expect(throws: DAOError.self) { try DAOFactory(store: .file(url, mismatch: .erase), entities: Person.self, Company.self) }
    #expect(try Data(contentsOf: url) == Data("no database".utf8))
  }

  @Test func `1A.1 setDefaultModelNamed: / …FromClass:`() throws {
    #expect(try factory.store.entities().map(\.name).sorted() == ["company", "person"])
    let described = try DAOFactory(store: .inMemory(), describedBy: [Person.entityDescription, Company.entityDescription])
    #expect(try described.runtimeDAO("person").count() == 0)
  }

  @Test func `1A.1 cleanUp`() throws {
    let factory = try fileFactory()
    let people = factory.runtimeDAO(Person.self)
    try factory.close()
    #expect(problem { try people.count() } == "closed")
    #expect(FileManager.default.fileExists(atPath: storeURL.path))
    try factory.reopen()
    #expect(try people.count() == 5)
  }

  @Test func `1A.1 currentStack`() throws {
    let factory = try fileFactory()
    #expect(factory.report?.outcome == .created)
    let examined = try factory.examine()
    #expect(examined.isHealthy && examined.facts?.rowCounts["person"] == 5)
  }

  @Test func `1A.1 Coordinator helpers`() throws {
    let file = try fileFactory()
    try file.backUp(to: url)
    let memory = try DAOFactory(store: .inMemory(), entities: Person.self, Company.self)
    #expect(try file.runtimeDAO(Person.self).count() == 5)
    #expect(try memory.runtimeDAO(Person.self).count() == 0)
    let inPlace = try DAOFactory(store: .inPlace(.file(url)), entities: Person.self, Company.self)
    #expect(try inPlace.runtimeDAO(Person.self).count() == 5)
    #expect(throws: DAOError.self) { try inPlace.runtimeDAO(Person.self).delete(1) }
  }

  @Test func `1A.1 Seed store copy`() throws {
    let store = StoreDescription.file(url, seed: .resource("people.sqlite", in: .module))
    let factory = try DAOFactory(store: store, entities: Person.self, Company.self)
    #expect(factory.report?.outcome == .copied)
    #expect(try factory.runtimeDAO(Person.self).delete(1))
    try factory.close()
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).runtimeDAO(Person.self).count() == 4)
  }
}
