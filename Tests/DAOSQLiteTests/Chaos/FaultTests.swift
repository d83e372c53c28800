#if os(Linux)
  import DAOCriteria
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// Calls that fail, or do half of what they should: a typed error and a whole store, or it did not matter.
  @Suite("Calls that fail", .enabled(if: Chaos.isAsked))
  struct FaultTests {
    /// What befalls a call.
    enum Fault: String, CaseIterable {
      case diskFull, diskStaysFull, writeError, writesStayFailing, shortWrite, readError

      var shim: [String: String] {
        switch self {
        case .diskFull: ["DAO_SHIM_DO": "\(ENOSPC)"]
        case .diskStaysFull: ["DAO_SHIM_DO": "\(ENOSPC)", "DAO_SHIM_STAYS": "1"]
        // Of a sync too.
        case .writeError: ["DAO_SHIM_DO": "\(EIO)"]
        case .writesStayFailing: ["DAO_SHIM_DO": "\(EIO)", "DAO_SHIM_STAYS": "1"]
        case .shortWrite: ["DAO_SHIM_DO": "short"]
        case .readError: ["DAO_SHIM_DO": "\(EIO)"]
        }
      }
    }

    static func scenarios(for fault: Fault) throws -> [any Interruptible] {
      // Some copy within the kernel, some by hand.
      let starts: [BootstrapScenario.Name] = [
        .copy, .copyOverRemains, .copyKeepingBase, .replace, .replaceByCopying, .upgrade, .migrate, .migrateUpgrading,
      ]
      let others: [any Interruptible] = [try InstanceScenario(.backup), try InstanceScenario(.backupOver), try WriteScenario()]
      // Nothing is written there.
      let read: [any Interruptible] = fault == .readError ? [try UnchangedSeedScenario()] : []
      return try starts.map(BootstrapScenario.init) + others + read
    }

    @Test("each call in turn", arguments: Fault.allCases)
    func faults(fault: Fault) async throws {
      for scenario in try Self.scenarios(for: fault) {
        let calls = try scenario.calls(reading: fault == .readError)
        // Fewer would mean that calls are not seen.
        #expect(calls >= 5)
        let scratch = try Scratch()
        var (failures, met) = (0, 0)
        let tried = Chaos.some(of: calls, quick: 8)
        for call in tried {
          await Task.yield()
          let root = try scenario.makeRoot()
          var shim = fault.shim.merging(["DAO_SHIM_AT": "\(call)", "DAO_SHIM_MET": scratch.url("met-\(call)").path]) { $1 }
          if fault == .readError { shim.merge(scenario.reads) { $1 } }
          let end = try scenario.start(in: root, shim: shim).wait()
          met += FileManager.default.fileExists(atPath: scratch.url("met-\(call)").path) ? 1 : 0
          let comment = "\(scenario.title), \(fault) at call \(call): \(end.output.split(separator: "\n").last ?? "")"
          // 0 or 1 of `exit`.
          #expect(end.status == 0 || end.status == 1 << 8, "\(comment) (\(end.status))")
          #expect(end.status == 0 || end.output.contains("end failed"), "\(comment)")
          failures += end.status == 0 ? 0 : 1
          if let breakage = scenario.breakage(in: root, after: end) { Issue.record("\(comment): \(breakage)") }
          if let complaint = try scenario.complaint(afterAnotherGoIn: root) { Issue.record("\(comment): \(complaint)") }
          try FileManager.default.removeItem(atPath: root)
        }
        // Half a write is written on by those who know how. Removing never fails, and what is no write is not done by half.
        #expect(failures > 0 || fault == .shortWrite, "\(scenario.title), \(fault): no call could fail")
        #expect(met > 0 || tried.count < calls, "\(scenario.title), \(fault): nothing happened to any call")
        Chaos.tell("faults", scenario.title, met)
      }
    }
  }
#endif
