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
        throw TestCases.Difference("\(trial.report())\nthe unit: \(answer.unit)")
      }
    }
    if let table = try edited.commit(like: stores) { throw TestCases.Difference("after the commit \(table)") }
    return run
  }

  @Test func `criteria in a unit are answered as where its edits are stored`() {
    let seeds = TestCases.seeds(2_000, inSuite: 40, from: 6_000)
    let (runs, difference) = TestCases.concurrently(seeds) { try run($0, 50) }
    func sum(_ count: (Run) -> Int) -> Int { runs.reduce(0) { $0 + count($1) } }
    let (asked, compared, edits) = (sum(\.asked), sum(\.compared), sum(\.edits))
    print("\(asked) criteria, \(compared) compared, \(edits) edits")
    if let difference { Issue.record(Comment(rawValue: difference)) }
    #expect(compared * 10 > asked * 8 && edits > seeds.count)
  }
}
