import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-core-data.md, section “The model”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataModelTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `entitiesByName`() throws {
    let entity = try factory.entity(named: "person")
    #expect(entity.name == "person")
  }

  @Test func `attributesByName`() throws {
    do {
      let attributes = Person.entityDescription.attributes
      #expect(attributes.contains { $0.name == "age" })
    }
    do {
      let relationships = Person.entityDescription.relationships
      #expect(relationships.map(\.name) == ["company"])
    }
  }

  @Test func `NSOrderedSet`() throws {
    let ordered = try companies.findAll(.all.prefetch(\.people, order: .ascending(\.lastName)))
    #expect(try ordered.first?.people.get().map(\.lastName) == ["Lee", "Novák"])
  }

  @Test func `fetched property, fetch request template`() throws {
    let text = try criteria.json()
    let read = try JSONDecoder().decode(SearchCriteria<Person>.self, from: Data(text.utf8))
    #expect(keys(try people.findAll(read)) == [5, 1, 4, 2, 3])
  }

  @Test func `versionHashModifier`() throws {
    let store = StoreDescription.file(url, version: 2)
    #expect(try DAOFactory(store: store, entities: Person.self, Company.self).report?.storeVersion == 2)
  }
}
