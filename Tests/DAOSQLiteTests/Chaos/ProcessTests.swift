#if os(Linux)
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// Eight processes that start at once on one store.
  @Suite("Processes at once", .enabled(if: Chaos.isAsked))
  struct ProcessTests {
    @Test(arguments: [(BootstrapScenario.Name.migrateUpgrading, "end upgraded migrated"), (.copyKeepingBase, "end copied migrated")])
    func `one does the work, and all end up working`(name: BootstrapScenario.Name, work: String) async throws {
      let scenario = try BootstrapScenario(name)
      let repeats = Chaos.count(quick: 3, full: 50)
      for _ in 0..<repeats {
        await Task.yield()
        let root = try scenario.makeRoot()
        let store = URL(fileURLWithPath: root + "/" + scenario.store)
        let gate = scenario.scratch.url("gate-\(UUID().uuidString)")
        // So that they are at it at the same time.
        let shim = ["DAO_SHIM_SLEEP": "1000", "DAO_PROBE_GATE": gate.path]
        let processes = try (0..<8).map { _ in try Probe.start(scenario.seed, store.path, "join", root, shim: shim) }
        for process in processes { #expect(process.waitForLine() == "begin\n") }
        try Data().write(to: gate)
        let ends = processes.map { $0.wait() }
        let said = ends.map { $0.output.split(separator: "\n").last.map(String.init) ?? "" }.sorted()
        #expect(said == ([work] + Array(repeating: "end reused", count: 7)).sorted(), "\(said)")
        let names = try Items.read(store)
        let seeded = scenario.old == nil ? BootstrapScenario.marked(scenario.new) : scenario.new
        #expect(names.filter { !$0.hasPrefix("process") } == seeded)
        #expect(names.filter { $0.hasPrefix("process") }.count == 8)
        if name == .migrateUpgrading {
          try Items.run(store, "DELETE FROM item WHERE name LIKE 'process%'")
          #expect(scenario.complaint(afterNextStartIn: root) == nil)
        }
        try FileManager.default.removeItem(atPath: root)
      }
      Chaos.tell("eight processes", scenario.title, repeats)
    }
  }
#endif
