#if os(Linux)
  import Testing

  /// The process is ended in the middle of a removal, a reset, an erasure or a backup; what is found is the state before it or after it.
  @Suite("What is done to a whole store, interrupted", .enabled(if: Chaos.isAsked))
  struct InstanceKillTests {
    @Test(arguments: InstanceScenario.Name.allCases)
    func `a kill at any call that changes files`(name: InstanceScenario.Name) async throws {
      try await InstanceScenario(name).killAtCalls(quick: 8, least: name == .destroyDamaged ? 3 : 5)
    }

    @Test(arguments: InstanceScenario.Name.allCases)
    func `a kill at any moment`(name: InstanceScenario.Name) async throws {
      try await InstanceScenario(name).killAtMoments(
        name == .backup ? Chaos.count(quick: 24, full: 1000) : Chaos.count(quick: 8, full: 100))
    }

    @Test(arguments: InstanceScenario.Name.allCases)
    func `a full disk at any call is a typed error that changes nothing`(name: InstanceScenario.Name) async throws {
      // A removal that can't make itself last has been done; it says so, and can be done again.
      let isRemoved = name == .destroy || name == .destroyDamaged
      try await InstanceScenario(name).fillDisk(saying: ["end failed"], least: 1, mayBeDone: isRemoved) {
        ["store-wal", "store-shm"].contains($0)
      }
    }
  }
#endif
