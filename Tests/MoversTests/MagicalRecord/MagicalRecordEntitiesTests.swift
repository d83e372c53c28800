import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Entities”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordEntitiesTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_entityName`() throws {
    let name = Person.entityDescription.name
    #expect(name == "person")
  }

  @Test func `MR_entityDescription`() throws {
    do {
      let description = Person.entityDescription
      #expect(description.name == "person")
    }
    do {
      let described = try factory.entity(named: "person")
      #expect(described.attributes.count == Person.entityDescription.attributes.count)
    }
  }

  @Test func `MR_propertiesNamed:`() throws {
    let attribute = Person.entityDescription["age"]
    #expect(attribute?.name == "age")
  }

  @Test func `MR_createEntity`() throws {
    let email = "new@example.org"
    let new = try people.insert(Person(email: email, lastName: "Lee", firstName: "Ann", age: 30))
    #expect(new.id == 6)
  }

  @Test func `MR_createEntity as a one-liner`() throws {
    let person = newPerson
    #expect(try Person.create(person).id == 6)
  }

  @Test func `MR_deleteEntity`() throws {
    try people.delete(person)
    #expect(try !people.exists(id))
  }

  @Test func `MR_deleteEntity as a one-liner`() throws {
    try person.delete()
    #expect(try !people.exists(id))
  }

  @Test func `MR_deleteAllMatchingPredicate:`() throws {
    let count = try people.delete(.where { $0.age > 90 })
    #expect(count == 1)
  }

  @Test func `MR_deleteAllMatchingPredicate: as a one-liner`() throws {
    #expect(try Person.deleteAll(.where { $0.age > 90 }) == 1)
  }

  @Test func `MR_truncateAll`() throws {
    #expect(try people.delete(.all, allowUnfiltered: true) == 5)
  }

  @Test func `MR_truncateAll as a one-liner`() throws {
    #expect(try Person.truncate() == 5)
  }

  @Test func `MR_defaultBatchSize`() async throws {
    for try await person in people.stream(.all.order(by: \.lastName)) { print(person) }
    #expect(printed.count == 5)
  }

  @Test func `MR_executeFetchRequest:`() throws {
    let found = try people.findAll(criteria)
    #expect(keys(found) == [5, 1, 4, 2, 3])
  }

  @Test func `MR_executeFetchRequestAndReturnFirstObject:`() throws {
    let first = try people.findFirst(criteria)
    #expect(first?.id == 5)
  }

  @Test func `MR_ascendingSortDescriptors:`() throws {
    let orders: [Order<Person>] = [.ascending(\.lastName), .ascending(\.firstName)]
    #expect(keys(try people.findAll(.all.order(by: orders))) == [5, 1, 4, 2, 3])
  }

  @Test func `MR_descendingSortDescriptors:`() throws {
    let orders: [Order<Person>] = [.descending(\.lastName), .descending(\.firstName)]
    #expect(keys(try people.findAll(.all.order(by: orders))) == [3, 2, 4, 1, 5])
  }

  @Test func `MR_inContext:`() throws {
    let here = try edited.find(id)
    #expect(here.id == id)
  }
}
