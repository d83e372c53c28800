import DAOKit
import Foundation
import TestCases

/// Asks both stores about random criteria over random rows in random schemas.
///
/// Every world has a seed of its own, one more than that of the world before, so that the seed of a failure leads straight to it. Worlds
/// are run side by side and told of in their order, so that a run with the same seed tells the same.
package struct Fuzzer: Sendable {
  package let seed: UInt64
  package let cases: Int
  /// How many cases a world is good for: making it costs as much as many questions.
  package static let casesInAWorld = 50

  package init(seed: UInt64, cases: Int) {
    self.seed = seed
    self.cases = cases
  }

  /// What a run found.
  package struct Summary: Sendable {
    package fileprivate(set) var cases = 0
    package fileprivate(set) var differences = 0
    package fileprivate(set) var invalid = 0
    package fileprivate(set) var coverage = Coverage()
    /// How many cases there were until the first difference.
    package fileprivate(set) var firstDifference: Int?

    /// Kinds of node that a run of this length can't have missed by chance.
    package var missing: [String] { cases >= 20_000 ? coverage.missing : [] }
  }

  /// Runs all cases, or those before the fifth world with a difference.
  /// - Parameters:
  ///   - progress: is told from time to time.
  ///   - found: is told of each difference, made as small as possible.
  package func run(progress: (Summary) -> Void = { _ in }, found: (String) -> Void) -> Summary {
    var summary = Summary()
    let worlds = (cases + Self.casesInAWorld - 1) / Self.casesInAWorld
    var next = 0
    while next < worlds, summary.differences < 5 {
      let (start, count) = (next, min(Self.worldsAtOnce, worlds - next))
      let results = Results()
      DispatchQueue.concurrentPerform(iterations: count) { number in
        let world = start + number
        results.put(run(seed &+ UInt64(world), min(Self.casesInAWorld, cases - world * Self.casesInAWorld)), at: number)
      }
      for number in 0..<count where summary.differences < 5 { results[number].map { add($0, to: &summary, found) } }
      next += count
      progress(summary)
    }
    return summary
  }

  private static let worldsAtOnce = 200

  /// What came of one world: of its differences, the first.
  private struct Result: Sendable {
    let seed: UInt64
    var cases = 0
    var invalid = 0
    var coverage = Coverage()
    var difference: Trial?
    /// What is wrong before anything is asked.
    var failure: String?
  }

  private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private var results: [Int: Result] = [:]

    func put(_ result: Result, at number: Int) { lock.withLock { results[number] = result } }

    subscript(number: Int) -> Result? { lock.withLock { results[number] } }
  }

  private func run(_ seed: UInt64, _ count: Int) -> Result {
    var result = Result(seed: seed)
    do {
      let world = try World(seed: seed).withGeneratedColumns(seed: seed)
      result.failure = world.foldingProblem ?? world.sumProblem
      let stores = try Stores(world)
      var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: ~seed))
      for _ in 0..<count where result.difference == nil && result.failure == nil {
        let trial = maker.trial(of: world)
        let answers = trial.answers(stores)
        result.cases += 1
        result.coverage.note(trial, answers.evaluator)
        if answers.evaluator.kind == "invalid" { result.invalid += 1 }
        if trial.differs(answers, reachesFailure: trial.reachesFailure(stores)) { result.difference = trial }
        result.failure = world.matchProblem(trial.criteria.filter, of: trial.table)
      }
    } catch { result.failure = "the stores do not take the same rows: \(error)" }
    return result
  }

  private func add(_ result: Result, to summary: inout Summary, _ found: (String) -> Void) {
    summary.cases += result.cases
    summary.invalid += result.invalid
    summary.coverage.add(result.coverage)
    let report = result.difference.map { $0.shrunk { smaller in (try? smaller.differs()) ?? false }.report() }
    guard let report = report ?? result.failure else { return }
    summary.differences += 1
    summary.firstDifference = summary.firstDifference ?? summary.cases
    found("DAO_FUZZ_SEED=\(result.seed), case \(result.cases)\n" + report)
  }
}
