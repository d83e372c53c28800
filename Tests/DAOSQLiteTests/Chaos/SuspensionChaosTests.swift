#if os(Linux)
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// What is done to a whole store, suspended at one of its calls: it ends, the process holds no lock, and the next start finds what a kill
  /// would have left.
  @Suite("What is done to a whole store, suspended", .enabled(if: Chaos.isAsked))
  struct SuspensionChaosTests {
    static func scenarios() throws -> [any AllOrNothing] {
      try BootstrapScenario.Name.allCases.map(BootstrapScenario.init) + InstanceScenario.Name.allCases.map { try InstanceScenario($0) }
    }

    @Test(arguments: [false, true])
    func `at each call that changes files, and each that reads`(isReading: Bool) async throws {
      for scenario in try Self.scenarios() { try await suspend(scenario, isReading) }
    }

    private func suspend(_ scenario: some AllOrNothing, _ isReading: Bool) async throws {
      let counted = isReading ? scenario.reads : [:]
      let calls = try scenario.calls(counted)
      #expect(calls >= 3, "\(scenario.title)")
      var (met, late) = (0, 0)
      for call in Chaos.some(of: calls, quick: 6) {
        await Task.yield()
        let scratch = try Scratch()
        let root = try scenario.makeRoot()
        let own = ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": "suspend", "DAO_SHIM_GATE": scratch.url("gate").path]
        let end = try scenario.start(in: root, shim: counted.merging(own) { $1 }).wait()
        let lines = end.output.split(separator: "\n")
        let comment = "\(scenario.title), suspended at call \(call) of \(calls): \(lines.last ?? "")"
        // 0 or 1 of `exit`.
        #expect(end.status == 0 || end.status == 1 << 8, "\(comment) (\(end.status))")
        #expect(end.status == 0 || lines.last == "end failed suspended", "\(comment)")
        if let told = lines.first(where: { $0.hasPrefix("suspended ") })?.split(separator: " ") {
          met += 1
          #expect(told.count == 3 && told.last == "0", "\(comment): the process still has a lock: \(told)")
          if told.count == 3, let time = Int(told[1]), time > 100_000 { late += 1 }
        }
        if let breakage = scenario.breakage(in: root, after: end) { Issue.record("\(comment): \(breakage)") }
        if let complaint = try scenario.complaint(afterAnotherGoIn: root) { Issue.record("\(comment): \(complaint)") }
        try FileManager.default.removeItem(atPath: root)
      }
      #expect(met > 0, "\(scenario.title): nothing was suspended")
      Chaos.tell("suspensions", scenario.title, met)
      if late > 0 { Chaos.tell("suspensions that took more than 100 ms", scenario.title, late) }
    }
  }
#endif
