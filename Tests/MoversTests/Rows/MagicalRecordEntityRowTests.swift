import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Section 1A.4 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordEntityRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1A.4 entityName`() {
    #expect(Person.entityDescription.name == "person")
    #expect(MappedPerson.entityDescription.name == "mappedPerson")
    #expect(Employee.entityDescription.name == "staff")
  }

  @Test func `1A.4 createEntity`() throws {
    let value = newPerson
    #expect(try value.id == nil && people.count() == 5)
    #expect(try people.insert(value).id == 6)
    let waiting = try edited.insert(Person(email: "other@example.org", lastName: "Lee", firstName: "Kim", age: 20))
    #expect(try #require(waiting.id) < 0)
    #expect(try people.count() == 6 && edited.count() == 7)
    try Person.create(Person(email: "third@example.org", lastName: "Lee", firstName: "Lu", age: 20))
    #expect(try people.count() == 7)
  }

  @Test func `1A.4 deleteEntity`() throws {
    try people.delete(person)
    #expect(try !people.exists(id))
    #expect(problem { try person.delete() } == "notFound")
  }

  @Test func `1A.4 deleteAllMatchingPredicate:`() throws {
    #expect(try people.delete(.where { $0.age > 60 }) == 2)
    #expect(try Person.deleteAll(.where { $0.age > 60 }) == 0)
    // The persons of a company stay, without it.
    #expect(try companies.delete(.where { $0.name == "Acme" }) == 1)
    #expect(try people.find(id).company == nil)
  }

  @Test func `1A.4 truncateAll`() throws {
    #expect(problem { try people.delete(.all) } == "unfiltered")
    #expect(try people.delete(.all, allowUnfiltered: true) == 5)
    #expect(try Company.truncate() == 3)
  }

  @Test func `1A.4 ascendingSortDescriptors: / descending…`() throws {
    let orders: [Order<Person>] = [.descending(\.city), .ascending(\.lastName)]
    #expect(keys(try people.findAll(.all.order(by: orders))) == [3, 5, 1, 4, 2])
    #expect(keys(try people.findAll(.all.order(by: [.ascending(\.lastName), .ascending(\.firstName)]))) == [5, 1, 4, 2, 3])
  }
}
