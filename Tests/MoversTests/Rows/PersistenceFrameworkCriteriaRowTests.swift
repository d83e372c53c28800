import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// Section 1C of Documentation/behaviours.md: criteria, filters, orders and projections.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkCriteriaRowTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `1C CDSearchCriteria`() throws {
    let all = SearchCriteria<Person>.all
    let some = all.filter { $0.age > 30 }.filter { $0.city == city }.order(by: \.city).order(by: .descending(\.age))
    #expect(try people.count(all) == 5)
    #expect(keys(try people.findAll(some)) == [5, 1])
    #expect(some.criteria.orders.count == 2 && all.criteria.orders.isEmpty)
  }

  @Test func `1C CDOrder`() throws {
    #expect(keys(try people.findAll(.all.order(by: .descending(.field("age"))))) == [4, 3, 5, 1, 2])
    #expect(keys(try people.findAll(.all.order(by: .ascending(\.company.name), .ascending(\.id)))) == [4, 1, 2, 3, 5])
    #expect(keys(try people.findAll(.all.order(by: .ascending(\.company.name, nulls: .last), .ascending(\.id)))) == [1, 2, 3, 5, 4])
  }

  @Test func `1C CDFilter / CDFilterFactory`() throws {
    let none: String? = nil
    #expect(try keys(where: \Person.Fields.city == none) == [2, 4])
    #expect(try keys(where: \Person.Fields.city != none) == [1, 3, 5])
    #expect(try keys(where: Filter<Person>.in(\.city, ["Brno", "Praha"])) == [1, 3, 5])
    #expect(try keys(where: Filter<Person>.in(\.city, [])) == [])
    #expect(try keys(where: Filter<Person>.or(\.city == "Praha", \.age > 90)) == [3, 4])
    #expect(try keys(where: Filter<Person>.and(\.city == "Brno", .not(\.age > 31))) == [1])
  }

  @Test func `1C like`() throws {
    #expect(try keys(where: Filter<Person>.like(\.lastName, "nov")) == [])
    #expect(try keys(where: Filter<Person>.like(\.lastName, "n?v*k")) == [3])
    #expect(try keys(where: Filter<Person>.like(\.lastName, "N?V*", caseSensitive: false)) == [2, 3])
  }

  @Test func `1C contains`() throws {
    #expect(try keys(where: Filter<Person>.contains(\.lastName, "ov")) == [2, 3])
    #expect(try keys(where: Filter<Person>.contains(\.lastName, "OVÁ", caseSensitive: false)) == [2])
  }

  @Test func `1C less-or-equal / greater-or-equal`() throws {
    let younger: Filter<Person> = \.age <= 31
    let older: Filter<Person> = \.age >= 35
    #expect(try keys(where: younger) == [1, 2])
    #expect(try keys(where: older) == [3, 4, 5])
  }

  @Test func `1C disjunction / conjuction`() throws {
    let either: Filter<Person> = .any([\.city == "Praha", \.age < 30])
    let both: Filter<Person> = .all([\.city == "Brno", \.age > 31])
    #expect(try keys(where: either) == [2, 3])
    #expect(try keys(where: both) == [5])
    let (noneOfNothing, allOfNothing): (Filter<Person>, Filter<Person>) = (.any([]), .all([]))
    #expect(try keys(where: noneOfNothing) == [])
    #expect(try keys(where: allOfNothing) == [1, 2, 3, 4, 5])
  }

  @Test func `1C any / all / not`() throws {
    let born = try #require(person.born)
    let any: Filter<Company> = .any(\.people, \.born == born && \.lastName != "it's")
    let all: Filter<Company> = .all(\.people, \.age > 30)
    let not: Filter<Person> = !(\.city == "Brno")
    #expect(try keys(where: any) == [1])
    // Nobody works for the third company.
    #expect(try keys(where: all) == [2, 3])
    #expect(try keys(where: not) == [2, 3, 4])
  }

  @Test func `1C NULL and notEquals / not in`() throws {
    let filter: Filter<Person> = \.city != "Brno"
    #expect(try keys(where: filter) == [2, 3, 4])
    #expect(try keys(where: Filter<Person>.notIn(\.city, ["Brno"])) == [2, 3, 4])
  }

  @Test func `1C CDProjection property`() throws {
    let names: [String] = try people.project(.field(\.lastName))
    #expect(names.count == 5)
    #expect(try people.dictionaries(.all.project(.field(\.lastName))).first?.keys.sorted() == ["lastName"])
    let error = #expect(throws: DAOError.self) { try people.dictionaries(.all.project(.field("lastNam"))) }
    #expect(error.map { "\($0)".contains("lastName") } == true)
  }

  @Test func `1C CDProjection function`() throws {
    #expect(try people.dictionaries(.all.project(.max(\.age))).first?["max:age"] == 95)
    #expect(try people.dictionaries(.all.project(.max(\.age).named("oldest"))).first?["oldest"] == 95)
  }

  @Test func `1C CDFunction`() throws {
    #expect(try people.minimum(of: \.age) == 25 && people.maximum(of: \.age) == 95)
    let mean: Double? = try people.average(of: \.age)
    #expect(mean == 49.4)
    try people.update(.where { $0.id == 1 }, set: .set(\.salary, to: Decimal(string: "0.1")))
    try people.update(.where { $0.id == 3 }, set: .set(\.salary, to: Decimal(string: "0.2")))
    #expect(try people.sum(of: \.salary) == Decimal(string: "0.3"))
    #expect(try people.count(.where { $0.lastName.lowercased() == "novák" }) == 1)
    #expect(try companies.project(.field(\.name), .count(\.people)).map { $0.1 } == [2, 2, 0])
    #expect(try people.project(.group(by: \.city), .average(\.age)).count == 3)
  }
}
