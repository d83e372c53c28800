import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-coredata-persistence-framework.md, section “Criteria”.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkCriteriaTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `+criteriaWithEntityName:`() throws {
    let criteria = SearchCriteria<Person>()
    #expect(try people.count(criteria) == 5)
  }

  @Test func `-addFilter:`() throws {
    do {
      let more = criteria.filter { $0.age > 30 }
      #expect(keys(try people.findAll(more)) == [5, 1, 4, 3])
    }
    do {
      let condition = criteria.criteria.filter
      #expect(!condition.isAlwaysTrue)
    }
  }

  @Test func `-addOrder:`() throws {
    let ordered = criteria.order(by: .descending(\.age), .ascending(\.lastName))
    #expect(keys(try people.findAll(ordered)) == [5, 1, 4, 2, 3])
  }

  @Test func `-addProjection:`() throws {
    let report = criteria.project(.field(\.lastName), .length(\.city))
    #expect(try people.dictionaries(report).count == 5)
  }

  @Test func `-hasOrders`() throws {
    do {
      let hasOrders = !criteria.criteria.orders.isEmpty
      #expect(hasOrders)
    }
    do {
      let hasFilters = !criteria.criteria.filter.isAlwaysTrue
      #expect(hasFilters)
    }
  }

  @Test func `property`() throws {
    let path = FieldPath("company.name")
    #expect("\(path)" == "company.name")
  }
}
