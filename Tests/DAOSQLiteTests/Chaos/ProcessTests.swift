#if os(Linux)
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// Eight processes that start at once on one store.
  @Suite("Processes at once", .enabled(if: Chaos.isAsked))
  struct ProcessTests {
    @Test(
      "one does the work, and all end up working",
      arguments: [(BootstrapScenario.Name.migrateUpgrading, "end upgraded migrated"), (.copyKeepingBase, "end copied migrated")])
    func eight(name: BootstrapScenario.Name, work: String) async throws {
      let scenario = try BootstrapScenario(name)
      // So that they are at it at the same time.
      let slow = ["DAO_SHIM_SLEEP": "1000"]
      let repeats = Chaos.count(quick: 3, full: 50)
      for _ in 0..<repeats {
        await Task.yield()
        let root = try scenario.makeRoot()
        let processes = try (0..<8).map { _ in try Probe.start(scenario.seed, root + "/" + scenario.store, "join", root, shim: slow) }
        let ends = processes.map { $0.wait() }
        let said = ends.map { $0.output.split(separator: "\n").last.map(String.init) ?? "" }.sorted()
        #expect(said == ([work] + Array(repeating: "end reused", count: 7)).sorted(), "\(said)")
        let names = try Items.read(URL(fileURLWithPath: root + "/" + scenario.store))
        let seeded = scenario.old == nil ? BootstrapScenario.marked(scenario.new) : scenario.new
        #expect(names.filter { !$0.hasPrefix("process") } == seeded)
        #expect(names.filter { $0.hasPrefix("process") }.count == 8)
        try FileManager.default.removeItem(atPath: root)
      }
      Chaos.tell("eight processes", scenario.title, repeats)
    }
  }
#endif
