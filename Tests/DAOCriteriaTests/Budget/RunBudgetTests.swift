import DAOCriteria
import Foundation
import Testing

/// How much work a query may take.
struct RunBudgetTests {
  @Test(arguments: [1, 7, RunMeter.stepsBetweenReadings, 3 * RunMeter.stepsBetweenReadings + 1])
  func `a meter allows as many steps as its budget has, and none after that`(steps: Int) {
    let meter = RunMeter(RunBudget(steps: steps, time: .seconds(3600)))
    for step in 1...steps {
      #expect(meter.take())
      #expect(meter.steps == step)
    }
    #expect(meter.exceeded == nil)
    #expect(!meter.take() && !meter.take())
    #expect(meter.exceeded == .steps(steps))
  }

  @Test func `steps are counted alike, one by one and many at once`() {
    for steps in [1, 999, 50_000, 1_000_000] {
      let (one, many) = (RunMeter(RunBudget(steps: 1_000_000)), RunMeter(RunBudget(steps: 1_000_000)))
      for _ in 0..<steps { _ = one.take() }
      #expect(many.take(steps) && many.steps == one.steps && many.steps == steps)
      #expect(many.take(1_000_000 - steps) && !many.take())
    }
  }

  @Test func `a meter whose time is over ends at once where the clock is read`() {
    let meter = RunMeter(RunBudget(time: .zero))
    #expect(meter.take() && !meter.take(readingClock: true))
    #expect(meter.exceeded == .time(.zero))
    let patient = RunMeter(RunBudget(steps: 10, time: .seconds(3600)))
    for step in 1...10 { #expect(patient.take(readingClock: true) && patient.steps == step) }
    #expect(!patient.take(readingClock: true) && patient.exceeded == .steps(10))
  }

  @Test func `a meter whose time is over ends at the next reading of the clock`() {
    let meter = RunMeter(RunBudget(time: .zero))
    for _ in 0..<RunMeter.stepsBetweenReadings { #expect(meter.take()) }
    #expect(!meter.take())
    #expect(meter.exceeded == .time(.zero))
  }

  @Test func `a budget is no part of what criteria ask for`() throws {
    var criteria = Criteria()
    criteria.limit = 3
    var limited = criteria
    limited.budget = RunBudget(steps: 5)
    #expect(limited == criteria && limited.hashValue == criteria.hashValue)
    #expect(criteria.budget == nil && limited.budget == RunBudget(steps: 5))
    limited.limit = 4
    #expect(limited.budget == RunBudget(steps: 5) && limited != criteria)
  }

  @Test func `a decoder gives its budget to what it reads, a default one unless it is told otherwise`() throws {
    let json = Data(#"{"version":1,"entity":"item","filter":{"compare":"price","is":">","to":{"value":1}}}"#.utf8)
    func budget(_ decoder: CriteriaDecoder) throws -> RunBudget? {
      try decoder.decode(SearchCriteria<Item>.self, from: json).criteria.budget
    }
    #expect(try budget(CriteriaDecoder()) == RunBudget(steps: 50_000_000, time: .seconds(5)))
    #expect(try budget(CriteriaDecoder(budget: RunBudget(steps: 9))) == RunBudget(steps: 9))
    #expect(try budget(CriteriaDecoder(budget: nil)) == nil)
    let filtered = try CriteriaDecoder().decode(SearchCriteria<Item>.self, from: json).filter(\.price < 5).order(by: \.name).limit(2)
    #expect(filtered.criteria.budget == RunBudget())
    let own = try JSONDecoder().decode(SearchCriteria<Item>.self, from: json)
    #expect(own.criteria.budget == nil)
  }
}
