import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-core-data.md, section “The object”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataObjectTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `objectID`() throws {
    let key = person.primaryKey
    #expect(key == 1)
  }

  @Test func `value(forKey:)`() throws {
    var row = try factory.runtimeDAO("person").find(.integer(id))
    row["age"] = 32
    try factory.runtimeDAO("person").update(row)
    #expect(try people.find(id).age == 32)
  }

  @Test func `hasChanges`() throws {
    try edited.delete(4)
    for change in try work.changes.rows { print(change.kind, change.attributes, change.before ?? [:]) }
    #expect(printed.count == 1)
  }

  @Test func `managedObjectContext`() throws {
    let entity = people.entity
    #expect(entity.name == "person")
  }

  @Test func `to-one relationship`() throws {
    let name = try people.find(id, prefetch: \.company).company?.get().name
    #expect(name == "Acme")
  }

  @Test func `mutableSetValue(forKey:)`() throws {
    var moved = person
    moved.company = try Reference(to: company)
    try people.update(moved)
    #expect(try people.find(id).company == 1)
  }

  @Test func `ObservableObject`() async throws {
    let shown = await LiveValue(people.observe(id), initially: nil)
    try await wait { shown.value?.id == id }
    #expect(await shown.value?.id == id)
  }
}
