#if os(Linux)
  import Foundation
  import Testing

  /// The recorded calls of what is done to a whole store, replayed with what was not synced lost.
  @Suite("Power losses", .enabled(if: Chaos.isAsked))
  struct PowerLossTests {
    @Test(arguments: BootstrapScenario.Name.allCases)
    func `what the others stand on: the record of a bootstrap holds every change there was`(name: BootstrapScenario.Name) throws {
      let scenario = try BootstrapScenario(name)
      let run = try scenario.record()
      expectWhole(run, of: scenario)
      // Each way of copying is among what is tested.
      #expect(run.calls.contains { $0.kind == .copy && $0.isOurs } == ![.create, .copyOverRemains, .migrate].contains(name))
    }

    @Test(arguments: InstanceScenario.Name.allCases)
    func `and that of a removal, a reset, an erasure or a backup`(name: InstanceScenario.Name) throws {
      let scenario = try InstanceScenario(name)
      expectWhole(try scenario.record(), of: scenario)
    }

    /// - Parameter scenario: whose folder goes with it.
    private func expectWhole(_ run: PowerLoss, of scenario: some AllOrNothing) {
      defer { withExtendedLifetime(scenario) {} }
      let state = run.stateAtEnd()
      let left = snapshot(run.root)
      #expect(state.files == left.filter { !state.folders.contains($0.key) })
      #expect(state.folders == Set(left.keys).subtracting(state.files.keys))
    }

    @Test(arguments: BootstrapScenario.Name.allCases)
    func `a bootstrap, at any moment`(name: BootstrapScenario.Name) async throws { try await BootstrapScenario(name).losePower(least: 5) }

    @Test(arguments: BootstrapScenario.Name.allCases)
    func `a bootstrap, with a sync left out`(name: BootstrapScenario.Name) async throws {
      // The finished file before its name, the folder after it. Of an upgrade and a migration at once, each sync is one of theirs, and
      // where one comes right after another, one does for both.
      try await BootstrapScenario(name).leaveOutSyncs(least: 2, inPairs: name == .migrateUpgrading)
    }

    @Test func `a checkpoint that began before its WAL was synced is found, by files that have some writes and not others`() async throws {
      let scenario = try BootstrapScenario(.upgrade)
      let whole = try scenario.record()
      let place = whole.root + "/" + scenario.store
      let last = try #require(whole.calls.lastIndex { $0.kind == .write && $0.path == place })
      // None of SQLite's syncs, and one of each file after the last write.
      let syncs = try [place + "-wal", place].map { path in
        let call = try #require(whole.calls.last { $0.kind == .write && $0.path == path })
        return PowerLoss.Call(kind: .sync, isOurs: true, inode: call.inode, offset: 0, path: path, target: "", data: Data())
      }
      let calls = whole.calls[...last] + syncs + whole.calls[(last + 1)...]
      let run = whole.replaying(calls.filter { $0.kind != .sync || $0.isOurs })
      func breaks(_ states: Set<PowerLoss.State>) throws -> Bool {
        try states.contains { state in
          let scratch = try Scratch()
          try state.write(to: scratch.path + "/root")
          if case .broken = scenario.find(in: scratch.path + "/root") { return true }
          return false
        }
      }
      let moments = 0...run.calls.count
      #expect(try !moments.contains { try breaks(run.states(after: $0, around: scenario.store)) })
      #expect(try moments.contains { try breaks(run.mixedStates(after: $0, around: scenario.store)) })
    }

    @Test(arguments: InstanceScenario.Name.allCases)
    func `a removal, a reset, an erasure or a backup, at any moment`(name: InstanceScenario.Name) async throws {
      try await InstanceScenario(name).losePower(least: 3)
    }

    @Test(arguments: InstanceScenario.Name.allCases)
    func `a removal, a reset, an erasure or a backup, with a sync left out`(name: InstanceScenario.Name) async throws {
      try await InstanceScenario(name).leaveOutSyncs(least: name == .destroyDamaged ? 1 : 2)
    }
  }
#endif
