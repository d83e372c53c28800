#if os(Linux)
  import Foundation
  import Testing

  @testable import DAOSQLite

  /// Eight processes that start at once on one store.
  @Suite("Processes at once", .enabled(if: Chaos.isAsked))
  struct ProcessTests {
    @Test(
      "one does the work, and all end up working",
      arguments: [(Scenario.Name.migrateUpgrading, "end upgraded migrated"), (.copyKeepingBase, "end copied migrated")])
    func eight(name: Scenario.Name, work: String) async throws {
      let scenario = try Scenario(name)
      let repeats = Chaos.count(quick: 3, full: 50)
      for _ in 0..<repeats {
        await Task.yield()
        let root = try scenario.makeRoot()
        let processes = try (0..<8).map { _ in try Probe.start(scenario.seed, root + "/" + scenario.store, "join", root) }
        let ends = processes.map { $0.wait() }
        let said = ends.map { $0.output.split(separator: "\n").last.map(String.init) ?? "" }.sorted()
        #expect(said == ([work] + Array(repeating: "end reused", count: 7)).sorted(), "\(said)")
        let names = try Items.read(URL(fileURLWithPath: root + "/" + scenario.store))
        let seeded = Scenario.marked(Items.names("one", 120) + (scenario.old == nil ? [] : Items.names("mine", 20)))
        #expect(names.filter { !$0.hasPrefix("process") } == seeded)
        #expect(names.filter { $0.hasPrefix("process") }.count == 8)
        try FileManager.default.removeItem(atPath: root)
      }
      Chaos.tell("eight processes", scenario.title, repeats)
    }
  }
#endif
