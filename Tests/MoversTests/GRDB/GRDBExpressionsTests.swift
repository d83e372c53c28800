import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “Expressions”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBExpressionsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `operator ==`() throws {
    let filter: Filter<Person> = \.age >= 30 && \.city != "Brno"
    #expect(try keys(where: filter) == [3, 4])
  }

  @Test func `operator &&`() throws {
    let filter: Filter<Person> = .any([\.age > 30, !(\.city == nil)])
    #expect(try keys(where: filter) == [1, 3, 4, 5])
  }

  @Test func `like(_:escape:)`() throws {
    let filter: Filter<Person> = .like(\.lastName, "n?v*", caseSensitive: false)
    #expect(try keys(where: filter) == [2, 3])
  }

  @Test func `operator ??`() throws {
    let filter: Filter<Person> = .coalesce(\.city, "") == ""
    #expect(try keys(where: filter) == [2, 4])
  }

  @Test func `length(_:)`() throws {
    let filter: Filter<Person> = .length(\.lastName) > 5
    #expect(try keys(where: filter) == [])
  }

  @Test func `dateTime(_:_:)`() throws {
    let filter: Filter<Person> = .year(\.born) == 1990
    #expect(try keys(where: filter) == [1])
  }

  @Test func `operator +`() throws {
    let ages = try people.query("SELECT age + 1 FROM person", as: Int.self)
    #expect(ages.count == 5)
  }

  @Test func `count(_:)`() throws {
    let row = try people.project(.count, .count(distinct: \.city), .min(\.age), .max(\.age), .sum(\.age), .average(\.age))[0]
    #expect(row.0 == 5 && row.1 == 2 && row.4 == 247)
  }

  @Test func `JSONColumn`() throws {
    let towns = try members.project(.json("address", "town", as: String.self))
    #expect(towns == ["Brno"])
  }
}
