import CriteriaTesting
import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Untrusted criteria end: what is too much for their limits is refused, and the rest ends within its budget, on both stores.
struct BudgetDifferentialTests {
  private static let staff: EntityDescription = EntityDescription(
    "person", key: .generated("id"),
    attributes: [
      Attribute("id", .integer), Attribute("name", .text), Attribute("rank", .integer, optional: true),
      Attribute("bossID", .integer, optional: true),
    ], relationships: [.toOne("boss", staff, by: "bossID"), .toMany("reports", staff, by: "bossID")])

  /// People who all have the first as their boss.
  private func store(_ which: Both, _ count: Int) throws -> any EntityStore {
    let store = try which.store(for: [Self.staff])
    let people = try (0..<count).map { number in
      try DynamicEntity(Self.staff, ["name": .text("p\(number)"), "rank": .integer(Int64(number)), "bossID": number == 0 ? .null : 1])
    }
    _ = try store.insert(people, in: EntityTarget(Self.staff))
    return store
  }

  private func criteria(_ filter: String, limits: CriteriaDecoder.Limits = .own, _ budget: RunBudget? = RunBudget()) throws -> Criteria {
    let json = #"{"version":1,"entity":"person","filter":\#(filter)}"#
    let decoder = CriteriaDecoder(allowing: .everything, limits: limits, budget: budget)
    return try decoder.decode(Data(json.utf8), of: [Self.staff]).criteria
  }

  /// Counts of counts over all colleagues.
  private static func nested(_ depth: Int) -> String {
    (0..<depth).reduce("true") { inner, _ in
      #"{"compare":{"count":"*","over":"boss.reports","where":\#(inner)},"is":">=","to":{"value":0}}"#
    }
  }

  @Test func `what relationships cost together is limited, nested ones multiplied`() throws {
    func problem(_ filter: String, _ limit: Int? = nil) -> String? {
      var limits = CriteriaDecoder.Limits()
      if let limit { limits.relationshipCost = limit }
      do {
        _ = try criteria(filter, limits: limits)
        return nil
      } catch DAOError.invalidCriteria(_, let problems) { return problems.first?.description } catch { return "\(error)" }
    }
    let path = #"{"isNull":"boss.boss.boss.boss.rank"}"#
    func anyOf(_ count: Int) -> String { #"{"any":[\#(Array(repeating: path, count: count).joined(separator: ","))]}"# }
    #expect(problem(anyOf(375)) == nil)
    #expect(problem(anyOf(376))?.hasPrefix("$.filter.any[375].isNull: makes the relationships of the whole cost more than 1500") == true)
    #expect(problem(Self.nested(3)) == nil && problem(Self.nested(4))?.contains("cost more than 1500") == true)
    // A relationship to many rows costs 10, what is within ten times as much, and so on.
    let some = #"{"some":"reports","where":{"some":"boss","where":{"some":"reports","where":{"isNull":"boss.name"}}}}"#
    #expect(problem(some, 10 + 10 + 100 + 100) == nil && problem(some, 10 + 10 + 100 + 99) != nil)
    #expect(problem(#"{"some":"boss.reports.boss"}"#, 1 + 10 + 10) == nil && problem(#"{"some":"boss.reports.boss"}"#, 20) != nil)
  }

  @Test(arguments: Both.allCases)
  func `what its budget does not allow is an error that says so, and changes nothing`(which: Both) throws {
    let (store, target) = (try store(which, 300), EntityTarget(Self.staff))
    let limited = try criteria(#"{"compare":{"lower":"name"},"is":"!=","to":{"value":"x"}}"#, RunBudget(steps: 500, time: .seconds(3600)))
    func exceeds(_ body: () throws -> Void) -> Bool {
      do { try body() } catch DAOError.budgetExceeded("person", .steps(500)) { return true } catch { Issue.record(error) }
      return false
    }
    #expect(exceeds { _ = try store.find(DynamicEntity.self, in: target, limited) })
    #expect(exceeds { _ = try store.count(in: target, limited) })
    #expect(exceeds { _ = try store.update(in: target, limited, set: [Criteria.Change(.field(FieldPath("rank")), .value(0))]) })
    #expect(exceeds { _ = try store.delete(in: target, limited) })
    var counted = limited
    counted.columns = [Criteria.Column(.aggregate(.count, nil))]
    #expect(exceeds { _ = try store.report(in: target, counted) { try $0.takeScalar() } })
    var free = limited
    free.budget = nil
    #expect(try store.count(in: target, free) == 300 && store.count(in: target, counted.within(RunBudget(steps: 100_000))) == 1)
    free.filter = .compare(.field(FieldPath("rank")), .equal, .value(0))
    #expect(try store.count(in: target, free) == 1)
  }

  @Test func `the evaluator works out once what does not depend on the row`() throws {
    // 200 people, each with 200 colleagues, four times over: 200^5 where each is asked anew.
    let (store, target) = (try store(.evaluator, 200), EntityTarget(Self.staff))
    for depth in 1...4 {
      let steps = 200 * 200 * 3 * depth + 10_000
      #expect(try store.count(in: target, criteria(Self.nested(depth), RunBudget(steps: steps, time: .seconds(3600)))) == 200, "\(depth)")
    }
    // SQLite asks anew, and ends.
    let sqlite = try self.store(.sqlite, 200)
    #expect {
      try sqlite.count(in: target, criteria(Self.nested(4), RunBudget(steps: 1_000_000, time: .seconds(3600))))
    } throws: {
      if case DAOError.budgetExceeded("person", .steps(1_000_000)) = $0 { true } else { false }
    }
    // A function of values, an aggregate over all rows, and what a row's boss has to do with it, are the same for all.
    for (filter, count) in [
      (#"{"compare":"rank","is":"<","to":{"max":"rank"}}"#, 199), (#"{"compare":{"lower":{"value":"P"}},"is":"!=","to":"name"}"#, 200),
      (#"{"some":"boss","where":{"compare":{"count":"*","over":"reports"},"is":"==","to":{"value":199}}}"#, 199),
    ] {
      #expect(try store.count(in: target, criteria(filter, RunBudget(steps: 200 * 12, time: .seconds(3600)))) == count, "\(filter)")
    }
  }

  private static func contains(_ count: Int) -> String {
    #"{"contains":"name","pattern":"\#(String(repeating: "a", count: count))"}"#
  }

  @Test func `a decoder that is told nothing gives a budget`() throws {
    let json = Data(#"{"version":1,"entity":"person"}"#.utf8)
    #expect(try CriteriaDecoder().decode(json, of: [Self.staff]).criteria.budget == RunBudget(steps: 50_000_000, time: .seconds(5)))
  }

  @Test func `each aggregate of a report takes a step for each row that it is of`() throws {
    let (store, target) = (try store(.evaluator, 300), EntityTarget(Self.staff))
    func report(_ steps: Int) throws -> Int {
      var criteria = Criteria()
      criteria.columns = (0..<100).map { Criteria.Column(.aggregate(.max, .field(FieldPath("rank"))), name: "c\($0)") }
      criteria.budget = RunBudget(steps: steps, time: .seconds(3600))
      return try store.report(in: target, criteria) { $0.columnCount }.count
    }
    #expect(try report(40_000) == 1)
    #expect { try report(25_000) } throws: { if case DAOError.budgetExceeded("person", .steps(25_000)) = $0 { true } else { false } }
  }

  @Test func `needles and phrases are limited, and are found in as many steps as the text has bytes`() throws {
    for (filter, problem) in [
      (Self.contains(2_001), "$.filter.pattern: has 2001 bytes; 2000 are allowed"),
      (#"{"like":"name","pattern":"\#(String(repeating: "ä", count: 1_001))"}"#, "$.filter.pattern: has 2002 bytes; 2000 are allowed"),
    ] {
      #expect(problems { _ = try criteria(filter, limits: CriteriaDecoder.Limits()) } == [problem])
    }
    #expect(problems { _ = try criteria(Self.contains(2_000), limits: CriteriaDecoder.Limits()) } == [])
    let note = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true)])
    for (count, expected) in [(64, []), (65, ["$.filter.text: has 65 words; 64 are allowed"])] {
      let words = Array(repeating: "a", count: count).joined(separator: " ")
      let json = #"{"version":1,"entity":"note","filter":{"match":"*","text":"\#(words)","words":"phrase"}}"#
      #expect(problems { _ = try CriteriaDecoder().decode(Data(json.utf8), of: [note]) } == expected)
    }
    let text = String(repeating: "a", count: 100_000)
    for (match, pattern, most) in [
      (Criteria.TextComparison.contains, String(repeating: "a", count: 50_000) + "b", 100_000),
      (.like, "*" + String(repeating: "a", count: 2_000) + "b", 100_000 * 32),
      (.like, String(repeating: "a*", count: 1_000) + "b", 100_000 * 17),
      (.like, "*" + String(repeating: "a?", count: 900) + "b", 100_000 * 30),
    ] {
      let fitting = TextPattern(match, pattern, caseSensitive: true)
      #expect(fitting.steps(bytes: text.utf8.count) <= most / RunBudget.bytesPerStep)
      var text = text
      #expect(!text.withUTF8 { fitting.fits($0) })
    }
  }

  @Test(arguments: [#""highlight":"text","start":"<","end":">""#, #""snippet":"text","start":"<","end":">","ellipsis":"…","size":9"#])
  func `what is shown of a search costs as much as a relationship to many`(shown: String) throws {
    let note = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text, searchable: true)])
    var limits = CriteriaDecoder.Limits()
    limits.relationshipCost = 30
    for (count, problem) in [
      (3, nil), (4, "makes the relationships of the whole cost more than 30: 1 to a row, 10 to many, times what is within"),
    ] {
      let columns = (0..<count).map { #"{"term":{\#(shown),"match":"*","text":"a"},"as":"c\#($0)"}"# }.joined(separator: ",")
      let json = #"{"version":1,"entity":"note","project":[\#(columns)]}"#
      let found = problems { _ = try CriteriaDecoder(limits: limits).decode(Data(json.utf8), of: [note]) }
      #expect(found == (problem.map { ["$.project[3].term: \($0)"] } ?? []))
    }
  }

  @Test(arguments: Both.allCases)
  func `functions of texts count the bytes that they read`(which: Both) throws {
    let (store, target) = (try which.store(for: [Self.staff]), EntityTarget(Self.staff))
    let scale = TestCases.count(10, inSuite: 1)
    let text = String(repeating: " ", count: 64_000 * scale)
    _ = try store.insert((0..<10).map { _ in try DynamicEntity(Self.staff, ["name": .text(text), "rank": 1]) }, in: target)
    for filter in [
      #"{"compare":{"lower":"name"},"is":"==","to":{"value":"x"}}"#, #"{"compare":{"upper":"name"},"is":"==","to":{"value":"x"}}"#,
      #"{"compare":{"length":"name"},"is":"==","to":{"value":1}}"#, #"{"compare":{"trim":"name"},"is":"==","to":{"value":"x"}}"#,
      #"{"contains":"name","pattern":"x"}"#, #"{"like":"name","pattern":"*x"}"#,
      #"{"beginsWith":"name","pattern":"x","caseSensitive":false}"#,
    ] {
      // Ten texts of 1,000 steps each, or 10,000.
      #expect(try store.count(in: target, criteria(filter, RunBudget(steps: 15_000 * scale, time: .seconds(3600)))) == 0, "\(filter)")
      #expect("\(filter)") {
        try store.count(in: target, criteria(filter, RunBudget(steps: 5_000 * scale, time: .seconds(3600))))
      } throws: {
        if case DAOError.budgetExceeded("person", .steps(5_000 * scale)) = $0 { true } else { false }
      }
    }
  }

  @Test func `decimals that are kept as text count each comparison`() throws {
    let item = EntityDescription(
      "item", key: .generated("id"),
      attributes: [Attribute("id", .integer), Attribute("name", .text), Attribute("price", .decimal(.text))])
    let (store, target) = (try Both.sqlite.store(for: [item]), EntityTarget(item))
    let items = try (0..<2_000).map { number in
      let price = Decimal(number * 7_919 % 2_000) / 100
      return try DynamicEntity(item, ["name": .text("\(price)"), "price": .decimal(price)])
    }
    _ = try store.insert(items, in: target)
    func isEnough(_ steps: Int, orderedBy attribute: String) throws -> Bool {
      var criteria = Criteria()
      criteria.orders = [Criteria.Ordering(.field(FieldPath(attribute)), .ascending)]
      criteria.budget = RunBudget(steps: steps, time: .seconds(3600))
      do { return try store.find(DynamicEntity.self, in: target, criteria).count == 2_000 } catch DAOError.budgetExceeded { return false }
    }
    var (tooFew, enough) = (0, 1_000_000)
    while enough - tooFew > 500 {
      let middle = (tooFew + enough) / 2
      if try isEnough(middle, orderedBy: "name") { enough = middle } else { tooFew = middle }
    }
    // A sort compares at least half as often as each row with each of log2 of the rows.
    #expect(try !isEnough(enough + 10_000, orderedBy: "price") && isEnough(enough + 40_000, orderedBy: "price"))
  }

  /// Whatever the fuzzer makes ends, on tables of 10,000 rows: with an answer, or with an error that says why not.
  @Test(arguments: 0..<TestCases.count(3, inSuite: 1))
  func `whatever is within the limits ends within its budget on 10,000 rows`(number: Int) throws {
    let seed = TestCases.seed &+ UInt64(number)
    let world = try World(seed: seed, rowsInEach: 10_000)
    let stores = try DAODifferential.Stores(world)
    var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: ~seed))
    let decoder = CriteriaDecoder(allowing: .everything, budget: RunBudget(steps: 1_000_000, time: .seconds(3600)))
    var (answered, ended) = (0, 0)
    let count = TestCases.count(40, inSuite: 10)
    for _ in 0..<count {
      let (entity, criteria) = maker.any()
      guard let json = try? criteria.json(of: entity), let read = try? decoder.decode(Data(json.utf8), of: [entity]).criteria else {
        continue
      }
      for store in [stores.evaluator, stores.sqlite] as [any EntityStore] {
        do {
          _ =
            try read.columns.isEmpty
            ? store.findKeys(DynamicEntity.self, in: EntityTarget(entity), read).count
            : store.report(in: EntityTarget(entity), read) { try $0.takeStored() }.count
          answered += 1
        } catch DAOError.budgetExceeded(_, let limit) {
          #expect(limit == .steps(1_000_000))
          ended += 1
        } catch is DAOError {
          answered += 1
        }
      }
    }
    #expect(answered > count / 2, "\(answered) answered, \(ended) ended")
  }
}

extension Criteria {
  fileprivate func within(_ budget: RunBudget) -> Criteria {
    var criteria = self
    criteria.budget = budget
    return criteria
  }
}
