import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Requests”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordRequestsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_createFetchRequest`() throws {
    let criteria = SearchCriteria<Person>.all
    #expect(try people.count(criteria) == 5)
  }

  @Test func `MR_requestAllWithPredicate:`() throws {
    let criteria = SearchCriteria<Person>.where { $0.age > 30 && $0.city != nil }
    #expect(keys(try people.findAll(criteria)) == [1, 3, 5])
  }

  @Test func `MR_requestAllWhere:isEqualTo:`() throws {
    do {
      let criteria = SearchCriteria<Person>.where { $0.city == city }
      #expect(keys(try people.findAll(criteria)) == [1, 5])
    }
    do {
      let named = SearchCriteria<Person>.where(.field("city") == Scalar.text(city))
      #expect(keys(try people.findAll(named)) == [1, 5])
    }
  }

  @Test func `MR_requestFirstWithPredicate:`() throws {
    let criteria = SearchCriteria<Person>.where { $0.age > 30 }.limit(1)
    #expect(keys(try people.findAll(criteria)) == [1])
  }

  @Test func `MR_requestFirstByAttribute:withValue:`() throws {
    let criteria = SearchCriteria<Person>.where { $0.email == email }.limit(1)
    #expect(keys(try people.findAll(criteria)) == [1])
  }

  @Test func `MR_requestAllSortedBy:ascending:`() throws {
    do {
      let criteria = SearchCriteria<Person>.all.order(by: .descending(\.lastName), .ascending(\.firstName))
      #expect(keys(try people.findAll(criteria)) == [3, 2, 4, 1, 5])
    }
    do {
      let sorted = try SearchCriteria<Person>.sorted(by: "lastName:desc,firstName")
      #expect(keys(try people.findAll(sorted)) == [3, 2, 4, 1, 5])
    }
  }

  @Test func `MR_requestAllSortedBy:ascending:withPredicate:`() throws {
    let criteria = SearchCriteria<Person>.where { $0.age > 30 }.order(by: \.lastName)
    #expect(keys(try people.findAll(criteria)) == [5, 1, 4, 3])
  }
}
