#if os(Linux)
  import Testing

  /// The recorded calls of what is done to a whole store, replayed with what was not synced lost.
  @Suite("Power losses", .enabled(if: Chaos.isAsked))
  struct PowerLossTests {
    @Test("what the others stand on: the record of a bootstrap holds every change there was", arguments: BootstrapScenario.Name.allCases)
    func record(name: BootstrapScenario.Name) throws {
      let scenario = try BootstrapScenario(name)
      let run = try scenario.record()
      expectWhole(run, of: scenario)
      // Each way of copying is among what is tested.
      #expect(run.calls.contains { $0.kind == .copy && $0.isOurs } == ![.create, .copyOverRemains, .migrate].contains(name))
    }

    @Test("and that of a removal, a reset, an erasure or a backup", arguments: InstanceScenario.Name.allCases)
    func recordOfAnInstance(name: InstanceScenario.Name) throws {
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

    @Test("a bootstrap, at any moment", arguments: BootstrapScenario.Name.allCases)
    func bootstrap(name: BootstrapScenario.Name) async throws { try await BootstrapScenario(name).losePower(least: 5) }

    /// Of an upgrade and a migration at once, each sync is one of theirs, and where one comes right after another, one does for both.
    @Test("a bootstrap, with a sync left out", arguments: BootstrapScenario.Name.allCases.filter { $0 != .migrateUpgrading })
    func syncsOfABootstrap(name: BootstrapScenario.Name) async throws {
      // The finished file before its name, the folder after it.
      try await BootstrapScenario(name).leaveOutSyncs(least: 2)
    }

    @Test("a removal, a reset, an erasure or a backup, at any moment", arguments: InstanceScenario.Name.allCases)
    func instance(name: InstanceScenario.Name) async throws { try await InstanceScenario(name).losePower(least: 3) }

    @Test("a removal, a reset, an erasure or a backup, with a sync left out", arguments: InstanceScenario.Name.allCases)
    func syncsOfAnInstance(name: InstanceScenario.Name) async throws {
      try await InstanceScenario(name).leaveOutSyncs(least: name == .destroyDamaged ? 1 : 2)
    }
  }
#endif
