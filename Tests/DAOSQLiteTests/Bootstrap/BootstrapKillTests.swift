#if os(Linux)
  import DAOCriteria
  import Foundation
  import GRDB
  import Testing

  @testable import DAOSQLite

  /// The process is ended in the middle; the next one has to find no store, the old store with all its commits, or a complete new one.
  @Suite(.enabled(if: Chaos.isAsked)) struct BootstrapKillTests {
    /// How a process is ended at a call: before it, after it, or after half of what it writes.
    static let ways = ["before", "after", "half"]

    @Test(arguments: Scenario.Name.allCases)
    func aKillAtAnyFileChangingCallLosesNothing(name: Scenario.Name) async throws {
      let scenario = try Scenario(name)
      let calls = try scenario.calls()
      // Fewer would mean that calls are not seen.
      #expect(calls >= 9)
      var kills = 0
      for way in Self.ways {
        for call in Chaos.some(of: calls, quick: 12) {
          kills += 1
          let root = try scenario.makeRoot()
          let end = try Probe.start(scenario, root, shim: ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": way]).wait()
          #expect(end.wasKilled, "\(end.output)")
          try await checkNextStart(scenario, root, "\(name), killed \(way) call \(call)")
        }
      }
      Chaos.tell("kills at a call", "\(name)", kills)
    }

    @Test(arguments: Scenario.Name.allCases)
    func aKillAtAnyMomentLosesNothing(name: Scenario.Name) async throws {
      let scenario = try Scenario(name)
      let slow = ["DAO_SHIM_SLEEP": "1000"]
      let clock = ContinuousClock()
      let timed = try Probe.start(scenario, try scenario.makeRoot(), shim: slow)
      #expect(timed.waitForOutput() == "begin\n")
      let length = clock.measure { _ = timed.wait() }
      let isPromised = [.copy, .replace, .upgrade, .migrate].contains(name)
      let wanted = isPromised ? Chaos.count(quick: 24, full: 1000) : Chaos.count(quick: 8, full: 100)
      var inside = 0
      var attempts = 0
      while inside < wanted, attempts < wanted * 4 {
        attempts += 1
        let root = try scenario.makeRoot()
        let probe = try Probe.start(scenario, root, shim: slow)
        #expect(probe.waitForOutput() == "begin\n")
        usleep(UInt32.random(in: 0...UInt32(length / .microseconds(1))))
        kill(probe.process, SIGKILL)
        let end = probe.wait()
        // Only what ended between the first line and the last was ended in the middle.
        if end.wasKilled, !end.output.contains("end") { inside += 1 }
        try await checkNextStart(scenario, root, "\(name), killed at random")
      }
      #expect(inside == wanted)
      Chaos.tell("kills at a moment", "\(name)", inside)
    }

    /// Where SQLite can't open a file of its own it tries again for reading, or goes on in WAL mode, and the system's reason is lost.
    static let diskFull = [
      "end failed diskFull", "unable to open database file", "disk I/O error", "can't leave WAL mode", "can't be replaced",
    ]

    /// The same bar for errors of the system: a typed error, and all as it was; or the call did not matter, and the store is there.
    @Test(arguments: Scenario.Name.allCases)
    func anyCallThatFindsTheDiskFullFailsTheBootstrapAndLeavesNothing(name: Scenario.Name) async throws {
      let scenario = try Scenario(name)
      var failures = 0
      for call in Chaos.some(of: try scenario.calls(), quick: 16) {
        let root = try scenario.makeRoot()
        let before = snapshot(root).keys.sorted()
        let end = try Probe.start(scenario, root, shim: ["DAO_SHIM_AT": "\(call)", "DAO_SHIM_DO": "\(ENOSPC)"]).wait()
        #expect(!end.wasKilled)
        let found = scenario.find(in: root)
        guard end.status != 0 else {
          #expect(found == .new, "\(name), call \(call)")
          continue
        }
        failures += 1
        await Task.yield()
        #expect(
          Self.diskFull.contains { end.output.contains($0) }, "\(name), call \(call): \(end.output)"
        )
        #expect(found == (scenario.old == nil ? .none : .old), "\(name), call \(call): \(end.output)")
        // The old store's WAL may have been folded in, and an absent store's removed; nothing may be added.
        // After a commit that failed it is the next start that asks the store which base holds.
        let mayAdd = [".base-", ".before-migration"].map { scenario.store + $0 }
        let commits = [.upgrade, .migrate, .migrateUpgrading].contains(name)
        let added = snapshot(root).keys.filter { name in !before.contains(name) && !(commits && mayAdd.contains(where: name.hasPrefix)) }
        #expect(added.isEmpty, "\(name), call \(call): \(added)")
      }
      #expect(failures >= 3)
      Chaos.tell("faults", "\(name)", failures)
    }

    @Test func twoProcessesAtOnceMakeOneCopy() async throws {
      for name in [Scenario.Name.copy, .copyOverRemains, .copyFoldingWAL, .create, .replace, .copyKeepingBase, .upgrade] {
        let scenario = try Scenario(name)
        for _ in 0..<5 {
          await Task.yield()
          let root = try scenario.makeRoot()
          let slow = ["DAO_SHIM_SLEEP": "1000"]
          let both = [try Probe.start(scenario, root, shim: slow), try Probe.start(scenario, root, shim: slow)].map { $0.wait() }
          let said = both.map { $0.output.split(separator: "\n").last.map(String.init) ?? "" }.sorted()
          let made = [Scenario.Name.create: "end created", .replace: "end replaced", .upgrade: "end upgraded"][name] ?? "end copied"
          #expect(said == [made, "end reused"].sorted())
          #expect(scenario.complaint(afterNextStartIn: root) == nil)
        }
      }
    }

    /// Another program that writes while the store is replaced, and even turns WAL mode on again: each of its commits is in the store or saved.
    @Test(arguments: [Scenario.Name.replace, .replaceByCopying])
    func whoWritesWhileTheStoreIsReplacedLosesNothing(name: Scenario.Name) async throws {
      let scenario = try Scenario(name)
      for _ in 0..<8 {
        await Task.yield()
        let root = try scenario.makeRoot()
        let store = URL(fileURLWithPath: root + "/" + scenario.store)
        let probe = try Probe.start(scenario, root, shim: ["DAO_SHIM_SLEEP": "1000"])
        let writer = Writer(store)
        let end = probe.wait()
        let written = writer.stop()
        #expect(end.status == 0 || end.output.contains("end failed locked"), "\(end.output)")
        let now = try Items.read(store)
        let first = try #require(now.first { !$0.hasPrefix("written") })
        let expected = scenario.new.contains(first) ? scenario.new : scenario.old
        #expect(now.filter { !$0.hasPrefix("written") } == expected)
        let saved = try StorePaths(store: store.path).backups().flatMap(Items.read)
        let lost = Set(written).subtracting(now + saved)
        #expect(lost.isEmpty, "\(name): \(lost.sorted())")
      }
    }

    private func checkNextStart(_ scenario: Scenario, _ root: String, _ comment: String) async throws {
      // Other tests want to run too.
      await Task.yield()
      let found = scenario.find(in: root)
      if case .broken(let why) = found { Issue.record("\(comment): \(why)") }
      let next = try Probe.start(scenario, root).wait()
      #expect(next.status == 0, "\(comment): \(next.output)")
      if let complaint = scenario.complaint(afterNextStartIn: root) { Issue.record("\(comment): \(complaint)") }
      try FileManager.default.removeItem(atPath: root)
    }
  }

  /// Writes a row at a time, each through a connection of its own, until it is stopped.
  private final class Writer: @unchecked Sendable {
    private let lock = NSLock()
    private var isStopped = false
    private var written: [String] = []
    private let done = DispatchSemaphore(value: 0)

    init(_ store: URL) {
      DispatchQueue.global().async { [self] in
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        while !lock.withLock({ isStopped }) {
          let name = "written \(UUID().uuidString)"
          do {
            let queue = try DatabaseQueue(path: store.path, configuration: configuration)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { db in
              try db.execute(sql: "PRAGMA journal_mode = WAL")
              try db.execute(sql: "INSERT INTO item (name) VALUES (?)", arguments: [name])
            }
            lock.withLock { written.append(name) }
          } catch {}
          usleep(500)
        }
        done.signal()
      }
    }

    /// What it has committed.
    func stop() -> [String] {
      lock.withLock { isStopped = true }
      done.wait()
      return lock.withLock { written }
    }
  }
#endif
