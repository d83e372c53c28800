import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-realm.md, section “Queries”.
@Suite(.ownStore { try World.makeFactory() }) struct RealmQueriesTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `object(ofType:forPrimaryKey:)`() throws {
    let sure = try people.find(id)
    #expect(sure.email == email)
  }

  @Test func `filter("age > %@", 30)`() throws {
    let found = try people.findAll(.where(.field("age") > Scalar.integer(30)))
    #expect(found.count == 4)
  }

  @Test func `operator ==`() throws {
    let filter: Filter<Person> = \.age > 30 && !(\.city == "Brno")
    #expect(try keys(where: filter) == [3, 4])
  }

  @Test func `contains(_:options: .caseInsensitive)`() throws {
    let start: Filter<Person> = .beginsWith(\.lastName, "No")
    #expect(try keys(where: start) == [2])
  }

  @Test func `people.count > 2`() throws {
    let filter: Filter<Company> = .count(\.people) > 2
    #expect(try keys(where: filter) == [])
  }

  @Test func `(people.age > 60 && …).count > 1`() throws {
    let filter: Filter<Company> = .count(\.people, where: \.age > 60 && \.city == nil) > 1
    #expect(try keys(where: filter) == [])
  }

  @Test func `sorted(by:ascending:)`() throws {
    do {
      let sorted = try people.findAll(.all.order(by: .descending(\.age), .ascending(\.company.name)))
      #expect(keys(sorted) == [4, 3, 5, 1, 2])
    }
    do {
      let same = try SearchCriteria<Person>.sorted(by: "age:desc,company.name")
      #expect(keys(try people.findAll(same)) == [4, 3, 5, 1, 2])
    }
    do {
      #expect(keys(try Person.findAll(sortedBy: "age:desc,company.name")) == [4, 3, 5, 1, 2])
    }
  }

  @Test func `first`() throws {
    do {
      let first = try people.findFirst(criteria.order(by: \.lastName))
      #expect(first?.id == 5)
    }
    do {
      #expect(try Person.findFirst(criteria.order(by: \.lastName))?.id == 5)
    }
  }

  @Test func `index(of:)`() async throws {
    try await untilPrinted {
      for try await list in people.fetchedResults(criteria) { print(list.indexPath(of: id) ?? []) }
    }
  }

  @Test func `min(of:)`() throws {
    let row = try people.project(.min(\.age), .max(\.age), .sum(\.age), .average(\.age))[0]
    #expect(row.0 == 25 && row.1 == 95 && row.2 == 247 && row.3 == 49.4)
  }

  @Test func `value(forKey:)`() throws {
    let names = try people.project(.field(\.lastName), matching: criteria)
    #expect(names == ["Berg", "Lee", "Moser", "Novák", "novak"])
  }

  @Test func `Projection<Person>`() throws {
    struct Line: Decodable { var lastName: String; var city: String? }
    let lines = try people.project(.all.project(.field(\.lastName), .field(\.city)), as: Line.self)
    #expect(lines.count == 5)
  }

  @Test func `groups (Realm has none)`() throws {
    let sizes = try people.project(.group(by: \.city), .count)
    #expect(sizes.map { $0.1 } == [2, 2, 1])
  }

  @Test func `(none)`() throws {
    let found = try notes.findAll(.where { $0.text.matches(.all("novak", prefix: true)) })
    #expect(found.map(\.text) == ["Bob Novák"])
  }
}
