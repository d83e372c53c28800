#if os(Linux)
  import DAOCriteria
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// The recorded calls of a bootstrap, replayed with what was not synced lost.
  @Suite(.enabled(if: Chaos.isAsked)) struct BootstrapPowerLossTests {
    /// What the other tests stand on: the record holds every change there was.
    @Test(arguments: Scenario.Name.allCases)
    func theRecordedCallsMakeTheFolderThatTheProcessLeft(name: Scenario.Name) throws {
      let scenario = try Scenario(name)
      let run = try PowerLoss(scenario)
      let state = run.stateAtEnd()
      let left = snapshot(run.root)
      #expect(state.files == left.filter { !state.folders.contains($0.key) })
      #expect(state.folders == Set(left.keys).subtracting(state.files.keys))
      #expect(scenario.find(in: run.root) == .new)
      // Each way of copying is among what is tested.
      #expect(run.calls.contains { $0.kind == .copy && $0.isOurs } == ![.create, .copyOverRemains, .migrate].contains(name))
    }

    @Test(arguments: Scenario.Name.allCases)
    func powerLossAtAnyMomentLosesNothing(name: Scenario.Name) async throws {
      let scenario = try Scenario(name)
      let run = try PowerLoss(scenario)
      var judge = Judge(scenario)
      for count in 0...run.calls.count {
        await Task.yield()
        for state in run.states(after: count, around: scenario.store) {
          if let complaint = try judge.complaint(state, isOver: count == run.calls.count) {
            Issue.record("\(name), after \(count) calls: \(complaint)")
          }
        }
      }
      #expect(judge.judged >= 5)
      Chaos.tell("power losses", "\(name)", judge.judged)
    }

    /// Each sync is there for a reason: without it, some moment of power loss breaks the promise.
    /// Of an upgrade and a migration at once, each is one of theirs, and where one comes right after another, one does for both.
    @Test(arguments: Scenario.Name.allCases.filter { $0 != .migrateUpgrading })
    func noSyncCanBeLeftOut(name: Scenario.Name) async throws {
      let scenario = try Scenario(name)
      let run = try PowerLoss(scenario)
      // The finished file before its name, the folder after it.
      #expect(run.ownSyncs.count >= 2)
      var judge = Judge(scenario)
      for sync in run.ownSyncs {
        await Task.yield()
        let isMissed = try (sync + 1...run.calls.count).reversed().contains { count in
          try run.states(after: count, without: sync, around: scenario.store).contains { state in
            try judge.complaint(state, isOver: count == run.calls.count) != nil
          }
        }
        #expect(isMissed, "\(name): the sync of \(run.calls[sync].path), call \(sync), is not needed")
      }
      Chaos.tell("syncs left out", "\(name)", run.ownSyncs.count)
    }
  }

  /// Says what is wrong with a state, and with what the next start makes of it; remembers what it has judged.
  private struct Judge {
    let scenario: Scenario
    private var verdicts: [PowerLoss.State: Verdict] = [:]

    private struct Verdict {
      let found: Scenario.Found
      let complaint: String?
    }

    init(_ scenario: Scenario) { self.scenario = scenario }

    var judged: Int { verdicts.count }

    /// When the bootstrap has said that the store is there, it has to stay there.
    mutating func complaint(_ state: PowerLoss.State, isOver: Bool) throws -> String? {
      let verdict = try verdicts[state] ?? judge(state)
      verdicts[state] = verdict
      if isOver, verdict.found != .new { return "the new store did not last: \(verdict.found)" }
      return verdict.complaint
    }

    private func judge(_ state: PowerLoss.State) throws -> Verdict {
      let scratch = try Scratch()
      let root = scratch.path + "/root"
      try state.write(to: root)
      let found = scenario.find(in: root)
      if case .broken(let why) = found { return Verdict(found: found, complaint: why) }
      do {
        try scenario.bootstrap(URL(fileURLWithPath: root + "/" + scenario.store))
      } catch { return Verdict(found: found, complaint: "the next start fails: \(error)") }
      return Verdict(found: found, complaint: scenario.complaint(afterNextStartIn: root))
    }
  }
#endif
