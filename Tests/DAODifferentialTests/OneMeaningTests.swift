import DAODifferential
import DAOKit
import Foundation
import Testing

/// What both stores could answer differently, and must not.
struct OneMeaningTests {
  private static let entity = EntityDescription(
    "row", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("integer", .integer, optional: true), Attribute("real", .real, optional: true),
      Attribute("any", .any, optional: true), Attribute("text", .text, optional: true),
      Attribute("decimal", .decimal(.text), optional: true),
    ])

  private func store(_ which: Both, _ rows: [[String: Scalar]], indexes: [Index] = []) throws -> (any EntityStore, EntityTarget) {
    let entity = EntityDescription("row", key: .generated("id"), attributes: Self.entity.attributes, indexes: indexes)
    let store = try which.store(for: [entity])
    let target = EntityTarget(entity)
    _ = try store.insert(rows.map { try DynamicEntity(entity, $0) }, in: target)
    return (store, target)
  }

  private func report(_ store: (any EntityStore, EntityTarget), _ terms: Criteria.Term...) throws -> [[Scalar]] {
    var criteria = Criteria()
    criteria.columns = terms.enumerated().map { Criteria.Column($1, name: "\($0)") }
    return try store.0.report(in: store.1, criteria) { row in try terms.map { _ in try row.takeScalar() } }
  }

  private func count(_ store: (any EntityStore, EntityTarget), _ filter: Criteria.Condition) throws -> Int {
    var criteria = Criteria()
    criteria.filter = filter
    return try store.0.count(in: store.1, criteria)
  }

  private func field(_ name: String) -> Criteria.Term { .field(FieldPath(name)) }

  @Test(arguments: Both.allCases)
  func `what is less than a half is rounded to 0`(which: Both) throws {
    let rows = try store(
      which, [0.49999999999999994, -0.49999999999999994, 0.5, -2.5, 4_503_599_627_370_497.5].map { ["real": .real($0)] })
    #expect(
      try report(rows, .function(.round, [field("real")])) == [[0.0], [0.0], [1.0], [-3.0], [4_503_599_627_370_498.0]])
  }

  @Test(arguments: Both.allCases)
  func `a value between an integer and a double is the number that it is`(which: Both) throws {
    let rows = try store(which, [["integer": 1, "real": 9_007_199_254_740_992.0]])
    for (value, found) in [(9_007_199_254_740_993, 0), (9_007_199_254_740_992, 1)] as [(Int64, Int)] {
      #expect(try count(rows, .between(.value(.integer(value)), field("integer"), field("real"))) == found)
      #expect(try count(rows, .not(.between(.value(.integer(value)), field("integer"), field("real")))) == 1 - found)
    }
  }

  @Test(arguments: Both.allCases)
  func `a value between a column without a type and one with another is compared as it is`(which: Both) throws {
    func count(_ value: Scalar, _ low: (String, Scalar), _ high: (String, Scalar)) throws -> Int {
      let rows = try store(which, [[low.0: low.1, high.0: high.1]])
      return try self.count(rows, .between(.value(value), field(low.0), field(high.0)))
    }
    // Numbers come before texts, whatever these spell.
    #expect(try count(1, ("any", 1.0), ("decimal", .decimal(Decimal(string: "0.000001") ?? 0))) == 1)
    #expect(try count("0", ("any", 1), ("text", "1")) == 1 && count("0", ("any", "1"), ("text", "1")) == 0)
    #expect(try count(5, ("any", "4"), ("integer", 7)) == 0 && count(5, ("any", 4), ("integer", 7)) == 1)
    #expect(try count("b", ("text", "a"), ("any", 5)) == 0 && count("b", ("text", "a"), ("any", "c")) == 1)
    #expect(try count(5, ("integer", 4), ("any", "4")) == 1 && count(5, ("integer", 4), ("any", 4)) == 0)
  }

  @Test(arguments: Both.allCases)
  func `a sum overflows only where it does not fit itself, with an index or without`(which: Both) throws {
    for indexes in [[], [Index(on: "integer")]] {
      let fits = try store(which, [.integer(.max), 1, -5].map { ["integer": $0] }, indexes: indexes)
      #expect(try report(fits, .aggregate(.sum, field("integer"))) == [[.integer(.max - 4)]])
      #expect(try count(fits, .compare(.aggregate(.sum, field("integer")), .equal, .value(.integer(.max - 4)))) == 3)
      let overflows = try store(which, [.integer(.max), 1, 0].map { ["integer": $0] }, indexes: indexes)
      #expect { try report(overflows, .aggregate(.sum, field("integer"))) } throws: {
        if case DAOError.overflow = $0 { true } else { false }
      }
    }
    let least = try store(which, [.integer(.min), -1, 1].map { ["integer": $0] })
    #expect(
      try report(least, .aggregate(.sum, field("integer")), .aggregate(.average, field("integer"))) == [
        [.integer(.min), .real(-0x1p63 / 3)]
      ])
  }

  @Test(arguments: Both.allCases)
  func `a sum of doubles is the nearest double, in any order`(which: Both) throws {
    let sums: [([Double], Double)] = [
      ([1e16, 1, -1e16], 1), ([0.1, 0.2, 0.3], 0.6), ([1e300, 1, -1e300, 1e-300], 1),
      ([.greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude], .greatestFiniteMagnitude),
      ([.infinity, 1, 1], .infinity),
      ([.leastNonzeroMagnitude, .leastNonzeroMagnitude, -1, 1], 2 * .leastNonzeroMagnitude), ([0x1p53, 1, 0x1p-40], 0x1p53 + 2),
      ([0x1p53, 1], 0x1p53),
    ]
    for (numbers, sum) in sums {
      for numbers in [numbers, numbers.reversed(), numbers.sorted()] {
        let rows = try store(which, numbers.map { ["real": .real($0)] })
        #expect(try report(rows, .aggregate(.sum, field("real"))) == [[.real(sum)]], "\(numbers)")
      }
    }
    let none = try store(which, [.infinity, -.infinity].map { ["real": .real($0)] })
    #expect(try report(none, .aggregate(.sum, field("real")), .aggregate(.average, field("real"))) == [[.null, .null]])
  }

  @Test(arguments: Both.allCases)
  func `a sum of decimals fits where it does itself`(which: Both) throws {
    let nines = Decimal(string: String(repeating: "9", count: 38)) ?? 0
    let rows = try store(which, [nines, nines, -nines, 1, -1].map { ["decimal": .decimal($0)] })
    #expect(try report(rows, .aggregate(.sum, field("decimal"))) == [[.decimal(nines)]])
    let small = try store(which, [nines, Decimal(string: "0.1") ?? 0].map { ["decimal": .decimal($0)] })
    #expect { try report(small, .aggregate(.sum, field("decimal"))) } throws: { if case DAOError.overflow = $0 { true } else { false } }
    let negative = try store(which, ["-0.3", "-10", "9.75"].map { ["decimal": .decimal(Decimal(string: $0) ?? 0)] })
    #expect(try report(negative, .aggregate(.sum, field("decimal"))) == [[.decimal(Decimal(string: "-0.55") ?? 0)]])
  }

  @Test(arguments: Both.allCases)
  func `in a column without a type, functions of text take texts, and functions of numbers numbers`(which: Both) throws {
    let rows = try store(which, [5, 1.5, "5", " Ä ", .data(Data("a".utf8)), .null].map { ["any": $0, "integer": 5, "text": "5"] })
    for match in Criteria.TextComparison.allCases {
      for caseSensitive in [true, false] {
        let fits = Criteria.Condition.matches(field("any"), match, "5", caseSensitive: caseSensitive)
        #expect(try [count(rows, fits), count(rows, .not(fits))] == [1, 5], "\(match)")
      }
    }
    #expect(
      try report(rows, .function(.lower, [field("any")]), .function(.trim, [field("any")]), .function(.length, [field("any")])) == [
        [.null, .null, .null], [.null, .null, .null], ["5", "5", 1], [" ä ", "Ä", 3], [.null, .null, .null], [.null, .null, .null],
      ])
    #expect(
      try report(rows, .function(.abs, [field("any")]), .function(.round, [field("any")])) == [
        [5, 5.0], [1.5, 2.0], [.null, .null], [.null, .null], [.null, .null], [.null, .null],
      ])
    #expect(try report(rows, .aggregate(.sum, field("any")), .aggregate(.average, field("any"))) == [[6.5, 3.25]])
    // A text is no number, and a number no text, whatever it is compared with.
    #expect(try count(rows, .compare(field("any"), .equal, field("integer"))) == 1)
    #expect(try count(rows, .compare(field("text"), .equal, field("any"))) == 1)
    #expect(try count(rows, .compare(.function(.coalesce, [field("any"), .value(0)]), .less, field("integer"))) == 2)
  }

  @Test(arguments: Both.allCases)
  func `an update goes through the rows by their row ids, whatever the index`(which: Both) throws {
    let entity = EntityDescription(
      "row", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("place", .integer), Attribute("next", .integer)],
      indexes: [Index(on: "place", unique: true)])
    let target = EntityTarget(entity)
    var all = Criteria()
    all.filter = .compare(field("place"), .greater, .value(0))
    for rows: [[String: Scalar]] in [
      [["id": 2, "place": 1, "next": 2], ["id": 1, "place": 2, "next": 3]], [["place": 2, "next": 3], ["place": 1, "next": 2]],
    ] {
      let store = try which.store(for: [entity])
      _ = try store.insert(rows.map { try DynamicEntity(entity, $0) }, in: target)
      #expect(try store.update(in: target, all, set: [Criteria.Change(field("place"), field("next"))]) == 2)
    }
    let store = try which.store(for: [entity])
    _ = try store.insert([[1, 2], [2, 3]].map { try DynamicEntity(entity, ["place": $0[0], "next": $0[1]]) }, in: target)
    #expect { try store.update(in: target, all, set: [Criteria.Change(field("place"), field("next"))]) } throws: {
      if case DAOError.constraint(.unique, _, _, _) = $0 { true } else { false }
    }
  }

  @Test(arguments: Both.allCases)
  func `more terms than SQLite takes are problems of the criteria`(which: Both) throws {
    let (store, target) = try store(which, [])
    func problem(_ change: (inout Criteria) -> Void) -> String? {
      var criteria = Criteria()
      change(&criteria)
      do {
        if criteria.columns.isEmpty {
          _ = try store.find(DynamicEntity.self, in: target, criteria)
        } else {
          _ = try store.report(in: target, criteria) { _ in }
        }
        return nil
      } catch DAOError.invalidCriteria(_, let problems) { return problems.map { "\($0.path): \($0.message)" }.joined() } catch {
        return "\(error)"
      }
    }
    func coalesce(_ count: Int) -> Criteria.Condition { .isNull(.function(.coalesce, Array(repeating: field("text"), count: count))) }
    #expect(problem { $0.filter = coalesce(128) } == "text: coalesce takes at most 127 terms, not 128")
    #expect(problem { $0.filter = coalesce(127) } == nil)
    func orders(_ count: Int) -> [Criteria.Ordering] { Array(repeating: Criteria.Ordering(field("text")), count: count) }
    #expect(problem { $0.orders = orders(2_001) } == "order: has 2001 terms; a statement takes 2000")
    #expect(problem { $0.orders = orders(2_000) } == nil)
    func columns(_ count: Int) -> [Criteria.Column] { (0..<count).map { Criteria.Column(field("text"), name: "\($0)") } }
    #expect(problem { $0.columns = columns(2_001) } == "project: has 2001 terms; a statement takes 2000")
    #expect(problem { $0.columns = columns(2_000) } == nil)
  }

  @Test(arguments: Both.allCases)
  func `a function of null is null beside an attribute of a row that is not there`(which: Both) throws {
    let store = try which.store(for: Library.entities)
    _ = try store.insert([try DynamicEntity(Library.author, ["id": 1, "name": "a"])], in: EntityTarget(Library.author))
    var criteria = Criteria()
    criteria.filter = .compare(.field(FieldPath("mentor.name")), .equal, .function(.lower, [.value(.null)]))
    #expect(try store.count(in: EntityTarget(Library.author), criteria) == 1)
    criteria.filter = .not(criteria.filter)
    #expect(try store.count(in: EntityTarget(Library.author), criteria) == 0)
  }

  @Test(arguments: Both.allCases)
  func `an upsert leaves a row alone whose values are equal, whatever keeps them`(which: Both) throws {
    let (store, target) = try store(which, [["id": 1, "any": 1.0]])
    func upsert(_ value: Scalar) throws -> [UpsertOutcome] {
      try store.upsert([try DynamicEntity(target.entity, ["id": 1, "any": value])], UpsertRule(), in: target).map(\.outcome)
    }
    #expect(try upsert(1) == [.unchanged])
    #expect(try upsert("1") == [.updated])
  }

  @Test(arguments: Both.allCases)
  func `an update finds its rows before it changes any`(which: Both) throws {
    let entity: EntityDescription = Library.author
    let store = try which.store(for: Library.entities)
    let rows: [[String: Scalar]] = [["id": 1, "name": "a", "rank": 1], ["id": 2, "name": "b", "rank": 1, "mentorID": 1]]
    _ = try store.insert(rows.map { try DynamicEntity(entity, $0) }, in: EntityTarget(entity))
    var criteria = Criteria()
    criteria.filter = .isNull(.field(FieldPath("mentor.rank")))
    #expect(try store.update(in: EntityTarget(entity), criteria, set: [Criteria.Change(field("rank"), field("mentorID"))]) == 1)
  }
}
