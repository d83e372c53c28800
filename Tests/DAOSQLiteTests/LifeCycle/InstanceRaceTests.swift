import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import TestCases
import Testing

@testable import DAOSQLite

@Suite("Stores that are opened and removed at once")
struct InstanceRaceTests {
  /// Who has opened a store keeps others from removing it: what is then written is found under the store's name.
  @Test func `nobody goes on with a file that was removed`() throws {
    let scratch = try Scratch()
    try Items.make(scratch.url("seed"), "one")
    let url = scratch.url("store")
    let store = StoreDescription.file(url, seed: .file(scratch.url("seed")), applicationID: 7)
    let (tally, done, rounds) = (Tally(), DispatchGroup(), TestCases.count(60, inSuite: 15))
    for number in 0..<3 {
      done.enter()
      Thread.detachNewThread {
        for round in 0..<rounds {
          do {
            let engine = try store.open([item]).engine
            let name = "\(number)-\(round)"
            let entities = EngineStore(engine)
            _ = try entities.insert([try DynamicEntity(item, ["name": .text(name)])], in: EntityTarget(item))
            var configuration = Configuration()
            configuration.readonly = true
            let found = try DatabaseQueue(path: url.path, configuration: configuration).read {
              try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM item WHERE name = ?)", arguments: [name])
            }
            tally.note(found == true)
            withExtendedLifetime(engine) {}
          } catch {}
        }
        done.leave()
      }
    }
    var removals = 0
    while done.wait(timeout: .now()) == .timedOut {
      if (try? store.destroy(within: .milliseconds(1))) != nil { removals += 1 }
    }
    #expect(tally.lost == 0)
    #expect(tally.kept > rounds / 3 && removals > rounds / 12)
  }

  #if os(Linux)
    /// A lock that a process has on a file goes when it closes any descriptor of that file by hand.
    @Test func `another process can't remove or reset a store that is open here, whatever was done with it; it can save it`() throws {
      let scratch = try Scratch()
      try Items.make(scratch.url("seed"), "one")
      let url = scratch.url("store")
      let store = StoreDescription.file(url, seed: .file(scratch.url("seed")), applicationID: 7)
      let engine = try store.open([item]).engine
      let other = try store.open([item]).engine
      let entities = EngineStore(engine)
      func askOthers() throws {
        for action in ["destroy", "reset"] {
          let end = try Child.run(Probe.path, [scratch.path + "/seed", url.path, action, "0"])
          #expect(end.output.contains("end failed locked") && end.output.contains("is open elsewhere"), "\(action): \(end.output)")
        }
        let saved = try Child.run(Probe.path, ["-", url.path, "backup", "0"])
        #expect(saved.output.contains("end saved"), "\(saved.output)")
        #expect(try Items.read(scratch.url("saved")).count == entities.count(in: EntityTarget(item), Criteria()))
        _ = try entities.insert([try DynamicEntity(item, ["name": "mine"])], in: EntityTarget(item))
      }
      try askOthers()
      #expect(problem { try store.destroy(within: .zero) }?.kind == .locked)
      #expect(problem { try other.destroy(removingBackups: false, within: .zero) }?.kind == .locked)
      #expect(problem { try other.reset(within: .zero) }?.kind == .locked)
      #expect(throws: DAOError.self) { try engine.backUp(to: url, within: .zero) { _, _ in } }
      #expect(throws: DAOError.self) { try SQLiteEngine().backUp(to: url, within: .zero) { _, _ in } }
      try engine.backUp(to: scratch.url("copy"), within: .zero) { _, _ in }
      _ = try engine.compact()
      try askOthers()
      try other.close(within: .seconds(5))
      try askOthers()
      try engine.close(within: .seconds(5))
      #expect(try Items.read(url).count == 123)
      #expect(try Child.run(Probe.path, ["-", url.path, "destroy", "0"]).output.contains("end destroyed"))
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  #endif

  @Test func `a file that has lost its name is told from one that has it`() throws {
    let scratch = try Scratch()
    try Items.make(scratch.url("store"), "one")
    let file = try SQLiteFile(scratch.path + "/store")
    #expect(try !file.hasMoved)
    try FileManager.default.removeItem(at: scratch.url("store"))
    #expect(try file.hasMoved)
    try Items.make(scratch.url("store"), "two")
    #expect(try file.hasMoved)
  }
}

private final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  // Guarded by the lock.
  private var counts = (kept: 0, lost: 0)
  func note(_ isKept: Bool) { lock.withLock { if isKept { counts.kept += 1 } else { counts.lost += 1 } } }
  var kept: Int { lock.withLock { counts.kept } }
  var lost: Int { lock.withLock { counts.lost } }
}
