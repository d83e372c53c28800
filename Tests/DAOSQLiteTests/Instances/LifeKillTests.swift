#if os(Linux)
  import DAOCriteria
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// The process is ended in the middle of a removal, a reset, an erasure or a backup; what is found is the state before it or after it.
  @Suite("What is done to a whole store, interrupted", .enabled(if: Chaos.isAsked))
  struct LifeKillTests {
    @Test("a kill at any call that changes files", arguments: LifeScenario.Name.allCases)
    func killed(name: LifeScenario.Name) async throws {
      let scenario = try LifeScenario(name)
      let calls = try scenario.calls()
      // Fewer would mean that calls are not seen.
      #expect(calls >= (name == .destroyDamaged ? 3 : 5))
      var kills = 0
      for way in BootstrapKillTests.ways {
        for call in Chaos.some(of: calls, quick: 8) {
          kills += 1
          let root = try scenario.makeRoot()
          let end = try scenario.start(in: root, shim: ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": way]).wait()
          #expect(end.wasKilled, "\(end.output)")
          try await check(scenario, root, "\(name), killed \(way) call \(call)")
        }
      }
      Chaos.tell("kills at a call", "\(name)", kills)
    }

    @Test("a kill at any moment", arguments: LifeScenario.Name.allCases)
    func killedAtRandom(name: LifeScenario.Name) async throws {
      let scenario = try LifeScenario(name)
      let slow = ["DAO_SHIM_SLEEP": "1000"]
      let timed = try scenario.start(in: scenario.makeRoot(), shim: slow)
      #expect(timed.waitForOutput() == "begin\n")
      let length = ContinuousClock().measure { _ = timed.wait() }
      let wanted = name == .backup ? Chaos.count(quick: 24, full: 1000) : Chaos.count(quick: 8, full: 100)
      var (inside, attempts) = (0, 0)
      while inside < wanted, attempts < wanted * 6 {
        attempts += 1
        let root = try scenario.makeRoot()
        let probe = try scenario.start(in: root, shim: slow)
        #expect(probe.waitForOutput() == "begin\n")
        usleep(UInt32.random(in: 0...UInt32(length / .microseconds(1))))
        kill(probe.process, SIGKILL)
        let end = probe.wait()
        if end.wasKilled, !end.output.contains("end") { inside += 1 }
        try await check(scenario, root, "\(name), killed at random")
      }
      #expect(inside == wanted)
      Chaos.tell("kills at a moment", "\(name)", inside)
    }

    @Test("a full disk at any call is a typed error that changes nothing", arguments: LifeScenario.Name.allCases)
    func diskFull(name: LifeScenario.Name) async throws {
      let scenario = try LifeScenario(name)
      var failures = 0
      for call in Chaos.some(of: try scenario.calls(), quick: 16) {
        await Task.yield()
        let root = try scenario.makeRoot()
        let before = Set(snapshot(root).keys)
        let end = try scenario.start(in: root, shim: ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": "\(ENOSPC)"]).wait()
        #expect(!end.wasKilled)
        let found = scenario.find(in: root)
        let comment = "\(name), call \(call): \(end.output)"
        guard end.status != 0 else {
          #expect(found == .after, "\(comment)")
          continue
        }
        failures += 1
        // A removal that can't make itself last has been done; it says so, and can be done again.
        let isRemoved = name == .destroy || name == .destroyDamaged
        #expect(found == .before || isRemoved && found == .after, "\(comment)")
        #expect(end.output.contains("end failed"), "\(comment)")
        let added = Set(snapshot(root).keys).subtracting(before).filter { !["store-wal", "store-shm"].contains($0) }
        #expect(added.isEmpty, "\(comment): \(added)")
      }
      #expect(failures >= 1)
    }

    @Test("a power loss at any moment", arguments: LifeScenario.Name.allCases)
    func powerLoss(name: LifeScenario.Name) async throws {
      let scenario = try LifeScenario(name)
      let run = try record(scenario)
      var judge = Judge(scenario)
      for count in 0...run.calls.count {
        await Task.yield()
        for state in run.states(after: count, around: scenario.subject) {
          if let complaint = try judge.complaint(state, isOver: count == run.calls.count) {
            Issue.record("\(name), after \(count) calls: \(complaint)")
          }
        }
      }
      #expect(judge.judged >= 3)
      Chaos.tell("power losses", "\(name)", judge.judged)
    }

    @Test("no sync can be left out", arguments: LifeScenario.Name.allCases)
    func syncs(name: LifeScenario.Name) async throws {
      let scenario = try LifeScenario(name)
      let run = try record(scenario)
      #expect(run.ownSyncs.count >= (name == .destroyDamaged ? 1 : 2))
      var judge = Judge(scenario)
      for sync in run.ownSyncs {
        await Task.yield()
        let isMissed = try (sync + 1...run.calls.count).reversed().contains { count in
          try run.states(after: count, without: sync, around: scenario.subject).contains { state in
            try judge.complaint(state, isOver: count == run.calls.count) != nil
          }
        }
        #expect(isMissed, "\(name): the sync of \(run.calls[sync].path), call \(sync), is not needed")
      }
      Chaos.tell("syncs left out", "\(name)", run.ownSyncs.count)
    }

    private func record(_ scenario: LifeScenario) throws -> PowerLoss {
      let root = try scenario.makeRoot()
      let run = try PowerLoss(root) { try scenario.start(in: root, shim: $0) }
      #expect(scenario.find(in: root) == .after)
      return run
    }

    private func check(_ scenario: LifeScenario, _ root: String, _ comment: String) async throws {
      // Other tests want to run too.
      await Task.yield()
      if case .broken(let why) = scenario.find(in: root) { Issue.record("\(comment): \(why)") }
      let copy = root + "-started"
      try FileManager.default.copyItem(atPath: root, toPath: copy)
      if let complaint = try scenario.complaint(afterAStartIn: copy) { Issue.record("\(comment): \(complaint)") }
      if let complaint = try scenario.complaint(afterDoingItAgainIn: root) { Issue.record("\(comment): \(complaint)") }
      for path in [root, copy] { try FileManager.default.removeItem(atPath: path) }
    }
  }

  /// Says what is wrong with a state of the disk; remembers what it has judged.
  private struct Judge {
    let scenario: LifeScenario
    private var verdicts: [PowerLoss.State: Verdict] = [:]

    private struct Verdict {
      let found: LifeScenario.Found
      let left: [String]
      let complaint: String?
    }

    init(_ scenario: LifeScenario) { self.scenario = scenario }

    var judged: Int { verdicts.count }

    /// When the call has returned, what it did has to last, and what it removed has to stay away.
    mutating func complaint(_ state: PowerLoss.State, isOver: Bool) throws -> String? {
      let verdict = try verdicts[state] ?? judge(state)
      verdicts[state] = verdict
      if isOver, verdict.found != .after { return "it did not last: \(verdict.found)" }
      if isOver, !verdict.left.isEmpty { return "there are \(verdict.left)" }
      return verdict.complaint
    }

    private func judge(_ state: PowerLoss.State) throws -> Verdict {
      let scratch = try Scratch()
      let root = scratch.path + "/root"
      try state.write(to: root)
      let found = scenario.find(in: root)
      // The lock's file, and what SQLite had beside the file, mean nothing by themselves.
      let left = scenario.name == .destroy ? scenario.leftovers(in: root).filter { !$0.hasSuffix(".lock") } : []
      if case .broken(let why) = found { return Verdict(found: found, left: left, complaint: why) }
      try FileManager.default.copyItem(atPath: root, toPath: root + "-started")
      let complaint = try scenario.complaint(afterAStartIn: root + "-started") ?? scenario.complaint(afterDoingItAgainIn: root)
      return Verdict(found: found, left: left, complaint: complaint)
    }
  }
#endif
