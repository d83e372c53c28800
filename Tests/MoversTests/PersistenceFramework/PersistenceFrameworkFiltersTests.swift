import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-coredata-persistence-framework.md, section “Filters”.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkFiltersTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `equals:value:`() throws {
    let filter: Filter<Person> = \.city == "Brno"
    #expect(try keys(where: filter) == [1, 5])
  }

  @Test func `notEquals:value:`() throws {
    let filter: Filter<Person> = \.city != "Brno"
    #expect(try keys(where: filter) == [2, 3, 4])
  }

  @Test func `less:value:`() throws {
    let filter: Filter<Person> = \.age < 30
    #expect(try keys(where: filter) == [2])
  }

  @Test func `greather:value:`() throws {
    let filter: Filter<Person> = \.age > 30
    #expect(try keys(where: filter) == [1, 3, 4, 5])
  }

  @Test func `CDFilterOperatorLessOrEqual`() throws {
    do {
      let filter: Filter<Person> = \.age >= 30 && \.age <= 40
      #expect(try keys(where: filter) == [1, 5])
    }
    do {
      let range: Filter<Person> = .between(\.age, 30...40)
      #expect(try keys(where: range) == [1, 5])
    }
  }

  @Test func `isNull:`() throws {
    let filter: Filter<Person> = \.city == nil
    #expect(try keys(where: filter) == [2, 4])
  }

  @Test func `isNotNull:`() throws {
    let filter: Filter<Person> = \.city != nil
    #expect(try keys(where: filter) == [1, 3, 5])
  }

  @Test func `inValues:values:`() throws {
    let filter: Filter<Person> = .in(\.city, ["Brno", "Praha"])
    #expect(try keys(where: filter) == [1, 3, 5])
  }

  @Test func `like:value:`() throws {
    let filter: Filter<Person> = .like(\.lastName, "n?v*k")
    #expect(try keys(where: filter) == [3])
  }

  @Test func `like:value:caseSensitive:`() throws {
    let filter: Filter<Person> = .like(\.lastName, "nov*", caseSensitive: false)
    #expect(try keys(where: filter) == [2, 3])
  }

  @Test func `contains:value:`() throws {
    let filter: Filter<Person> = .contains(\.lastName, "ov", caseSensitive: false)
    #expect(try keys(where: filter) == [2, 3])
  }

  @Test func `(none)`() throws {
    let filter: Filter<Person> = .endsWith(\.lastName, "ák")
    #expect(try keys(where: filter) == [2])
  }

  @Test func `any:`() throws {
    let filter: Filter<Company> = .any(\.people, \.age > 60)
    #expect(try keys(where: filter) == [2])
  }

  @Test func `all:`() throws {
    let filter: Filter<Company> = .all(\.people, \.age > 18)
    #expect(try keys(where: filter) == [1, 2, 3])
  }

  @Test func `not:`() throws {
    let filter: Filter<Person> = !(\.age > 30)
    #expect(try keys(where: filter) == [2])
  }

  @Test func `disjunction`() throws {
    do {
      let filter: Filter<Person> = .any([\.city == "Brno", \.age > 30])
      #expect(try keys(where: filter) == [1, 3, 4, 5])
    }
    do {
      let same = Filter<Person>.or(\.city == "Brno", \.age > 30)
      #expect(try keys(where: same) == [1, 3, 4, 5])
    }
  }

  @Test func `conjuction`() throws {
    do {
      let filter: Filter<Person> = .all([\.city == "Brno", \.age > 30])
      #expect(try keys(where: filter) == [1, 5])
    }
    do {
      let same: Filter<Person> = \.city == "Brno" && \.age > 30
      #expect(try keys(where: same) == [1, 5])
    }
  }

  @Test func `filters`() throws {
    let filter: Filter<Person> = \.age > 30
    print(filter.condition.node)
    #expect(printed.count == 1)
  }

  @Test func `initWithPropertyAndValue:value:`() throws {
    let filter: Filter<Person> = .equal(.field("city"), .text("Brno"))
    #expect(try keys(where: filter) == [1, 5])
  }

  @Test func `-createPredicate`() throws {
    let statement = try SearchCriteria<Person>.where(\.age > 30).sql()
    #expect(statement?.text.contains("WHERE") == true)
  }
}
