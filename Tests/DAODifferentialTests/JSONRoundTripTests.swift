import DAODifferential
import DAOKit
import Foundation
import Testing

/// Random criteria, written as JSON and read again.
struct JSONRoundTripTests {
  private static let count = ProcessInfo.processInfo.environment["DAO_CASES"].flatMap { Int($0) } ?? 2000

  private func readAgain(_ criteria: Criteria, of entity: EntityDescription) throws -> Criteria {
    let text = try criteria.json(of: entity)
    let read = try CriteriaDecoder().decode(Data(text.utf8), of: [entity]).criteria
    #expect(read == criteria, "\(text)")
    #expect(try read.json(of: entity) == text)
    return read
  }

  @Test func `a random criteria is read as it was, and finds the same rows`() throws {
    var coverage = Coverage()
    for batch in 0..<max(1, Self.count / 100) {
      var random = RandomSource(seed: DifferentialTests.seed &+ UInt64(batch))
      let rows = Everything.rows(random.pick([1, 5, 20]), &random)
      let sqlite = try Stores.sqlite(rows)
      var generator = RandomCriteria(random: random, rows: rows)
      for _ in 0..<100 {
        var next = generator.question()
        next.criteria.scope = .constant(true)
        coverage.note(next.criteria)
        let expected = next.answer(sqlite)
        next.criteria = try readAgain(next.criteria, of: Everything.entity)
        #expect(next.answer(sqlite) == expected)
      }
    }
    // A scope is no part of the form.
    let missing = Coverage.all.subtracting(coverage.counts.keys).subtracting(["scope"]).sorted()
    #expect(missing.isEmpty, "never generated: \(missing)")
  }

  @Test func `so is one that goes through relationships`() throws {
    var generator = RandomRelated(random: RandomSource(seed: DifferentialTests.seed))
    var through = 0
    for number in 0..<Self.count {
      let entity = Library.entities[number % Library.entities.count]
      var criteria = number % 3 == 0 ? generator.report(of: entity) : generator.criteria(of: entity)
      criteria.scope = .constant(true)
      // Deeper than any store reads; that is refused elsewhere.
      let texts = [criteria.filter.text] + criteria.orders.map(\.term.text) + criteria.columns.map(\.term.text)
      if texts.contains(where: { $0.contains("too deep") || $0.contains("unstorable") }) { continue }
      if criteria.filter.text.contains(".") { through += 1 }
      let plan = Result { try SearchCriteria<DynamicEntity>(criteria).sql(in: EntityTarget(entity)) }
      let read = Result { try SearchCriteria<DynamicEntity>(try readAgain(criteria, of: entity)).sql(in: EntityTarget(entity)) }
      #expect(try plan.get()?.text == read.get()?.text)
      #expect(try plan.get()?.bindings == read.get()?.bindings)
    }
    #expect(through > Self.count / 20)
  }
}
