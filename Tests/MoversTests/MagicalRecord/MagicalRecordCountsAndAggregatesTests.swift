import DAOActiveRecord
import DAOActiveRecordTestSupport
import DAOMacros
import Testing

/// The code of Documentation/from-magicalrecord.md, section “Counts and aggregates”.
@Suite(.ownStore { try World.makeFactory() }) struct MagicalRecordCountsAndAggregatesTests: MoversTest {
  let world: World

  init() throws { world = try World() }

  @Test func `MR_countOfEntities`() throws {
    do {
      let count = try people.count()
      #expect(count == 5)
    }
    do {
      #expect(try Person.count() == 5)
    }
  }

  @Test func `MR_countOfEntitiesWithPredicate:`() throws {
    do {
      let count = try people.count(.where { $0.age > 30 })
      #expect(count == 4)
    }
    do {
      #expect(try Person.count(.where { $0.age > 30 }) == 4)
    }
  }

  @Test func `MR_hasAtLeastOneEntity`() throws {
    do {
      let isThere = try people.exists()
      #expect(isThere)
    }
    do {
      #expect(try Person.exists())
    }
  }

  @Test func `MR_aggregateOperation:onAttribute:withPredicate:`() throws {
    do {
      let sum = try people.sum(of: \.age, matching: .where { $0.city == city })
      #expect(sum == 66)
    }
    do {
      let same = try people.aggregate(.sum, of: "age")
      #expect(same == 247)
    }
    do {
      #expect(try Person.sum(of: \.age) == 247)
    }
  }

  @Test func `MR_aggregateOperation:onAttribute:withPredicate:groupBy:`() throws {
    do {
      let ages = try people.aggregate(.max, of: "age", groupBy: "city")
      #expect(ages.map { $0["max:age"] } == [95, 35, 61])
    }
    do {
      let typed = try people.project(.group(by: \.city), .max(\.age), matching: .all.order(by: \.city))
      #expect(typed.map { $0.0 } == [nil, "Brno", "Praha"] && typed.map { $0.1 } == [95, 35, 61])
    }
    do {
      #expect(try Person.aggregate(.max, of: "age", groupBy: "city").count == 3)
    }
  }

  @Test func `MR_minValueFor:`() throws {
    do {
      let highest = try people.maximum(of: \.age)
      #expect(highest == 95)
    }
    do {
      let lowest = try people.minimum(of: \.age)
      #expect(lowest == 25)
    }
    do {
      #expect(try Person.maximum(of: \.age) == 95)
    }
  }

  @Test func `MR_objectWithMinValueFor:`() throws {
    do {
      let youngest = try people.findFirst(.all.order(by: \.age))
      #expect(youngest?.id == 2)
    }
    do {
      let all = try people.findAll(.where { $0.age == $0.age.min() })
      #expect(keys(all) == [2])
    }
    do {
      #expect(try Person.findMin(by: \.age)?.id == 2)
    }
  }
}
