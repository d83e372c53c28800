#if os(Linux)
  import DAOCriteria
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// Calls that fail, or do half of what they should: a typed error and a whole store. What SQLite made of its own calls may not have
  /// mattered.
  @Suite("Calls that fail", .enabled(if: Chaos.isAsked))
  struct FaultTests {
    /// What befalls a call.
    enum Fault: String, CaseIterable {
      case diskFull, diskStaysFull, writeError, writesStayFailing, shortWrite
      /// A write does half, and there is no room for what comes after it.
      case cut
      case readError

      var shim: [String: String] {
        switch self {
        case .diskFull: ["DAO_SHIM_DO": "\(ENOSPC)"]
        case .diskStaysFull: ["DAO_SHIM_DO": "\(ENOSPC)", "DAO_SHIM_STAYS": "1"]
        // Of a sync too.
        case .writeError: ["DAO_SHIM_DO": "\(EIO)"]
        case .writesStayFailing: ["DAO_SHIM_DO": "\(EIO)", "DAO_SHIM_STAYS": "1"]
        case .shortWrite: ["DAO_SHIM_DO": "short"]
        case .cut: ["DAO_SHIM_DO": "cut"]
        case .readError: ["DAO_SHIM_DO": "\(EIO)"]
        }
      }

      /// What makes the shim count the calls that it can befall.
      func counted(in scenario: some Interruptible) -> [String: String] {
        switch self {
        case .diskFull, .diskStaysFull, .writeError, .writesStayFailing: [:]
        case .shortWrite, .cut: scenario.writes
        case .readError: scenario.reads
        }
      }

      /// Whether it makes something fail; half a write is written on by those who know how.
      var isFailure: Bool { self != .shortWrite }
    }

    static func scenarios(for fault: Fault) throws -> [any Interruptible] {
      // Some copy within the kernel, some by hand.
      let starts: [BootstrapScenario.Name] = [
        .copy, .copyOverRemains, .copyKeepingBase, .replace, .replaceByCopying, .upgrade, .migrate, .migrateUpgrading,
      ]
      let others: [any Interruptible] = [
        try InstanceScenario(.backup), try InstanceScenario(.backupOver), try WriteScenario(), try WriteScenario(.units),
      ]
      // Nothing is written there.
      let read: [any Interruptible] = fault == .readError ? [try UnchangedSeedScenario()] : []
      return try starts.map(BootstrapScenario.init) + others + read
    }

    @Test(arguments: Fault.allCases)
    func `each call in turn`(fault: Fault) async throws {
      for scenario in try Self.scenarios(for: fault) {
        let failures = try await strike(scenario, fault, quick: 8)
        #expect(failures > 0 || !fault.isFailure, "\(scenario.title), \(fault): no call could fail")
      }
    }

    @Test(arguments: Fault.allCases)
    func `calls in files of 10 MB`(fault: Fault) async throws {
      for scenario in try LargeFileTests.Subject.allCases.map({ try $0.scenario() }) {
        _ = try await strike(scenario, fault, quick: 3, full: 30)
      }
    }

    /// Lets a fault befall one call after another.
    /// - Parameters:
    ///   - quick: how many of them, chosen by chance, unless more are wanted.
    ///   - full: how many then; nil for all.
    /// - Returns: how often it made the run fail.
    private func strike(_ scenario: some Interruptible, _ fault: Fault, quick: Int, full: Int? = nil) async throws -> Int {
      let calls = try scenario.calls(fault.counted(in: scenario))
      // Fewer would mean that calls are not seen.
      #expect(calls >= 5, "\(scenario.title), \(fault)")
      var (failures, met) = (0, 0)
      for call in Chaos.some(of: calls, quick: quick, full: full) {
        await Task.yield()
        let found = try strike(scenario, fault, at: call)
        failures += found.hasFailed ? 1 : 0
        met += found.isMet ? 1 : 0
      }
      #expect(met > 0, "\(scenario.title), \(fault): nothing happened to any call")
      Chaos.tell("faults", scenario.title, met)
      return failures
    }

    /// Lets a fault befall a call, and judges what comes of it.
    /// - Returns: whether the run failed, and whether anything happened to a call.
    private func strike(_ scenario: some Interruptible, _ fault: Fault, at call: Int) throws -> (hasFailed: Bool, isMet: Bool) {
      let scratch = try Scratch()
      let root = try scenario.makeRoot()
      let own = ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_MET": scratch.url("met").path]
      let shim = fault.shim.merging(fault.counted(in: scenario)) { $1 }.merging(own) { $1 }
      let end = try scenario.start(in: root, shim: shim).wait()
      let told = try MetCall.read(scratch.url("met"))
      let met = told.filter { $0.fate != .spared }
      let comment = "\(scenario.title), \(fault) at call \(call): \(end.output.split(separator: "\n").last ?? "")"
      #expect(scenario.isVaried || !told.isEmpty, "\(comment): it is not met")
      // 0 or 1 of `exit`.
      #expect(end.status == 0 || end.status == 1 << 8, "\(comment) (\(end.status))")
      #expect(end.status == 0 || end.output.contains("end failed"), "\(comment)")
      #expect(end.status == 0 || !met.isEmpty, "\(comment): nothing happened")
      // Where no blocks can be shared they are copied.
      if let failed = met.first(where: { $0.isOurs && $0.fate == .failed && $0.kind != .clone }) {
        #expect(end.status == 1 << 8, "\(comment): a \(failed.kind) of ours failed, and nobody says so")
      }
      if let breakage = scenario.breakage(in: root, after: end) { Issue.record("\(comment): \(breakage)") }
      if let complaint = try scenario.complaint(afterAnotherGoIn: root) { Issue.record("\(comment): \(complaint)") }
      try FileManager.default.removeItem(atPath: root)
      return (end.status != 0, !met.isEmpty)
    }
  }
#endif
