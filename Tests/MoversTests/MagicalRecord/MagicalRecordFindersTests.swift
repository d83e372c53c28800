import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Finders”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordFindersTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_findAll`() throws {
    do {
      let all = try people.findAll()
      #expect(all.count == 5)
    }
    do {
      #expect(try Person.findAll().count == 5)
    }
  }

  @Test func `MR_findAllSortedBy:ascending:`() throws {
    do {
      let all = try people.findAll(.all.order(by: .descending(\.lastName), .ascending(\.firstName)))
      #expect(keys(all) == [3, 2, 4, 1, 5])
    }
    do {
      #expect(keys(try Person.findAll(sortedBy: "lastName:desc,firstName")) == [3, 2, 4, 1, 5])
    }
  }

  @Test func `MR_findAllSortedBy:ascending:withPredicate:`() throws {
    do {
      let found = try people.findAll(.where { $0.age > 30 }.order(by: \.lastName))
      #expect(keys(found) == [5, 1, 4, 3])
    }
    do {
      #expect(keys(try Person.findAll(sortedBy: "lastName", matching: .where { $0.age > 30 })) == [5, 1, 4, 3])
    }
  }

  @Test func `MR_findAllWithPredicate:`() throws {
    do {
      let found = try people.findAll(.where { $0.age > 30 })
      #expect(found.count == 4)
    }
    do {
      #expect(try Person.findAll(.where { $0.age > 30 }).count == 4)
    }
  }

  @Test func `MR_findFirst`() throws {
    do {
      let first = try people.findFirst()
      #expect(first?.id == 1)
    }
    do {
      #expect(try Person.findFirst()?.id == 1)
    }
  }

  @Test func `MR_findFirstWithPredicate:`() throws {
    do {
      let first = try people.findFirst(.where { $0.age > 30 })
      #expect(first?.id == 1)
    }
    do {
      #expect(try Person.findFirst(.where { $0.age > 30 })?.id == 1)
    }
  }

  @Test func `MR_findFirstWithPredicate:sortedBy:ascending:`() throws {
    do {
      let oldest = try people.findFirst(.where { $0.city == city }.order(by: .descending(\.age)))
      #expect(oldest?.id == 5)
    }
    do {
      #expect(try Person.findFirst(sortedBy: "age:desc", matching: .where { $0.city == city })?.id == 5)
    }
  }

  @Test func `MR_findFirstWithPredicate:andRetrieveAttributes:`() throws {
    let names = try people.project(.field(\.firstName), .field(\.lastName), matching: .where { $0.age > 30 }.order(by: \.lastName).limit(1))
      .first
    #expect(names?.0 == "Ida" && names?.1 == "Berg")
  }

  @Test func `MR_findFirstByAttribute:withValue:`() throws {
    do {
      let ann = try people.findFirst(.where { $0.email == email })
      #expect(ann?.id == 1)
    }
    do {
      #expect(try Person.findFirst(by: \.email, email)?.id == 1)
    }
  }

  @Test func `MR_findFirstOrderedByAttribute:ascending:`() throws {
    do {
      let oldest = try people.findFirst(.all.order(by: .descending(\.age)))
      #expect(oldest?.id == 4)
    }
    do {
      #expect(try Person.findMax(by: \.age)?.id == 4)
    }
  }

  @Test func `MR_findFirstOrCreateByAttribute:withValue:`() throws {
    do {
      let (person, email) = (newPerson, "new@example.org")
      let ann = try people.findFirst(.where { $0.email == email }, orInsert: person)
      #expect(ann.id == 6)
      #expect(try people.findFirst(.where { $0.email == email }, orInsert: person).id == 6)
    }
    do {
      #expect(try Person.findFirst(by: \.email, email, orCreate: person).id == 1)
    }
  }

  @Test func `MR_findByAttribute:withValue:`() throws {
    do {
      let found = try people.findAll(.where { $0.city == city })
      #expect(keys(found) == [1, 5])
    }
    do {
      #expect(keys(try Person.findAll(by: \.city, city)) == [1, 5])
    }
  }

  @Test func `MR_findByAttribute:withValue:andOrderBy:ascending:`() throws {
    do {
      let found = try people.findAll(.where { $0.city == city }.order(by: \.lastName))
      #expect(keys(found) == [5, 1])
    }
    do {
      #expect(keys(try Person.findAll(by: \.city, city, sortedBy: "lastName")) == [5, 1])
    }
  }
}
