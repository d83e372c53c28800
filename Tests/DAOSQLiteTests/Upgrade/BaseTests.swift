import DAOCriteria
import Foundation
import Testing

@testable import DAOSQLite

/// The copy of the last seed that is kept beside a store, which decides whose rows are whose.
@Suite("The base of the next upgrade")
struct BaseTests {
  let scratch: Scratch
  let store: URL
  private var folder: String { scratch.path + "/a" }
  private var base: String { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.first { $0.contains(".base-") } ?? "" }

  init() throws {
    scratch = try Scratch()
    store = scratch.url("a/store")
    try Items.make(scratch.url("one"), "one", count: 30, version: 1)
    try Items.make(scratch.url("two"), "two", count: 30, version: 2)
    try start("one")
    try Items.run(store, "UPDATE item SET name = 'mine' WHERE id = 3")
  }

  @discardableResult
  private func start(_ seed: String, adopting: Bool = false) throws -> BootstrapReport.Outcome {
    try bootstrapper(scratch.url(seed)).bootstrap(store, policy: .upgrade(conflicts: .keepMine, adopting: adopting)).outcome
  }

  /// SQLite finds nothing wrong with most of them, and the rows that differ would be taken for the user's.
  @Test func `a base with any other byte is refused, and the store stays as it is`() throws {
    let path = folder + "/" + base
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    // 47: the number of the schema's format.
    var random = Chaos.source()
    let some = whole.indices.filter { whole[$0] != 0 }.shuffled(using: &random).prefix(Chaos.count(quick: 60, full: 2000))
    let offsets = some + [47, whole.count - 1]
    for offset in offsets {
      var bytes = whole
      bytes[offset] ^= UInt8(1 << (offset % 8))
      try bytes.write(to: URL(fileURLWithPath: path))
      let before = snapshot(folder)
      #expect(problem { try start("two") }?.kind == .missingBase, "byte \(offset)")
      #expect(problem { try bootstrapper(scratch.url("two")).previewUpgrade(of: store, conflicts: .keepMine) }?.kind == .missingBase)
      #expect(snapshot(folder) == before, "byte \(offset)")
    }
    Chaos.tell("changed bases", "upgrade", offsets.count)
    #expect(try start("two", adopting: true) == .adopted(moved: [:]))
    #expect(try Items.read(store).contains("mine"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  @Test func `of two that a killed start has left, the whole one is used and stays`() throws {
    let damaged = folder + "/" + base.dropLast(32) + String(repeating: "0", count: 32)
    try FileManager.default.copyItem(atPath: folder + "/" + base, toPath: damaged)
    guard case .reused = try start("one") else { return #expect(Bool(false)) }
    #expect(!FileManager.default.fileExists(atPath: damaged))
    #expect(try StorePaths(store: store.path).isWhole(base: folder + "/" + base))
    guard case .upgraded = try start("two") else { return #expect(Bool(false)) }
  }

  @Test func `what others have left beside a base goes: beside the one that stays, and with one that goes`() throws {
    func leave() throws {
      let base = base
      for suffix in ["-wal", "-shm", "-journal"] { try Data("left".utf8).write(to: URL(fileURLWithPath: folder + "/" + base + suffix)) }
    }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
    try leave()
    guard case .reused = try start("one") else { return #expect(Bool(false)) }
    #expect(names.count == 2, "\(names)")
    try leave()
    guard case .upgraded = try start("two") else { return #expect(Bool(false)) }
    #expect(names.count == 2, "\(names)")
    try leave()
    try StoreDescription.file(store).destroy()
    #expect(names == [])
  }
}
