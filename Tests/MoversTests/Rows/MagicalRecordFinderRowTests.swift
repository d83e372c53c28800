import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOImport
import DAOMacros
import Foundation
import Testing

/// Sections 1A.5 and 1A.6 of Documentation/behaviours.md.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordFinderRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1A.5 createFetchRequest, requestAll`() throws {
    #expect(keys(try people.findAll(SearchCriteria<Person>.all)).sorted() == [1, 2, 3, 4, 5])
  }

  @Test func `1A.5 requestAllWithPredicate: / requestAllWhere:isEqualTo:`() throws {
    #expect(keys(try people.findAll(.where { $0.city == city })) == [1, 5])
    #expect(keys(try people.findAll(.where(.field("city") == Scalar.text(city)))) == [1, 5])
    let none: String? = nil
    #expect(keys(try people.findAll(.where { $0.city == none })) == [2, 4])
    // Letters and accents count.
    #expect(try people.count(.where { $0.lastName == "novák" }) == 0)
    #expect(try people.count(.where { $0.lastName == "Novák" }) == 1)
    #expect(try people.count(.where { $0.lastName == "Nova\u{301}k" }) == 0)
  }

  @Test func `1A.5 requestFirst…`() throws {
    // The index that finds the rows has Berg first, whose key is the highest.
    let criteria = SearchCriteria<Person>.where { $0.lastName >= "A" }.limit(1)
    #expect(try people.query("SELECT id FROM person WHERE lastName >= 'A' LIMIT 1", as: Int.self) == [5])
    #expect(keys(try people.findAll(criteria)) == [1])
    try people.delete(1)
    #expect(keys(try people.findAll(criteria)) == [2])
  }

  @Test func `1A.5 sort string`() throws {
    #expect(keys(try Person.findAll(sortedBy: "city:desc, lastName : yes")) == [3, 5, 1, 4, 2])
    #expect(keys(try Person.findAll(sortedBy: "lastName:NO")) == [3, 2, 4, 1, 5])
    #expect(keys(try Person.findAll(sortedBy: "lastName:asc", ascending: false)) == [5, 1, 4, 2, 3])
    #expect(keys(try Person.findAll(sortedBy: "lastName", ascending: false)) == [3, 2, 4, 1, 5])
    #expect(keys(try Person.findAll(sortedBy: "company.name:desc,age")).prefix(2) == [5, 3])
    let error = #expect(throws: DAOError.self) { try Person.findAll(sortedBy: "lastName:up,age:down") }
    guard case .invalidCriteria(_, let problems)? = error else {
      Issue.record("another error, or none")
      return
    }
    #expect(problems.count == 2)
    #expect(throws: DAOError.self) { try people.findAll(SearchCriteria<Person>.sorted(by: "lastNam")) }
  }

  @Test func `1A.5 findAll, findAllWithPredicate:`() throws {
    #expect(try people.findAll().count == 5)
    #expect(keys(try people.findAll(.where { $0.age > 60 })).sorted() == [3, 4])
    #expect(try people.findAll(.where { $0.age > 200 }).isEmpty)
  }

  @Test func `1A.5 findAllSortedBy:…`() throws {
    #expect(keys(try Person.findAll(sortedBy: "lastName:desc,firstName")) == [3, 2, 4, 1, 5])
    #expect(keys(try people.findAll(.where { $0.age > 30 }.order(by: \.lastName))) == [5, 1, 4, 3])
    #expect(keys(try Person.findAll(sortedBy: "lastName", matching: .where { $0.age > 30 })) == [5, 1, 4, 3])
    #expect(throws: DAOError.self) { try Person.findAll(sortedBy: "lastNam") }
  }

  @Test func `1A.5 findByAttribute:withValue:`() throws {
    #expect(keys(try people.findAll(.where { $0.city == city })).sorted() == [1, 5])
    #expect(keys(try Person.findAll(by: \.city, city)).sorted() == [1, 5])
  }

  @Test func `1A.5 findByAttribute:withValue:andOrderBy:ascending:`() throws {
    #expect(keys(try people.findAll(.where { $0.city == city }.order(by: \.lastName))) == [5, 1])
    #expect(keys(try Person.findAll(by: \.city, city, sortedBy: "lastName")) == [5, 1])
    #expect(keys(try Person.findAll(by: \.city, city, sortedBy: " age:asc")) == [1, 5])
  }

  @Test func `1A.5 findFirst, …WithPredicate:, …ByAttribute:`() throws {
    #expect(try people.findFirst()?.id == 1)
    #expect(try people.findFirst(.where { $0.lastName >= "A" })?.id == 1)
    #expect(try people.findFirst(.where { $0.lastName >= "M" })?.id == 2)
    #expect(try Person.findFirst(by: \.email, email)?.id == 1)
    #expect(try people.findFirst(.where { $0.age > 200 }) == nil)
  }

  @Test func `1A.5 findFirstOrderedByAttribute:ascending:`() throws {
    #expect(try people.findFirst(.all.order(by: .descending(\.age)))?.id == 4)
    #expect(try Person.findMax(by: \.age)?.id == 4)
  }

  @Test func `1A.5 findFirst…andRetrieveAttributes:`() throws {
    let names = try people.project(.field(\.firstName), .field(\.lastName), matching: criteria.limit(1)).first
    #expect(names?.0 == "Ida" && names?.1 == "Berg")
    let row = try people.project(.field(\.firstName), .field(\.age), .field(\.city), matching: criteria.limit(1)).first
    #expect(row?.0 == "Ida" && row?.1 == 35 && row?.2 == "Brno")
  }

  @Test func `1A.5 findFirstOrCreateByAttribute:withValue:`() async throws {
    let (people, new) = (people, newPerson)
    let found = try await withThrowingTaskGroup(of: Int64?.self) { group in
      for _ in 0..<8 { group.addTask { try await people.findFirst(.where(\.email == "new@example.org"), orInsert: new).id } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(found == [6])
    try syncly { () throws in
      // A new entity that the criteria would not find is refused.
      #expect(throws: DAOError.self) {
        try people.findFirst(.where { $0.email == "x@example.org" }, orInsert: Person(email: "y", lastName: "Y", firstName: "Y", age: 1))
      }
      #expect(try people.count() == 6)
      let new = Person(email: email, lastName: "Other", firstName: "Other", age: 1)
      #expect(try people.upsert(new, on: [\.email], updating: []).entity.lastName == "Lee")
    }
  }

  @Test func `1A.5 Distinct values`() throws {
    #expect(try people.distinctValues(of: \.city) == ["Brno", "Praha"])
    #expect(try Person.distinctValues(of: \.city) == ["Brno", "Praha"])
  }

  @Test func `1A.5 Limit/offset`() throws {
    #expect(keys(try people.findAll(criteria.limit(2, offset: 1))) == [1, 4])
    let page = try people.page(criteria, size: 2)
    #expect(keys(page.items) == [5, 1] && page.hasNext)
    // A row that is inserted before the page's end moves no other into or out of the next one.
    try people.insert(Person(email: "a@example.org", lastName: "Aa", firstName: "A", age: 30))
    let next = try people.page(criteria, size: 2, after: page.next)
    #expect(keys(next.items) == [4, 2])
  }

  @Test func `1A.5 executeFetchRequest: / …AndReturnFirstObject:`() throws {
    #expect(keys(try people.findAll(criteria)) == [5, 1, 4, 2, 3])
    #expect(try people.findFirst(criteria)?.id == 5)
  }

  @Test func `1A.6 countOfEntities…`() throws {
    #expect(try people.count() == 5 && people.count(.where { $0.age > 30 }) == 4)
    try factory.close()
    #expect(throws: DAOError.self) { try people.count() }
  }

  @Test func `1A.6 hasAtLeastOneEntity`() throws {
    #expect(try people.exists() && !people.exists(.where { $0.age > 200 }) && people.exists(id))
    try factory.close()
    #expect(throws: DAOError.self) { try people.exists() }
  }

  @Test func `1A.6 aggregateOperation:onAttribute:withPredicate:`() throws {
    let mean: Double? = try people.average(of: \.age)
    #expect(mean == 49.4)
    #expect(try people.average(of: \.age, matching: criteria) == 49.4)
    #expect(try people.aggregate(.sum, of: "age") == 247)
    #expect(try people.sum(of: \.salary) == 3000.5)
    #expect(try people.maximum(of: \.age, matching: .where { $0.age > 200 }) == nil)
    // Doubles have 0.30000000000000004.
    try people.update(.where { $0.id == 1 }, set: .set(\.salary, to: Decimal(string: "0.1")))
    try people.update(.where { $0.id == 3 }, set: .set(\.salary, to: Decimal(string: "0.2")))
    #expect(try people.sum(of: \.salary) == Decimal(string: "0.3"))
    let report = try people.project(.sum(\.age), .count)
    #expect(report.first?.0 == 247 && report.first?.1 == 5)
    try edited.delete(4)
    #expect(try edited.sum(of: \.age) == 152)
    try people.insert(Person(email: "max", lastName: "Max", firstName: "Max", age: .max))
    #expect(problem { try people.sum(of: \.age) } == "overflow")
  }

  @Test func `1A.6 …groupBy:`() throws {
    let ages = try people.aggregate(.max, of: "age", groupBy: "city")
    #expect(ages.map { $0["max:age"] } == [95, 35, 61])
    #expect(ages.first?["city"] == .null)
    let oldest = try people.project(.group(by: \.city), .max(\.age))
    #expect(oldest.compactMap(\.1) == [95, 35, 61])
    // Ann and Ned are of one city and one company.
    var ned = newPerson
    ned.company = 1
    try people.insert(ned)
    let typed = try people.project(.group(by: \.city), .group(by: \.company), .max(\.age), .count)
    #expect(
      typed.map { "\($0.0 ?? "-") \($0.1?.key ?? 0) \($0.2 ?? 0) \($0.3)" } == [
        "- 0 95 1", "- 1 25 1", "Brno 1 44 2", "Brno 2 35 1", "Praha 2 61 1",
      ])
    let large = try people.project(.group(by: \.city), .count, matching: .all.having { $0.id.count() > 1 })
    #expect(large.count == 2)
    #expect(try Person.aggregate(.count, of: "id", groupBy: "city", "company").map { $0["count:id"] } == [1, 1, 2, 1, 1])
  }

  @Test func `1A.6 minValueFor: / maxValueFor: / objectWithMinValueFor:`() throws {
    #expect(try people.minimum(of: \.age) == 25 && people.maximum(of: \.age) == 95)
    #expect(try people.findFirst(.all.order(by: \.age))?.id == 2)
    #expect(try Person.findMin(by: \.age)?.id == 2 && Person.findMax(by: \.age)?.id == 4)
  }
}
