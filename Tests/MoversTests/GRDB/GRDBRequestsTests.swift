import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-grdb.md, section “Requests”.
@Suite(.ownStore { try World.makeFactory() }) struct GRDBRequestsTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `Person.all()`() throws {
    do {
      let all = SearchCriteria<Person>.all
      #expect(try people.count(all) == 5)
    }
    do {
      let none = SearchCriteria<Person>.where(.nothing)
      #expect(try people.count(none) == 0)
    }
  }

  @Test func `fetchOne(_:)`() throws {
    #expect(try Person.findFirst(criteria)?.id == 5)
  }

  @Test func `fetchSet(_:)`() throws {
    do {
      let names: [String] = try people.project(.field(\.lastName), matching: criteria)
      let set = Set(names)
      #expect(set.count == 5)
    }
    do {
      let same = try people.distinctValues(of: \.lastName)
      #expect(same.count == 5)
    }
    do {
      #expect(try Person.distinctValues(of: \.lastName).count == 5)
    }
  }

  @Test func `fetchCursor(_:)`() throws {
    let first = try people.withCursor(criteria) { cursor in try cursor.next() }
    #expect(first?.id == 5)
  }

  @Test func `isEmpty(_:)`() throws {
    do {
      let isEmpty = try !people.exists(criteria)
      #expect(!isEmpty)
    }
    do {
      #expect(try !Person.exists(criteria) == false)
    }
  }

  @Test func `filter(sql:arguments:)`() throws {
    let found = try people.query("SELECT * FROM person WHERE length(lastName) > \(5)")
    #expect(found.isEmpty)
  }

  @Test func `select(_:as:)`() throws {
    let rows = try people.project(.field(\.lastName), .length(\.city), matching: criteria)
    #expect(rows.first?.0 == "Berg" && rows.first?.1 == 4)
  }

  @Test func `asRequest(of:)`() throws {
    struct Line: Decodable { var lastName: String; var age: Int }
    let lines = try people.project(.all.project(.field(\.lastName), .field(\.age)), as: Line.self)
    #expect(lines.count == 5)
  }

  @Test func `order { age.desc }`() throws {
    let sorted = criteria.order(by: .descending(\.age, nulls: .first), .ascending(\.lastName))
    #expect(keys(try people.findAll(sorted)) == [5, 1, 4, 2, 3])
  }

  @Test func `orderByPrimaryKey()`() throws {
    let sorted = SearchCriteria<Person>.all.order(by: \.id)
    #expect(keys(try people.findAll(sorted)) == [1, 2, 3, 4, 5])
  }

  @Test func `limit(_:offset:)`() throws {
    let part = criteria.limit(20, offset: 40)
    #expect(try people.count(part) == 0)
  }

  @Test func `distinct()`() throws {
    do {
      let cities = try people.project(.field(\.city), matching: .all.distinct())
      #expect(cities.count == 3)
    }
    do {
      let same = try people.distinctValues(of: \.city)
      #expect(same == ["Brno", "Praha"])
    }
  }

  @Test func `updateAll(_:_:)`() throws {
    let count = try people.update(.where { $0.age > 90 }, set: .set(\.city, to: nil))
    #expect(count == 1)
  }

  @Test func `Column("age") += 1`() throws {
    let count = try people.execute("UPDATE person SET age = age + 1")
    #expect(count == 5)
  }

  @Test func `deleteAndFetchAll(_:)`() throws {
    let gone = try factory.write { session in
      let people = session.runtimeDAO(Person.self); let found = try people.findAll(.where { $0.age > 90 });
      try people.delete(found.compactMap(\.id)); return found
    }
    #expect(keys(gone) == [4])
    #expect(try people.count() == 4)
  }

  @Test func `with(_:)`() throws {
    let found = try people.query("WITH old AS (SELECT * FROM person WHERE age > 60) SELECT * FROM old")
    #expect(keys(found).sorted() == [3, 4])
  }

  @Test func `Table("person")`() throws {
    let rows = try factory.runtimeDAO("person").findAll()
    #expect(rows.count == 5)
  }
}
