import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Criteria inside a unit of work, whose edits make of its store what another store has: both answer alike, and so does the first store
/// when the unit is committed.
struct UnitDifferentialTests {
  private struct Run: Sendable {
    var asked = 0
    var compared = 0
    var edits = 0
    var committed = 0
    var difference: String?
  }

  /// The same rows in a store that has them, and in one in which a unit has.
  private func run(_ seed: UInt64, _ count: Int) throws -> Run {
    var run = Run()
    var world = try World(seed: seed)
    world.strays = []
    let stores = try DAODifferential.Stores(world)
    let statements = try SchemaSQL.statements(for: stores.catalog.entities)
    let store = EngineStore(
      try SQLiteEngine(inMemory: { db in
        for statement in statements { try db.execute(sql: statement) }
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
      }))
    let edited = try EditedWorld(world, stores.catalog, over: store, seed: seed ^ 0x5EED)
    run.edits = edited.edits
    var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: ~seed))
    for _ in 0..<count {
      let trial = maker.trial(of: world)
      let expected = trial.answers(stores)
      run.asked += 1
      guard let answer = trial.answer(edited, stores, expected.sqlite) else { continue }
      run.compared += 1
      let differs = trial.differs((answer.expected, answer.unit), reachesFailure: trial.reachesFailure(stores))
      // Where the two stores part already, another test tells.
      if differs, !trial.differs(expected, reachesFailure: trial.reachesFailure(stores)) {
        run.difference = "DAO_FUZZ_SEED=\(seed)\n\(trial.report())\nthe unit: \(answer.unit)"
        return run
      }
    }
    if let table = try edited.commit(like: stores) { run.difference = "DAO_FUZZ_SEED=\(seed): after the commit \(table)" }
    return run
  }

  @Test func `criteria in a unit are answered as where its edits are stored`() {
    let first = TestCases.seedOfEnvironment ?? .random(in: 0...UInt64(UInt32.max))
    let (worlds, each) = (TestCases.count(2_000, inSuite: 40), 50)
    print("DAO_FUZZ_SEED=\(first)")
    let lock = NSLock()
    nonisolated(unsafe) var total = Run()
    DispatchQueue.concurrentPerform(iterations: worlds) { number in
      do {
        let run = try run(first &+ UInt64(number), each)
        lock.withLock {
          total.asked += run.asked
          total.compared += run.compared
          total.edits += run.edits
          total.difference = total.difference ?? run.difference
        }
      } catch { lock.withLock { total.difference = total.difference ?? "DAO_FUZZ_SEED=\(first &+ UInt64(number)): \(error)" } }
    }
    print("\(total.asked) criteria, \(total.compared) compared, \(total.edits) edits")
    if let difference = total.difference { Issue.record(Comment(rawValue: difference.replacing("\0", with: "␀"))) }
    #expect(total.compared * 10 > total.asked * 8 && total.edits > worlds)
  }
}
