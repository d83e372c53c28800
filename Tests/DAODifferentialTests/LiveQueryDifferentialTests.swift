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
    var missed: String?
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
          total.missed = "DAO_FUZZ_SEED=\(seed)\n\(query.trial.report())\nbefore: \(query.last)\nafter: \(answer)"
          return total
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
    let first = TestCases.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max))
    print("DAO_FUZZ_SEED=\(first)")
    let lock = NSLock()
    nonisolated(unsafe) var total = Total()
    DispatchQueue.concurrentPerform(iterations: TestCases.count(1_000, inSuite: 40)) { number in
      do {
        let run = try run(first &+ UInt64(number))
        lock.withLock {
          total.compared += run.compared
          total.changed += run.changed
          total.markedInVain += run.markedInVain
          total.spared += run.spared
          total.missed = total.missed ?? run.missed
        }
      } catch { lock.withLock { total.missed = total.missed ?? "DAO_FUZZ_SEED=\(first &+ UInt64(number)): \(error)" } }
    }
    print("\(total.compared) results: \(total.changed) changed, \(total.markedInVain) read again in vain, \(total.spared) spared")
    if let missed = total.missed { Issue.record(Comment(rawValue: missed.replacing("\0", with: "␀"))) }
    // Not by marking everything.
    #expect(total.changed > 0 && total.spared > total.markedInVain)
  }
}
