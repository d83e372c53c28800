import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Random live queries under random commits: whenever a result is another one, the commit has marked its query.
struct LiveQueryDifferentialTests {
  private struct Total: Sendable {
    var compared = 0
    var changed = 0
    /// Queries that were marked and whose results are as before.
    var markedInVain = 0
    /// Queries that were not marked, of an entity with changes.
    var spared = 0
  }

  private final class Watched {
    let trial: Trial
    let run: LiveQueryRun
    var last: DAODifferential.Answer

    init?(_ trial: Trial, _ stores: DAODifferential.Stores) throws {
      switch trial.question {
      case .delete, .update: return nil
      default: break
      }
      guard let feed = stores.sqlite.changeFeed else { throw DAOError.unsupported("no feed") }
      self.trial = trial
      run = LiveQueryRun(feed)
      last = try run.run(over: stores.sqlite) { trial.answer($0, stores) }
      if case .failed = last { return nil }
    }
  }

  private func run(_ seed: UInt64) throws -> Total {
    var total = Total()
    let world = try World(seed: seed)
    var changing = try ChangingWorld(world, seed: seed ^ 0x11FE)
    let stores = changing.stores
    var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: ~seed))
    var queries = try (0..<40).compactMap { _ in try Watched(maker.trial(of: world), stores) }
    for _ in 0..<15 {
      try changing.commit()
      for query in queries {
        let answer = query.trial.answer(stores.sqlite, stores)
        // A row that is not in the result may have it fail: it tells when it runs the next time.
        if case .failed = answer { query.last = answer }
        total.compared += 1
        let isMarked = query.run.state.isMarked
        switch (query.last != answer, isMarked) {
        case (true, false):
          throw TestCases.Difference("\(query.trial.report())\nbefore: \(query.last)\nafter: \(answer)")
        case (true, true): total.changed += 1
        case (false, true): total.markedInVain += 1
        case (false, false): total.spared += 1
        }
        guard isMarked else { continue }
        if case .failed = answer { continue }
        query.last = try query.run.run(over: stores.sqlite) { query.trial.answer($0, stores) }
      }
      // One that fails has ended.
      queries.removeAll { if case .failed = $0.last { true } else { false } }
    }
    return total
  }

  @Test func `no commit that changes the result of a query leaves it unmarked`() {
    let (runs, missed) = TestCases.concurrently(TestCases.seeds(1_000, inSuite: 40, from: 7_000), run)
    func sum(_ count: (Total) -> Int) -> Int { runs.reduce(0) { $0 + count($1) } }
    let (changed, spared, inVain) = (sum(\.changed), sum(\.spared), sum(\.markedInVain))
    print("\(sum(\.compared)) results: \(changed) changed, \(inVain) read again in vain, \(spared) spared")
    if let missed { Issue.record(Comment(rawValue: missed)) }
    // Not by marking everything.
    #expect(changed > 0 && spared > inVain)
  }
}
