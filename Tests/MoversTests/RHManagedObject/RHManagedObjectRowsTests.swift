import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-rhmanagedobject.md, section “Rows”.
@Suite(.ownStore { try World.makeFactory() }) struct RHManagedObjectRowsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+fetchWithPredicate:sortDescriptor:error:`() throws {
    do {
      let found = try people.findAll(.where { $0.age > 30 }.order(by: .descending(\.age), .ascending(\.lastName)).limit(20))
      #expect(keys(found) == [4, 3, 5, 1])
    }
    do {
      #expect(keys(try Person.findAll(sortedBy: "age:desc,lastName", matching: .where { $0.age > 30 })) == [4, 3, 5, 1])
    }
  }

  @Test func `+fetchInBackgroundWithPredicate:sortDescriptors:withLimit:completion:`() async throws {
    do {
      let found = try await people.findAll(.where { $0.age > 30 }.order(by: \.lastName).limit(20))
      #expect(keys(found) == [5, 1, 4, 3])
    }
    do {
      #expect(try await Person.findAll(.where { $0.age > 30 }).count == 4)
    }
  }

  @Test func `+fetchAllAsDictionaryWithKeyProperty:error:`() throws {
    do {
      let byEmail = try people.dictionary(by: \.email)
      #expect(byEmail[email]?.id == 1 && byEmail.count == 5)
    }
    do {
      #expect(try Person.dictionary(by: \.email).count == 5)
    }
  }

  @Test func `+fetchAsDictionaryWithKeyProperty:withPredicate:…`() throws {
    do {
      let byCity = try people.dictionary(by: \.city, matching: .where { $0.age > 30 }.order(by: \.age))
      #expect(byCity.mapValues(\.id) == ["Brno": 5, "Praha": 3])
    }
    do {
      #expect(try Person.dictionary(by: \.city, matching: .where { $0.age > 30 }).count == 2)
    }
  }

  @Test func `+fetchInBackgroundAsDictionaryWithKeyProperty:…`() async throws {
    let byEmail = try await people.dictionary(by: \.email)
    #expect(byEmail.count == 5)
  }
}
