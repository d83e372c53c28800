import DAOEvaluator
import DAOImport
import DAOKit
import Foundation
import TestCases
import Testing

/// Random models of Core Data, with rows: the new store has these rows.
@Suite struct CoreDataPropertyTests {
  @Test("rows of random models are the same rows in the new store") func rowsAreTheSame() throws {
    let (results, failure) = TestCases.concurrently(TestCases.seeds(5_000, inSuite: 60, from: 77)) { seed in
      var random = RandomSource(seed: seed)
      let world = CoreDataWorld(&random)
      let file = try CoreDataFile(isWAL: random.once(in: 2))
      try world.write(to: file, &random)
      let factory =
        try random.once(in: 4)
        ? DAOFactory(over: EvaluatorStore(world.descriptions)) : DAOFactory(store: .inMemory(), describedBy: world.descriptions)
      let report = try CoreDataStore(file.url).import(into: factory, world.mappings(&random))
      let (found, expected) = (try world.dump(factory), world.expected)
      if found != expected {
        throw TestCases.Difference(
          "found only:\n\(Set(found).subtracting(expected).sorted().joined(separator: "\n"))\nexpected only:\n"
            + "\(Set(expected).subtracting(found).sorted().joined(separator: "\n"))")
      }
      if Set(report.leftOut) != world.leftOut {
        throw TestCases.Difference("left out: \(report.leftOut), not \(world.leftOut.sorted())")
      }
      return world.rows.count
    }
    #expect(failure == nil)
    #expect(results.reduce(0, +) > results.count)
  }
}
