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
  func aSeedIsLoadedIntoMemory(wal: Bool) throws {
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

  @Test func whatAKilledLoadLeftIsRemovedOnALaterDay() throws {
    let temporary = FileManager.default.temporaryDirectory
    let names = ["dao-memory-\(UUID().uuidString)", "dao-memory-\(UUID().uuidString)", "dao-memory-of-\(UUID().uuidString)"]
    let folders = names.map { temporary.appendingPathComponent($0) }
    defer { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
    for (folder, hours) in zip(folders, [25, 23, 1000]) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("left".utf8).write(to: folder.appendingPathComponent("memory.incoming"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: Double(hours) * -3600)], ofItemAtPath: folder.path)
    }
    _ = try DatabaseQueue().writeWithoutTransaction { try bootstrapper(seed).load(into: $0) }
    #expect(folders.map { FileManager.default.fileExists(atPath: $0.path) } == [false, true, true])
  }

  @Test func memoryWithoutASeedHasEmptyTables() throws {
    let queue = try DatabaseQueue()
    #expect(try queue.writeWithoutTransaction { try bootstrapper(nil).load(into: $0) }.outcome == .created)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
  }

  @Test func aSeedIsUsedWhereItLiesWithoutAnythingBesideIt() throws {
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
