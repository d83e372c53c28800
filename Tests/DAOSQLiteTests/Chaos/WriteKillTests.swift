#if os(Linux)
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// Processes that are ended while they write: what was said to be committed is there.
  @Suite("Ordinary writes, interrupted", .enabled(if: Chaos.isAsked))
  struct WriteKillTests {
    @Test func `a kill at any call that changes files`() async throws {
      try await WriteScenario().killAtCalls(quick: 24, least: 48)
    }

    @Test func `a kill at any moment`() async throws {
      try await WriteScenario().killAtMoments(Chaos.count(quick: 30, full: 1000), pause: 200)
    }

    @Test func `a kill while the WAL is folded in and begun anew between commits`() async throws {
      let scenario = try WriteScenario(.heavy)
      try await scenario.killAtCalls(quick: 8, full: 48, least: 2000)
      try await scenario.killAtMoments(Chaos.count(quick: 4, full: 100), pause: 20)
    }

    @Test func `a kill while units of work commit`() async throws {
      let scenario = try WriteScenario(.units)
      try await scenario.killAtCalls(quick: 16, least: 48)
      try await scenario.killAtMoments(Chaos.count(quick: 10, full: 500), pause: 200)
    }

    @Test func `a power loss at any moment, and each sync of a commit is needed`() async throws {
      let scenario = try WriteScenario()
      let root = try scenario.makeRoot()
      let run = try PowerLoss(root) { try scenario.start(in: root, shim: $0.merging(["DAO_PROBE_FOLDERS": "1"]) { $1 }) }
      var judge = CommitJudge(scenario)
      var states = 0
      for count in 0...run.calls.count {
        await Task.yield()
        let mixed = run.mixedStates(after: count, around: WriteScenario.store, ignoring: judge.said)
        for state in run.states(after: count, around: WriteScenario.store, ignoring: judge.said).union(mixed) {
          states += 1
          if let complaint = try judge.complaint(state, run.calls.prefix(count)) { Issue.record("after \(count) calls: \(complaint)") }
        }
      }
      Chaos.tell("power losses", scenario.title, states)

      // Of a commit: after frames, and not after the WAL's own header, or nothing at all.
      let commits = run.calls.indices.filter { index in
        let call = run.calls[index]
        guard call.kind == .sync, call.path.hasSuffix("-wal") else { return false }
        guard let last = run.calls[..<index].last(where: { $0.path == call.path }) else { return false }
        return last.kind == .write && last.offset > 0
      }
      #expect(commits.count >= 24)
      // The other writer's next sync serves for this one too, where it comes before the commit was said: all are, when as many were.
      let syncs = commits.enumerated().filter { place, index in
        let path = run.calls[index].path
        let next = run.calls[(index + 1)...].firstIndex { $0.kind == .sync && $0.path == path } ?? run.calls.endIndex
        return run.calls[..<next].filter(judge.said).count > place
      }.map(\.element)
      #expect(syncs.count >= 8)
      let some = Chaos.some(of: syncs.count, quick: 8).map { syncs[$0 - 1] }
      for sync in some {
        await Task.yield()
        let isMissed = try (sync + 1...run.calls.count).contains { count in
          try run.states(after: count, without: [sync], around: WriteScenario.store, ignoring: judge.said).contains {
            try judge.complaint($0, run.calls.prefix(count)) != nil
          }
        }
        #expect(isMissed, "the sync of \(run.calls[sync].path), call \(sync), is not needed")
      }
      Chaos.tell("syncs left out", scenario.title, some.count)
    }
  }

  /// Says what is wrong with a state of the disk after some calls; remembers what it has read.
  private struct CommitJudge {
    let scenario: WriteScenario
    private var read: [PowerLoss.State: Result<[String], Unusable>] = [:]

    init(_ scenario: WriteScenario) { self.scenario = scenario }

    /// Whether a call says of a commit that it is there.
    func said(_ call: PowerLoss.Call) -> Bool { call.kind == .makeFolder && call.path.contains("/said-") }

    mutating func complaint(_ state: PowerLoss.State, _ calls: ArraySlice<PowerLoss.Call>) throws -> String? {
      let found = try read[state] ?? names(state)
      read[state] = found
      let told = calls.filter(said).compactMap { $0.path.components(separatedBy: "/said-").last }
      switch found {
      case .success(let names): return scenario.breakage(names, said: Set(told))
      case .failure(let error): return "\(error)"
      }
    }

    private func names(_ state: PowerLoss.State) throws -> Result<[String], Unusable> {
      let scratch = try Scratch()
      let root = scratch.path + "/root"
      try state.write(to: root)
      do { return .success(try Items.read(URL(fileURLWithPath: root + "/" + WriteScenario.store))) } catch {
        return .failure(Unusable(description: "\(error)"))
      }
    }
  }
#endif
