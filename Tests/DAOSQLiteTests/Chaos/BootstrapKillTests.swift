#if os(Linux)
  import DAOCriteria
  import Foundation
  import GRDB
  import Testing

  @testable import DAOSQLite

  /// The process is ended in the middle; the next one has to find no store, the old store with all its commits, or a complete new one.
  @Suite(.enabled(if: Chaos.isAsked)) struct BootstrapKillTests {
    @Test(arguments: BootstrapScenario.Name.allCases)
    func `a kill at any file-changing call loses nothing`(name: BootstrapScenario.Name) async throws {
      try await BootstrapScenario(name).killAtCalls(quick: 12, least: 9)
    }

    @Test(arguments: BootstrapScenario.Name.allCases)
    func `a kill at any moment loses nothing`(name: BootstrapScenario.Name) async throws {
      let isPromised = [.copy, .replace, .upgrade, .migrate].contains(name)
      try await BootstrapScenario(name).killAtMoments(
        isPromised ? Chaos.count(quick: 24, full: 1000) : Chaos.count(quick: 8, full: 100))
    }

    /// Where SQLite can't open a file of its own it tries again for reading, or goes on in WAL mode, and the system's reason is lost.
    private static let diskFull = [
      "end failed diskFull", "unable to open database file", "disk I/O error", "can't leave WAL mode", "can't be replaced",
    ]

    /// The old store's WAL may have been folded in, and an absent store's removed; nothing may be added.
    @Test(arguments: BootstrapScenario.Name.allCases)
    func `any call that finds the disk full fails the bootstrap and leaves nothing`(name: BootstrapScenario.Name) async throws {
      let scenario = try BootstrapScenario(name)
      // After a commit that failed it is the next start that asks the store which base holds.
      let left = [.upgrade, .migrate, .migrateUpgrading].contains(name) ? [".base-", ".before-migration"].map { scenario.store + $0 } : []
      try await scenario.fillDisk(saying: Self.diskFull, least: 3) { file in left.contains(where: file.hasPrefix) }
    }

    @Test func `two processes at once make one copy`() async throws {
      for name in [BootstrapScenario.Name.copy, .copyOverRemains, .copyFoldingWAL, .create, .replace, .copyKeepingBase, .upgrade] {
        let scenario = try BootstrapScenario(name)
        for _ in 0..<5 {
          await Task.yield()
          let root = try scenario.makeRoot()
          let slow = ["DAO_SHIM_SLEEP": "1000"]
          let both = try (0..<2).map { _ in try scenario.start(in: root, shim: slow) }.map { $0.wait() }
          let said = both.map { $0.output.split(separator: "\n").last.map(String.init) ?? "" }.sorted()
          let made =
            [BootstrapScenario.Name.create: "end created", .replace: "end replaced", .upgrade: "end upgraded"][name] ?? "end copied"
          #expect(said == [made, "end reused"].sorted())
          #expect(scenario.complaint(afterNextStartIn: root) == nil)
        }
      }
    }

    /// Another program that writes while the store is replaced, and even turns WAL mode on again: each of its commits is in the store or
    /// saved.
    @Test(arguments: [BootstrapScenario.Name.replace, .replaceByCopying])
    func `who writes while the store is replaced loses nothing`(name: BootstrapScenario.Name) async throws {
      let scenario = try BootstrapScenario(name)
      for _ in 0..<8 {
        await Task.yield()
        let root = try scenario.makeRoot()
        let store = URL(fileURLWithPath: root + "/" + scenario.store)
        let probe = try scenario.start(in: root, shim: ["DAO_SHIM_SLEEP": "1000"])
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
  }

  /// Writes a row at a time, each through a connection of its own, until it is stopped.
  private final class Writer: @unchecked Sendable {
    private let lock = NSLock()
    private var isStopped = false
    private var written: [String] = []
    private let done = DispatchSemaphore(value: 0)

    init(_ store: URL) {
      DispatchQueue(label: "writer").async { [self] in
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
