import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-coredata-persistence-framework.md, section “The DAO”.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkDAOTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `-initWithContext:`() throws {
    let archived = factory.dao(of: Person.entityDescription, PersonDAO.init)
    #expect(try archived.count() == 5)
  }

  @Test func `entityName`() throws {
    let name = people.entity.name
    #expect(name == "person")
  }

  @Test func `managedObjectContext`() throws {
    let context = people.context
    #expect(try PersonDAO(context).count() == 5)
  }

  @Test func `-findAll:`() throws {
    #expect(keys(try Person.findAll(criteria)) == [5, 1, 4, 2, 3])
  }

  @Test func `-findAll:limit:`() throws {
    let part = try people.findAll(.all.limit(20, offset: 40))
    #expect(part.isEmpty)
  }

  @Test func `-findAll:fetchOffset:limit:`() throws {
    do {
      let part = try people.findAll(criteria.limit(20, offset: 40))
      #expect(part.isEmpty)
    }
    do {
      let page = try people.page(criteria, size: 20)
      #expect(keys(page.items) == [5, 1, 4, 2, 3])
    }
  }

  @Test func `-findAllId`() throws {
    let ids = try people.findAllIDs(criteria)
    #expect(ids == [5, 1, 4, 2, 3])
  }

  @Test func `-count`() throws {
    do {
      let count = try people.count(criteria)
      #expect(count == 5)
    }
    do {
      #expect(try Person.count(criteria) == 5)
    }
  }

  @Test func `-insertNewObject`() throws {
    let email = "new@example.org"
    #expect(try Person.create(Person(email: email, lastName: "Lee", firstName: "Ann", age: 30)).id == 6)
  }

  @Test func `-findObjectById:`() throws {
    let person = try people.find(id)
    #expect(person.email == email)
  }

  @Test func `-refreshObject:mergeChanges:`() throws {
    try edited.update(.where { $0.id == id }, set: .set(\.age, to: 40))
    try people.update(.where { $0.id == id }, set: .set(\.city, to: "Praha"))
    try work.refresh(person, keeping: .mine)
    let now = try edited.find(id)
    #expect(now.age == 40 && now.city == "Praha")
  }

  @Test func `-createFetchRequest`() throws {
    let statement = try criteria.sql(for: .sqlite)
    #expect(statement?.text.contains("ORDER BY") == true)
  }
}
