import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-core-data.md, section “Fetching”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataFetchingTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `predicate`() throws {
    let criteria = SearchCriteria<Person>.where { $0.age > 30 && $0.city == city }
    #expect(keys(try people.findAll(criteria)) == [1, 5])
  }

  @Test func `sortDescriptors`() throws {
    let sorted = criteria.order(by: .descending(\.age), .ascending(\.company.name))
    #expect(keys(try people.findAll(sorted)) == [5, 1, 4, 2, 3])
  }

  @Test func `NSSortDescriptor(key:ascending:selector:)`() throws {
    let sorted = criteria.order(by: .ascending(.lower(\.lastName)))
    #expect(try people.count(sorted) == 5)
  }

  @Test func `NSSortDescriptor(key:ascending:comparator:)`() throws {
    let sorted = try people.findAll(criteria).sorted { $0.lastName.count < $1.lastName.count }
    #expect(sorted.first?.id == 1)
  }

  @Test func `fetchBatchSize`() async throws {
    for try await person in people.stream(criteria) { print(person.lastName) }
    #expect(printed == ["Berg", "Lee", "Moser", "Novák", "novak"])
  }

  @Test func `resultType = .dictionaryResultType`() throws {
    do {
      let rows = try people.project(.field(\.lastName), .field(\.age), matching: criteria)
      #expect(rows.first?.0 == "Berg" && rows.first?.1 == 35)
    }
    do {
      let maps = try people.dictionaries(criteria.project(.field(\.lastName), .field(\.age)))
      #expect(maps.first?["lastName"] == "Berg" && maps.first?["age"] == 35)
    }
  }

  @Test func `propertiesToGroupBy`() throws {
    let sizes = try people.project(.group(by: \.city), .count, matching: .all.having { $0.id.count() > 1 })
    #expect(sizes.map { $0.1 } == [2, 2])
  }

  @Test func `returnsDistinctResults`() throws {
    let pairs = try people.project(.field(\.city), .field(\.age), matching: .all.distinct())
    #expect(pairs.count == 5)
  }

  @Test func `includesPendingChanges`() throws {
    try edited.delete(5)
    let found = try edited.findAll(criteria)
    #expect(keys(found) == [1, 4, 2, 3])
  }

  @Test func `relationshipKeyPathsForPrefetching`() throws {
    let found = try people.findAll(criteria.prefetch(\.company))
    #expect(try found.first?.company?.get().name == "Beta")
  }

  @Test func `NSExpression(forFunction:arguments:)`() throws {
    do {
      let ages = try people.project(.sum(\.age), .min(\.age), .max(\.age), .average(\.age), .count)
      #expect(ages.first?.0 == 247 && ages.first?.4 == 5)
    }
    do {
      let sum = try people.sum(of: \.age)
      #expect(sum == 247)
    }
  }

  @Test func `add:to:`() throws {
    let rows = try people.query("SELECT age + 1 FROM person", as: Int.self)
    #expect(rows.sorted() == [26, 32, 36, 62, 96])
  }

  @Test func `NSAsynchronousFetchRequest`() async throws {
    let found = try await people.findAll(criteria)
    #expect(keys(found) == [5, 1, 4, 2, 3])
  }
}
