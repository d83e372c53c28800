import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Logging
import Testing

/// The code of Documentation/from-magicalrecord.md, section “The stack”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordStackTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `setupCoreDataStack`() throws {
    try withNamedStore {
      let factory = try DAOFactory(store: .named("people"), entities: Person.self, Company.self)
      #expect(try factory.runtimeDAO(Person.self).count() == 0)
    }
  }

  @Test func `setupCoreDataStackWithStoreAtURL:`() throws {
    let factory = try DAOFactory(store: .file(url), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 0)
  }

  @Test func `setupAutoMigratingCoreDataStack`() throws {
    try makeOldStore()
    let factory = try DAOFactory(store: .file(url, migration: .automatic), entities: Person.self, Company.self)
    #expect(factory.report?.migration != nil)
  }

  @Test func `setupCoreDataStackWithInMemoryStore`() throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 0)
  }

  @Test func `a store that ships with the app (MagicalRecord has none)`() throws {
    let factory = try DAOFactory(store: .file(url, seed: .resource("people.sqlite", in: .module)), entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 5)
  }

  @Test func `cleanUp`() throws {
    try factory.close()
    #expect(throws: DAOError.self) { try people.count() }
  }

  @Test func `kMagicalRecordCleanedUpNotification`() async throws {
    let factory = try fileFactory()
    try await untilPrinted {
      for await change in try factory.changes(of: Person.self) where change.needsReload { print(change) }
    } change: {
      try factory.close()
      try factory.reopen()
    }
  }

  @Test func `currentStack`() throws {
    let factory = try fileFactory()
    if let report = factory.report { print(report) }
    #expect(printed.count == 1)
  }

  @Test func `currentStack, 2`() throws {
    print(try factory.examine())
    #expect(printed.count == 1)
  }

  @Test func `setDefaultModelFromClass:`() throws {
    let factory = try DAOFactory(store: store, entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 0)
  }

  @Test func `shouldDeleteStoreOnModelMismatch`() throws {
    try makeOldStore()
    let factory = try DAOFactory(store: .file(url, mismatch: .erase), entities: Person.self, Company.self)
    guard case .erased? = factory.report?.outcome else {
      Issue.record("not erased")
      return
    }
  }

  @Test func `kMagicalRecordPSCMismatchWillDeleteStore`() throws {
    try makeOldStore()
    let factory = try DAOFactory(store: .file(url, mismatch: .erase), entities: Person.self, Company.self)
    if case .erased(let differences)? = factory.report?.outcome { print(differences) }
    #expect(printed.count == 1)
  }

  @Test func `kMagicalRecordPSCMismatchWillDeleteStore, 2`() throws {
    try makeOldStore()
    let factory = try DAOFactory(store: .file(url, mismatch: .erase), entities: Person.self, Company.self)
    let kept = factory.report?.erased ?? []
    try factory.report?.removeErased()
    #expect(!kept.isEmpty && kept.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
  }

  @Test func `loggingLevel`() throws {
    let factory = try DAOFactory(store: store, entities: Person.self, log: StoreLog(Logger(label: "people")))
    #expect(factory.report != nil)
  }

  @Test func `handleErrors:`() throws {
    do { try people.insert(person) } catch let error as DAOError { print(error) }
    #expect(printed.count == 1)
  }
}
