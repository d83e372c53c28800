import DAOKit
import Foundation
import TestCases
import Testing

@testable import DAODifferential

/// Random criteria, written as JSON and read again.
struct JSONRoundTripTests {
  private func readAgain(_ criteria: Criteria, of entity: EntityDescription) throws -> Criteria {
    let text = try criteria.json(of: entity)
    let read = try CriteriaDecoder(allowing: .everything, limits: .own).decode(Data(text.utf8), of: [entity]).criteria
    #expect(read == criteria, "\(text)")
    #expect(try read.json(of: entity) == text)
    return read
  }

  @Test func `a random query is read as it was, and finds the same rows`() throws {
    var coverage = Coverage()
    for number in 0..<TestCases.count(200, inSuite: 30) {
      let world = try World(seed: TestCases.seed &+ UInt64(number))
      let stores = try DAODifferential.Stores(world)
      var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: UInt64(number)))
      for _ in 0..<TestCases.count(50, inSuite: 100) {
        var trial = maker.trial(of: world)
        // A scope is no part of the form.
        trial.scope = .constant(true)
        let expected = trial.answer(stores.sqlite, stores)
        if expected.kind == "invalid" { continue }
        coverage.note(trial, expected)
        trial.criteria = try readAgain(trial.criteria, of: stores.catalog.entities[trial.table])
        #expect(trial.answer(stores.sqlite, stores) == expected)
      }
    }
    // Few cases do not have all.
    #expect(TestCases.areAll ? coverage.missing == ["scope"] : coverage.missing.count < 10, "\(coverage.missing)")
  }
}
