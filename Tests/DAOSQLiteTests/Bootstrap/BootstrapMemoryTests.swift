import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Seeds loaded into memory, and seeds used where they lie.
@Suite struct BootstrapMemoryTests {
  let scratch: Scratch
  let seed: URL

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    try Items.make(seed, "one")
  }

  @Test(arguments: [false, true])
  func `a seed is loaded into memory`(wal: Bool) throws {
    if wal { try Items.addInWAL(seed, "late") }
    let before = snapshot(scratch.path)
    let queue = try DatabaseQueue()
    let report = try queue.writeWithoutTransaction { try bootstrapper(seed).load(into: $0) }
    #expect(report.outcome == .loaded && report.store == nil && report.storeVersion == 3)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == (wal ? 140 : 120))
    #expect(snapshot(scratch.path) == before)
    let other = problem { try queue.writeWithoutTransaction { try bootstrapper(seed, applicationID: 8).load(into: $0) } }
    #expect(other?.kind == .wrongApplication)
  }

  /// Whatever the clock says of its age.
  @Test func `what a killed load left is removed by the next`() throws {
    let temporary = scratch.url("temporary")
    let (left, used) = ((0..<3).map { _ in "dao-memory-\(UUID().uuidString)" }, ["dao-memory-of-\(UUID().uuidString)", "other"])
    for (number, name) in (left + used).enumerated() {
      let folder = temporary.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("SQLite".utf8).write(to: folder.appendingPathComponent("memory.incoming"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(number - 1) * 1e9)], ofItemAtPath: folder.path)
    }
    do {
      let held = try TemporaryFolder(in: temporary)
      let name = URL(fileURLWithPath: held.path).lastPathComponent
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == ([name] + used).sorted())
      let second = try TemporaryFolder(in: temporary)
      for path in [held.path, second.path] { #expect(FileManager.default.fileExists(atPath: path)) }
      withExtendedLifetime(second) {}
      withExtendedLifetime(held) {}
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() == used.sorted())
  }

  /// A folder that has just been made looks as if it was left, until it is locked.
  @Test func `many at once have a folder each`() throws {
    let temporary = scratch.url("temporary")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let failures = Failures()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 {
        do {
          let folder = try TemporaryFolder(in: temporary)
          try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path + "/file"))
          if FileManager.default.contents(atPath: folder.path + "/file") != Data("mine".utf8) { failures.add("another's folder") }
          withExtendedLifetime(folder) {}
        } catch { failures.add("\(error)") }
      }
    }
    #expect(failures.all.isEmpty)
    #expect(snapshot(temporary.path).isEmpty)
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var failures: [String] = []
    func add(_ failure: String) { lock.withLock { failures.append(failure) } }
    var all: [String] { lock.withLock { failures } }
  }

  @Test func `memory without a seed has empty tables`() throws {
    let queue = try DatabaseQueue()
    #expect(try queue.writeWithoutTransaction { try bootstrapper(nil).load(into: $0) }.outcome == .created)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
  }

  @Test func `a seed is used where it lies without anything beside it`() throws {
    let before = snapshot(scratch.path)
    let report = try bootstrapper(seed).useInPlace()
    #expect(report.outcome == .inPlace && report.store == seed && report.storeVersion == 3)
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: SQLiteConfiguration.uri(seed, "immutable=1"), configuration: configuration)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 120)
    #expect(snapshot(scratch.path) == before)
    #expect(problem { try bootstrapper(seed, version: 2).useInPlace() }?.kind == .newerVersion)
    #expect(problem { try bootstrapper(seed, applicationID: 8).useInPlace() }?.kind == .wrongApplication)
    try Data("journal".utf8).write(to: URL(fileURLWithPath: seed.path + "-journal"))
    #expect(problem { try bootstrapper(seed).useInPlace() }?.kind == .corrupt)
    try Items.addInWAL(seed, "late")
    #expect(problem { try bootstrapper(seed).useInPlace() }?.kind == .walMode)
  }
}
