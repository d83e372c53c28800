#if os(Linux)
  import Foundation
  import Testing

  /// What is done to files that SQLite does not hold in memory, and that are copied in several pieces, is ended in the middle.
  @Suite("Large files, interrupted", .enabled(if: Chaos.isAsked))
  struct LargeFileTests {
    enum Subject: String, CaseIterable {
      case copy, copyByHand, upgrade, migrate, backup

      func scenario() throws -> any AllOrNothing {
        switch self {
        case .copy: try BootstrapScenario(.copy, size: .large)
        case .copyByHand: try BootstrapScenario(.copyOverRemains, size: .large)
        case .upgrade: try BootstrapScenario(.upgrade, size: .large)
        case .migrate: try BootstrapScenario(.migrate, size: .large)
        case .backup: try InstanceScenario(.backup, size: .large)
        }
      }
    }

    @Test(arguments: Subject.allCases)
    func `what the others stand on: there are several pieces, or more pages than SQLite holds`(subject: Subject) throws {
      let scenario = try subject.scenario()
      let calls = try scenario.record().calls
      switch subject {
      case .copy: #expect(calls.filter { $0.kind == .copy && $0.isOurs }.count >= 2)
      case .copyByHand: #expect(calls.filter { $0.kind == .write && $0.isOurs }.count >= 2)
      case .upgrade, .migrate:
        // One transaction of more than the 2 MB of SQLite's cache.
        #expect(calls.filter { $0.kind == .write && $0.path.hasSuffix("-wal") && $0.data.count == 4096 }.count > 1000)
        #expect(calls.contains { $0.kind == .write && $0.path.contains("/\(Probe.temporaryFolder)/") })
      case .backup: #expect(calls.filter { $0.kind == .write && $0.path.hasSuffix(".incoming") }.map(\.data.count).reduce(0, +) > 8 << 20)
      }
    }

    @Test(arguments: Subject.allCases)
    func `a kill at any call that changes files`(subject: Subject) async throws {
      try await subject.scenario().killAtCalls(quick: 3, full: 30, least: 5)
    }

    @Test(arguments: Subject.allCases)
    func `a kill at any moment`(subject: Subject) async throws {
      try await subject.scenario().killAtMoments(Chaos.count(quick: 3, full: 100), pause: 0)
    }
  }
#endif
