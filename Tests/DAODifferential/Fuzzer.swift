import DAOKit
import Foundation

/// Asks both stores about random criteria over random rows in random schemas.
///
/// Every world has a seed of its own, one more than that of the world before, so that the seed of a failure leads straight to it.
package struct Fuzzer {
  package let seed: UInt64
  package let cases: Int
  /// How many cases a world is good for: making it costs as much as many questions.
  package static let casesInAWorld = 50

  package init(seed: UInt64, cases: Int) {
    self.seed = seed
    self.cases = cases
  }

  /// What a run found.
  package struct Summary {
    package fileprivate(set) var cases = 0
    package fileprivate(set) var differences = 0
    package fileprivate(set) var invalid = 0
    package fileprivate(set) var coverage = Coverage()
    /// How many cases there were until the first difference.
    package fileprivate(set) var firstDifference: Int?

    /// Kinds of node that a run of this length can't have missed by chance.
    package var missing: [String] { cases >= 10_000 ? coverage.missing : [] }
  }

  /// Runs all cases, or those before the fifth difference.
  /// - Parameters:
  ///   - progress: is told every 100 worlds.
  ///   - found: is told of each difference, made as small as possible.
  package func run(progress: (Summary) -> Void = { _ in }, found: (String) -> Void) -> Summary {
    var summary = Summary()
    var worlds: UInt64 = 0
    while summary.cases < cases, summary.differences < 5 {
      let seed = seed &+ worlds
      worlds += 1
      do { try run(seed, min(Self.casesInAWorld, cases - summary.cases), &summary, found) } catch {
        summary.differences += 1
        found("DAO_FUZZ_SEED=\(seed): the stores can't be made: \(error)")
      }
      if worlds % 100 == 0 { progress(summary) }
    }
    return summary
  }

  private func run(_ seed: UInt64, _ count: Int, _ summary: inout Summary, _ found: (String) -> Void) throws {
    let world = try World(seed: seed)
    let stores = try Stores(world)
    var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: ~seed))
    for number in 0..<count {
      let trial = maker.trial(of: world)
      let answers = trial.answers(stores)
      summary.cases += 1
      summary.coverage.note(trial, answers.evaluator)
      if answers.evaluator.kind == "invalid" { summary.invalid += 1 }
      guard trial.differs(answers) else { continue }
      summary.differences += 1
      summary.firstDifference = summary.firstDifference ?? summary.cases
      let smallest = trial.shrunk { smaller in (try? smaller.differs(smaller.answers())) ?? false }
      found("DAO_FUZZ_SEED=\(seed), case \(number + 1)\n" + smallest.report())
      if summary.differences >= 5 { return }
    }
  }
}

extension Fuzzer {
  /// What `DAO_FUZZ_SEED` says.
  package static var seedOfEnvironment: UInt64? { ProcessInfo.processInfo.environment["DAO_FUZZ_SEED"].flatMap { UInt64($0) } }
}
