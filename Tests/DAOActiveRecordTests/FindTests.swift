import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOKit
import TestCases
import Testing

/// One-liners that find rows, and their values.
@Suite(.ownStore(Person.self, City.self)) struct FindTests {
  private func people() throws {
    try City.create([City(code: "KE", name: "Nairobi"), City(code: "NO", name: "Oslo")])
    try Person.create([
      Person(firstName: "Ida", lastName: "Berg", email: "ida@example.org", age: 41, city: "NO"),
      Person(firstName: "Ole", lastName: "Berg", email: "ole@example.org", age: 12, city: "NO"),
      Person(firstName: "Asha", lastName: "Otieno", age: 33, city: "KE"),
      Person(firstName: "Bo", lastName: "Aas"),
    ])
  }

  private func names(_ people: [Person]) -> [String] { people.map(\.firstName) }

  @Test func `Rows by criteria, by a text's order and by a value`() throws {
    try people()
    #expect(names(try Person.findAll(.where { $0.age > 17 }.order(by: \.age))) == ["Asha", "Ida"])
    #expect(names(try Person.findAll(sortedBy: "lastName:desc,firstName")) == ["Asha", "Ida", "Ole", "Bo"])
    #expect(names(try Person.findAll(sortedBy: "lastName, age", ascending: false)) == ["Asha", "Ida", "Ole", "Bo"])
    #expect(names(try Person.findAll(sortedBy: "city.name,age:NO", matching: .where { $0.age != nil })) == ["Asha", "Ida", "Ole"])
    #expect(names(try Person.findAll(by: \.lastName, "Berg", sortedBy: "age")) == ["Ole", "Ida"])
    #expect(names(try Person.findAll(by: \.email, nil, sortedBy: "firstName")) == ["Asha", "Bo"])
  }

  @Test func `The first row, the least and the greatest`() throws {
    #expect(try Person.findFirst() == nil)
    #expect(try Person.findMax(by: \.age) == nil)
    try people()
    #expect(try Person.findFirst()?.firstName == "Ida")
    #expect(try Person.findFirst(sortedBy: "firstName")?.firstName == "Asha")
    #expect(try Person.findFirst(by: \.email, "ole@example.org")?.firstName == "Ole")
    #expect(try Person.findFirst(by: \.lastName, "Berg", sortedBy: "age")?.firstName == "Ole")
    #expect(try Person.findMin(by: \.age)?.firstName == "Ole")
    #expect(try Person.findMax(by: \.age)?.firstName == "Ida")
    #expect(try Person.findMax(by: \.age, matching: .where { $0.lastName != "Berg" })?.firstName == "Asha")
    // An order of the criteria decides between equal ones only.
    #expect(try Person.findMin(by: \.age, matching: .all.order(by: \.firstName))?.firstName == "Ole")
    #expect(try Person.findMin(by: \.lastName, matching: .where { $0.lastName == "Berg" }.order(by: \.age))?.firstName == "Ole")
    #expect(names(try Person.findAll(sortedBy: "lastName", matching: .all.order(by: \.age))) == ["Bo", "Ole", "Ida", "Asha"])
    #expect(throws: DAOError.self) { try Person.findMin(by: \.age, matching: .all.limit(2)) }
    #expect(throws: DAOError.self) { try Person.findMax(by: \.age, matching: .all.offset(1)) }
    let ida = try #require(try Person.findFirst(by: \.firstName, "Ida"))
    #expect(try Person.find(try #require(ida.id)) == ida)
    #expect(try Person.find([99, try #require(ida.id)]) == [ida])
    #expect(throws: DAOError.self) { try Person.find(99) }
  }

  @Test func `A row is found or created, once`() throws {
    let made = try Person.findFirst(by: \.email, "a@b", orCreate: Person(firstName: "A", lastName: "B", email: "a@b"))
    let found = try Person.findFirst(by: \.email, "a@b", orCreate: Person(firstName: "other", lastName: "C", email: "a@b"))
    #expect(made.id != nil && found == made)
    #expect(try Person.findFirst(.where { $0.age > 1 }, orCreate: Person(firstName: "A", lastName: "B", age: 2)).age == 2)
    // One that the query would not find again is not created.
    #expect(throws: DAOError.self) { try Person.findFirst(by: \.email, "c@d", orCreate: Person(firstName: "C", lastName: "D")) }
    #expect(try Person.count() == 2)
  }

  @Test func `Counts, aggregates, values and dictionaries`() throws {
    #expect(try !Person.exists())
    #expect(try Person.maximum(of: \.age) == nil)
    #expect(try Person.aggregate(.sum, of: "age") == .null)
    try people()
    #expect(try Person.exists() && Person.count() == 4)
    #expect(try Person.count(.where { $0.lastName == "Berg" }) == 2)
    #expect(try !Person.exists(.where { $0.age > 99 }))
    #expect(try Person.minimum(of: \.age) == 12)
    #expect(try Person.maximum(of: \.lastName) == "Otieno")
    #expect(try Person.sum(of: \.age, matching: .where { $0.lastName == "Berg" }) == 53)
    #expect(try Person.average(of: \.age) == Double(41 + 12 + 33) / 3)
    #expect(try Person.distinctValues(of: \.lastName) == ["Aas", "Berg", "Otieno"])
    #expect(try Person.distinctValues(of: \.email) == ["ida@example.org", "ole@example.org"])
    let byEmail = try Person.dictionary(by: \.email)
    #expect(byEmail.mapValues(\.firstName) == ["ida@example.org": "Ida", "ole@example.org": "Ole"])
    let byName = try Person.dictionary(by: \.lastName, matching: .all.order(by: \.age))
    #expect(byName.mapValues(\.firstName) == ["Berg": "Ida", "Otieno": "Asha", "Aas": "Bo"])
    #expect(try Person.aggregate(.max, of: "age") == .integer(41))
    #expect(
      try Person.aggregate(.count, of: "email", groupBy: "lastName") == [
        ["lastName": "Aas", "count:email": 0], ["lastName": "Berg", "count:email": 2], ["lastName": "Otieno", "count:email": 0],
      ])
    #expect(throws: DAOError.self) { try Person.aggregate(.max, of: "agee") }
    #expect(throws: DAOError.self) { try Person.aggregate(.sum, of: "firstName") }
  }

  @Test func `Texts that are no order name every problem`() throws {
    let error = #expect(throws: DAOError.self) { try Person.findAll(sortedBy: "age:up, firstName:a:b,, lastName:descending") }
    guard case .invalidCriteria(let entity, let problems)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(entity == "person" && problems.count == 3)
    let long = #expect(throws: DAOError.self) { try Person.findAll(sortedBy: String(repeating: ",", count: 200_000)) }
    #expect("\(try #require(long))".utf8.count < 10_000)
    let direction = #expect(throws: DAOError.self) { try Person.findAll(sortedBy: "age:" + String(repeating: "x", count: 1_000_000)) }
    #expect("\(try #require(direction))".utf8.count < 1_000)
    let unknown = #expect(throws: DAOError.self) { try Person.findAll(sortedBy: "lastNam:desc,agge") }
    #expect("\(try #require(unknown))".contains("'lastNam'"))
    #expect("\(try #require(unknown))".contains("'agge'"))
    #expect(try Person.findAll(sortedBy: " ").isEmpty)
  }

  @Test(arguments: TestCases.seeds(100, inSuite: 3)) func `Any spelling of an order is that order`(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let spellings = [true: ["asc", "Ascending", "YES", "true", "1"], false: ["desc", "descENDING", "no", "False", "0"]]
    for _ in 0..<200 {
      let ascending = Bool.random(using: &random)
      var parts: [String] = []
      var orders: [Order<Person>] = []
      for name in ["firstName", "age", "city.name", "email"].shuffled(using: &random).prefix(.random(in: 1...4, using: &random)) {
        func spaces() -> String { String(repeating: " ", count: .random(in: 0...2, using: &random)) }
        let direction = Bool.random(using: &random) ? Bool.random(using: &random) : nil
        let text = direction.flatMap { spellings[$0]?.randomElement(using: &random) }
        parts.append(spaces() + name + spaces() + (text.map { ":" + spaces() + $0 + spaces() } ?? ""))
        orders.append(direction ?? ascending ? .ascending(.field(name)) : .descending(.field(name)))
      }
      let text = parts.joined(separator: ",")
      #expect(try SearchCriteria<Person>.sorted(by: text, ascending: ascending) == .all.order(by: orders), "\(text)")
    }
  }
}
