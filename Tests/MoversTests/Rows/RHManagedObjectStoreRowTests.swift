import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// Section 1B of Documentation/behaviours.md: stores and lists.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectStoreRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  /// Makes a seed that does not fit the entities.
  private func makeOldSeed() throws -> SeedSource {
    let seed = world.folder.appendingPathComponent("old seed.sqlite")
    let old = EntityDescription("person", key: .generated("id"), attributes: [Attribute("id", .integer)])
    try DAOFactory(store: .inMemory(), describedBy: [old]).backUp(to: seed)
    return .file(seed)
  }

  @Test func `1B +modelName`() throws {
    try withNamedStore {
      let factory = try DAOFactory(store: .named("people"), entities: Person.self, Company.self)
      #expect(factory.report?.store?.lastPathComponent == "people.sqlite")
    }
    #expect(throws: DAOError.self) { try DAOFactory(store: .named("../people"), entities: Person.self) }
    #expect(throws: DAOError.self) { try DAOFactory(store: .named(""), entities: Person.self) }
  }

  @Test func `1B +entityName`() {
    #expect(Person.entityDescription.name == "person" && Employee.entityDescription.name == "staff")
  }

  @Test func `1B Multi-model`() throws {
    let first = try fileFactory()
    let second = try DAOFactory(store: .file(url), entities: Badge.self)
    #expect(try first.store.entities().map(\.name).sorted() == ["company", "person"])
    #expect(try second.store.entities().map(\.name) == ["badge"])
    try second.close()
    #expect(try first.runtimeDAO(Person.self).count() == 5)
  }

  @Test func `1B Opening`() throws {
    try makeOldStore()
    let before = try Data(contentsOf: url)
    #expect(throws: DAOError.self) { try DAOFactory(store: .file(url), entities: Person.self, Company.self) }
    #expect(try Data(contentsOf: url) == before)
    let factory = try DAOFactory(store: .file(url, migration: .automatic), entities: Person.self, Company.self)
    #expect(factory.report?.migration != nil)
  }

  @Test func `1B Seed copy`() throws {
    // The source is in use, and its rows are still in its WAL.
    let source = try fileFactory()
    #expect(FileManager.default.fileExists(atPath: storeURL.path + "-wal"))
    let store = StoreDescription.file(url, seed: .file(storeURL))
    let factory = try DAOFactory(store: store, entities: Person.self, Company.self)
    #expect(try factory.runtimeDAO(Person.self).count() == 5)
    try factory.runtimeDAO(Person.self).delete(1)
    try factory.close()
    // Never over a store that is there.
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).runtimeDAO(Person.self).count() == 4)
    let again = try DAOFactory(store: store, entities: Person.self, Company.self)
    try again.destroy()
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try again.reopen()
    #expect(try again.runtimeDAO(Person.self).count() == 5)
    try source.close()
    // What a killed start left is cleared, and a seed of an older form is migrated.
    let migrated = world.folder.appendingPathComponent("migrated.sqlite")
    for name in ["migrated.sqlite.incoming", "migrated.sqlite.incoming-wal", "migrated.sqlite.outgoing"] {
      try Data("SQLite".utf8).write(to: world.folder.appendingPathComponent(name))
    }
    let copy = try DAOFactory(store: .file(migrated, seed: makeOldSeed(), migration: .automatic), entities: Person.self, Company.self)
    #expect(copy.report?.outcome == .copied && copy.report?.migration != nil)
    #expect(try copy.runtimeDAO(Person.self).insert(newPerson).id == 1)
    try copy.close()
    let left = try FileManager.default.contentsOfDirectory(atPath: world.folder.path).filter { $0.hasPrefix("migrated.sqlite") }
    #expect(left == ["migrated.sqlite"])
    let missing = StoreDescription.file(world.folder.appendingPathComponent("b.sqlite"), seed: .resource("none.sqlite", in: .module))
    #expect(throws: DAOError.self) { try DAOFactory(store: missing, entities: Person.self, Company.self) }
  }

  @Test func `1B doesRequireMigrationWithError:`() throws {
    let store = StoreDescription.file(url, migration: .automatic)
    #expect(try !store.requiresMigration(Person.self, Company.self))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try makeOldStore()
    let before = try Data(contentsOf: url)
    #expect(try store.requiresMigration(Person.self, Company.self))
    #expect(try Data(contentsOf: url) == before)
    try DAOFactory(store: store, entities: Person.self, Company.self).close()
    #expect(try !store.requiresMigration(Person.self, Company.self))
    // An open store is asked too.
    let open = try DAOFactory(store: store, entities: Person.self, Company.self)
    #expect(try !store.requiresMigration(Person.self, Company.self) && store.requiresMigration(Badge.self))
    #expect(try open.runtimeDAO(Person.self).count() == 0)
    try open.destroy()
    // A seed of an older form that was not copied yet is not considered.
    let seeded = try StoreDescription.file(url, seed: makeOldSeed(), migration: .automatic)
    #expect(try !seeded.requiresMigration(Person.self, Company.self))
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try DAOFactory(store: seeded, entities: Person.self, Company.self).report?.migration != nil)
    try seeded.destroy()
    try Data("no database".utf8).write(to: url)
    #expect(throws: DAOError.self) { try store.requiresMigration(Person.self, Company.self) }
  }

  @Test func `1B deleteStore`() throws {
    let factory = try fileFactory()
    #expect(throws: DAOError.self) { try store.destroy(within: .milliseconds(100)) }
    #expect(FileManager.default.fileExists(atPath: storeURL.path))
    try factory.destroy()
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path).allSatisfy { !$0.hasPrefix("store.sqlite") })
    try Data("no database".utf8).write(to: storeURL)
    #expect(throws: DAOError.self) { try store.destroy() }
  }

  @Test func `1B entities, storePath, … directories`() throws {
    let factory = try fileFactory()
    #expect(try factory.store.entities().map(\.name).sorted() == ["company", "person"])
    #expect(factory.report?.store?.lastPathComponent == "store.sqlite")
  }

  @Test func `1B RHFetchedResultsManager`() async throws {
    let orders = SearchCriteria<Person>.all.order(by: .descending(\.city), .ascending(\.lastName))
    var lists = people.fetchedResults(orders, sections: .substring(\.lastName, from: 0, size: 1)).makeAsyncIterator()
    let list = try #require(try await lists.next())
    #expect(list.sections.map(\.name).sorted() == ["B", "L", "M", "N", "n"])
    try syncly {
      try factory.write { _ = try $0.runtimeDAO(Person.self).update(.where { $0.id == 2 }, set: .set(\.lastName, to: "Zeman")) }
    }
    let changed = try #require(try await lists.next())
    let changes = try #require(changed.changes)
    #expect(changes.insertedSections.count == 1 && changes.deletedSections.count == 1)
  }

  @Test func `1B RHCoreDataTableViewController`() async throws {
    var lists = people.fetchedResults(criteria, reloadingAbove: 2).makeAsyncIterator()
    _ = try await lists.next()
    try syncly { try factory.write { _ = try $0.runtimeDAO(Person.self).delete([1, 2]) } }
    let few = try #require(try await lists.next())
    #expect(few.changes?.deleted.count == 2)
    try syncly { try factory.write { _ = try $0.runtimeDAO(Person.self).delete([3, 4, 5]) } }
    let many = try #require(try await lists.next())
    #expect(many.isEmpty && many.changes == nil)
    // A section that comes, or one that goes, has nothing reloaded, and its rows are not named beside it.
    var sections = people.fetchedResults(.all.order(by: \.id), sections: \.city).makeAsyncIterator()
    _ = try await sections.next()
    try syncly { try people.insert(newPerson) }
    let new = try #require(try await sections.next()?.changes)
    #expect(new.insertedSections == [0] && new.inserted.isEmpty)
    try syncly { try people.delete(.where { $0.city == city }) }
    let gone = try #require(try await sections.next()?.changes)
    #expect(gone.deletedSections == [0] && gone.deleted.isEmpty)
  }

  @Test func `1B RHCoreDataCollectionViewController`() async throws {
    var lists = people.fetchedResults(.all.order(by: \.id), sections: \.city).makeAsyncIterator()
    _ = try await lists.next()
    try syncly { try factory.write { _ = try $0.runtimeDAO(Person.self).delete(3) } }
    // The section goes, and its row is not named beside it.
    let changes = try #require(try await lists.next()?.changes)
    #expect(changes.deletedSections == [2] && changes.deleted.isEmpty)
    // Rows of other sections come and go in the same batch.
    try syncly {
      try factory.write { session in
        let people = session.runtimeDAO(Person.self)
        try people.insert(newPerson)
        try people.update(.where { $0.id == 5 }, set: .set(\.city, to: "Praha"))
        try people.update(.where { $0.id == 4 }, set: .set(\.city, to: "Praha"))
      }
    }
    let both = try #require(try await lists.next()?.changes)
    #expect(both.insertedSections == [2] && both.inserted == [[0, 1] as IndexPath] && both.deleted.count == 2)
    // The last row that goes and the first one that comes have nothing reloaded.
    var list = people.fetchedResults(.where { $0.lastName == "Moser" }.order(by: \.id)).makeAsyncIterator()
    _ = try await list.next()
    try syncly { try people.delete(4) }
    #expect(try await list.next()?.changes?.deleted == [[0, 0] as IndexPath])
    try syncly { try people.insert(Person(email: "new", lastName: "Moser", firstName: "Jo", age: 20)) }
    #expect(try await list.next()?.changes?.inserted == [[0, 0] as IndexPath])
  }
}
