import DAOActiveRecordTestSupport
import DAOMacros
import Foundation
import Testing

/// The code of Documentation/from-core-data.md, section “Predicates”.
@Suite(.ownStore { try World.makeFactory() }) struct CoreDataPredicatesTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `age == 30`() throws {
    let filter: Filter<Person> = \.age >= 30
    #expect(try keys(where: filter) == [1, 3, 4, 5])
  }

  @Test func `age BETWEEN {30, 40}`() throws {
    let filter: Filter<Person> = .between(\.age, 30...40)
    #expect(try keys(where: filter) == [1, 5])
  }

  @Test func `NOT (city IN %@)`() throws {
    let filter: Filter<Person> = .notIn(\.city, ["Brno"])
    #expect(try keys(where: filter) == [2, 3, 4])
  }

  @Test func `lastName BEGINSWITH "No"`() throws {
    let filter: Filter<Person> = .beginsWith(\.lastName, "No", caseSensitive: false)
    #expect(try keys(where: filter) == [2, 3])
  }

  @Test func `CONTAINS`() throws {
    do {
      let filter: Filter<Person> = .contains(\.lastName, "va", caseSensitive: false)
      #expect(try keys(where: filter) == [3])
    }
    do {
      let end: Filter<Person> = .endsWith(\.lastName, "ák")
      #expect(try keys(where: end) == [2])
    }
  }

  @Test func `==[c]`() throws {
    let filter: Filter<Person> = .lower(\.lastName) == "novák"
    #expect(try keys(where: filter) == [2])
  }

  @Test func `[d]`() throws {
    let filter: Filter<Note> = .match("novak")
    #expect(try notes.findAll(.where(filter)).map(\.text) == ["Bob Novák"])
  }

  @Test func `LIKE`() throws {
    let filter: Filter<Person> = .like(\.lastName, "N?v*", caseSensitive: false)
    #expect(try keys(where: filter) == [2, 3])
  }

  @Test func `company.name == "Acme"`() throws {
    let filter: Filter<Person> = \.company.name == "Acme"
    #expect(try keys(where: filter) == [1, 2])
  }

  @Test func `NONE people.age > 60`() throws {
    let filter: Filter<Company> = .none(\.people, \.age > 60)
    #expect(try keys(where: filter) == [1, 3])
  }

  @Test func `SUBQUERY(people, $p, $p.age > 60 AND $p.city == nil).@count > 2`() throws {
    let filter: Filter<Company> = .count(\.people, where: \.age > 60 && \.city == nil) > 2
    #expect(try keys(where: filter) == [])
  }

  @Test func `people.@count > 2`() throws {
    let filter: Filter<Company> = .sum(\.people, \.age) > 100
    #expect(try keys(where: filter) == [])
  }

  @Test func `age == age.@max`() throws {
    let filter: Filter<Person> = \.age == .max(\.age)
    #expect(try keys(where: filter) == [4])
  }

  @Test func `SELF == %@`() throws {
    let filter: Filter<Person> = .in(\.id, ids)
    #expect(try keys(where: filter) == [1, 2])
  }

  @Test func `company == %@`() throws {
    let filter: Filter<Person> = \.company == 7
    #expect(try keys(where: filter) == [])
  }

  @Test func `firstName == lastName`() throws {
    let filter: Filter<Person> = \.firstName == \.lastName
    #expect(try keys(where: filter) == [])
  }

  @Test func `TRUEPREDICATE`() throws {
    do {
      let filter: Filter<Person> = .everything
      #expect(try keys(where: filter) == [1, 2, 3, 4, 5])
    }
    do {
      let none: Filter<Person> = .nothing
      #expect(try keys(where: none) == [])
    }
  }

  @Test func `NSCompoundPredicate(andPredicateWithSubpredicates:)`() throws {
    do {
      let filter: Filter<Person> = .all([\.age > 30, \.city == nil])
      #expect(try keys(where: filter) == [4])
    }
    do {
      let any: Filter<Person> = .any([\.age > 30, \.city == nil])
      #expect(try keys(where: any) == [1, 2, 3, 4, 5])
    }
    do {
      let not: Filter<Person> = !(\.age > 30)
      #expect(try keys(where: not) == [2])
    }
  }

  @Test func `NSPredicate(format:)`() throws {
    let filter: Filter<Person> = .field("age") > .integer(30)
    #expect(try keys(where: filter) == [1, 3, 4, 5])
  }

  @Test func `NSPredicate(block:)`() throws {
    let found = try people.findAll().filter { $0.age > 30 }
    #expect(keys(found) == [1, 3, 4, 5])
  }
}
