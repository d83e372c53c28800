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
      case diskFull, writeError, shortWrite, readError

      var shim: [String: String] {
        switch self {
        case .diskFull: ["DAO_SHIM_DO": "\(ENOSPC)"]
        // Of a sync too.
        case .writeError: ["DAO_SHIM_DO": "\(EIO)"]
        case .shortWrite: ["DAO_SHIM_DO": "short"]
        case .readError: ["DAO_SHIM_DO": "\(EIO)", "DAO_SHIM_READS": "1"]
        }
      }
    }

    static func scenarios() throws -> [any Interruptible] {
      let starts: [Scenario.Name] = [.copy, .copyKeepingBase, .replace, .upgrade, .migrate, .migrateUpgrading]
      return try starts.map(Scenario.init) + [LifeScenario(.backup), LifeScenario(.backupOver), WriteScenario()]
    }

    @Test("each call in turn", arguments: Fault.allCases)
    func faults(fault: Fault) async throws {
      for scenario in try Self.scenarios() {
        let calls = try scenario.calls(reading: fault == .readError)
        // Fewer would mean that calls are not seen.
        #expect(calls >= 5)
        var failures = 0
        let tried = Chaos.some(of: calls, quick: 8)
        for call in tried {
          await Task.yield()
          let root = try scenario.makeRoot()
          let end = try scenario.start(in: root, shim: fault.shim.merging(["DAO_SHIM_AT": "\(call)"]) { $1 }).wait()
          let comment = "\(scenario.title), \(fault) at call \(call): \(end.output.split(separator: "\n").last ?? "")"
          // 0 or 1 of `exit`.
          #expect(end.status == 0 || end.status == 1 << 8, "\(comment) (\(end.status))")
          #expect(end.status == 0 || end.output.contains("end failed"), "\(comment)")
          failures += end.status == 0 ? 0 : 1
          if let breakage = scenario.breakage(in: root, after: end) { Issue.record("\(comment): \(breakage)") }
          if let complaint = try scenario.complaint(afterAnotherGoIn: root) { Issue.record("\(comment): \(complaint)") }
          try FileManager.default.removeItem(atPath: root)
        }
        // Half a write is written on by those who know how.
        #expect(failures > 0 || fault == .shortWrite, "\(scenario.title): no call could fail")
        Chaos.tell("faults", scenario.title, tried.count)
      }
    }
  }
#endif
