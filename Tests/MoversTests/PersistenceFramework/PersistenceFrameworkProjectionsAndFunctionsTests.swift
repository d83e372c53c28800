import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-coredata-persistence-framework.md, section “Projections and functions”.
@Suite(.ownStore { try World.makeFactory() }) struct PersistenceFrameworkProjectionsAndFunctionsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `createWithProperty:`() throws {
    do {
      let names = try people.project(.field(\.lastName), .field(\.age))
      #expect(names.count == 5)
    }
    do {
      let rows = try people.dictionaries(.all.project(.field(\.lastName)))
      #expect(rows.first?["lastName"] == "Berg")
    }
  }

  @Test func `createWithFunction:`() throws {
    let lengths = try people.project(.length(\.lastName))
    #expect(lengths.compactMap { $0 }.sorted() == [3, 4, 5, 5, 5])
  }

  @Test func `min:resultType:`() throws {
    do {
      let youngest = try people.minimum(of: \.age)
      #expect(youngest == 25)
    }
    do {
      #expect(try Person.minimum(of: \.age) == 25)
    }
  }

  @Test func `max:resultType:`() throws {
    let oldest = try people.maximum(of: \.age)
    #expect(oldest == 95)
  }

  @Test func `sum:resultType:`() throws {
    do {
      let total = try people.sum(of: \.salary)
      #expect(total == 3000.5)
    }
    do {
      #expect(try Person.sum(of: \.salary) == 3000.5)
    }
  }

  @Test func `lower:resultType:`() throws {
    do {
      let names = try people.project(.lower(\.lastName))
      #expect(names.sorted().first == "berg")
    }
    do {
      let count = try people.count(.where { $0.lastName.lowercased() == "lee" })
      #expect(count == 1)
    }
  }

  @Test func `count:`() throws {
    let sizes = try companies.project(.field(\.name), .count(\.people))
    #expect(sizes.map { $0.1 } == [2, 2, 0])
  }

  @Test func `(none)`() throws {
    let means = try people.project(.group(by: \.city), .average(\.age), .count)
    #expect(means.count == 3)
  }

  @Test func `name`() throws {
    let column = Projection<Person, Int?>.max(\.age).column.name
    #expect(column == "max:age")
  }
}
