import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-core-data.md, section “The context”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataContextTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `change of a property`() throws {
    var changed = person
    changed.age = 32
    try people.update(changed)
    #expect(try people.find(id).age == 32)
  }

  @Test func `change of a property as a one-liner`() throws {
    var changed = person
    changed.age = 32
    try changed.save()
    #expect(try people.find(id).age == 32)
  }

  @Test func `hasChanges`() throws {
    try edited.insert(newPerson)
    let changes = try work.changes
    print(try changes.of(Person.self).inserted)
    #expect(printed.count == 1)
  }

  @Test func `refreshAllObjects()`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.age, to: 50))
    try work.refresh(keeping: .theirs)
    #expect(try edited.find(id).age == 50)
  }

  @Test func `NSManagedObjectID`() throws {
    let key = person.id
    #expect(key == 1)
  }

  @Test func `perform(_:)`() async throws {
    let count = try await factory.read { session in try session.runtimeDAO(Person.self).count() }
    #expect(count == 5)
  }

  @Test func `mergePolicy`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.age, to: 50))
    try work.commit(resolving: .keepMine)
    #expect(try people.find(id).age == 40)
  }

  @Test func `mergePolicy, 2`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 41))
    try people.update(.where { $0.id == id }, set: .set(\.age, to: 51))
    try work.commit(resolving: .takeTheirs)
    #expect(try people.find(id).age == 51)
  }

  @Test func `detectConflicts(for:)`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.age, to: 50))
    let conflicts = try work.preview().conflicts
    #expect(conflicts.count == 1)
  }

  @Test func `NSMergeConflict`() throws {
    do { try people.update(person) } catch DAOError.conflict(let conflict) { print(conflict.attributes) }
    #expect(printed.isEmpty)
  }

  @Test func `setQueryGenerationFrom(_:)`() throws {
    let both = try factory.read { session in (try session.runtimeDAO(Person.self).count(), try session.runtimeDAO(Company.self).count()) }
    #expect(both.0 == 5 && both.1 == 3)
  }

  @Test func `execute(_:)`() throws {
    let changed = try people.execute("UPDATE person SET age = age + 1 WHERE city = \(city)")
    #expect(changed == 2)
  }

  @Test func `NSManagedObjectContextDidSave`() async throws {
    try await untilPrinted {
      for await change in try factory.changes(of: Person.self) { print(change[Person.self].updated) }
    } change: {
      try makeOlder()
    }
  }
}
