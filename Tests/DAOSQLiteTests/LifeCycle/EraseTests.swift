import DAOCriteria
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// When a store that does not fit the entities is erased, and what stays of it.
@Suite("Erasing a store that does not fit")
struct EraseTests {
  let scratch: Scratch
  let seed: URL
  let store: URL
  static let otherSchema = "CREATE TABLE item (id INTEGER PRIMARY KEY, name INTEGER)"

  init() throws {
    scratch = try Scratch()
    seed = scratch.url("seed.sqlite")
    store = scratch.url("a/store")
    try Items.make(seed, "one")
    try FileManager.default.createDirectory(atPath: scratch.path + "/a", withIntermediateDirectories: true)
  }

  private var files: [String] { snapshot(scratch.path + "/a").keys.sorted() }

  private func eraser(
    _ mismatch: StoreDescription.MismatchPolicy = .eraseInRelease, seed: URL? = nil, isDebugBuild: Bool = true, applicationID: Int32? = 7
  ) -> StoreBootstrapper {
    var eraser = StoreBootstrapper(
      seed: seed.map { .file($0) } ?? .empty, entities: [item], applicationID: applicationID, version: 9, lockTimeout: .milliseconds(50),
      mismatch: mismatch)
    eraser.isDebugBuild = isDebugBuild
    return eraser
  }

  private func makeOld(_ label: String = "old") throws {
    try Items.make(store, label, schema: Self.otherSchema)
    try Items.addInWAL(store, "mine")
  }

  private var old: [String] { (Items.names("old", 120) + Items.names("mine", 20)).sorted() }

  @Test(arguments: [true, false])
  func `it is made anew from the seed or the entities, and the old one is kept until the app says so`(_ hasSeed: Bool) throws {
    try makeOld()
    let report = try eraser(seed: hasSeed ? seed : nil).bootstrap(store)
    guard case .erased(let differences) = report.outcome else { return #expect(Bool(false), "\(report)") }
    #expect(differences.map(\.element) == ["name", "name"] || differences.map(\.element) == ["name"])
    #expect(try Items.read(store) == (hasSeed ? Items.names("one", 120) : []))
    let kept = try #require(report.erased.first)
    #expect(report.erased.count == 1)
    #expect(try Items.read(kept) == old)
    #expect(files == ["store", kept.lastPathComponent])
    for part in ["did not fit the entities", "item.name", "saved: \(kept.path)"] { #expect(report.description.contains(part)) }

    // Opening does not remove it, and every report names it.
    try report.storeHasOpened()
    for _ in 0..<2 {
      let (engine, again) = try StoreDescription.file(store, mismatch: .eraseInRelease, applicationID: 7).open([item])
      withExtendedLifetime(engine) {}
      guard case .reused = again.outcome else { return #expect(Bool(false), "\(again)") }
      #expect(again.erased == report.erased)
      #expect(try Items.read(kept) == old)
    }
    try report.removeErased()
    #expect(files == ["store"])
  }

  @Test func `erased stores do not take each other's place`() throws {
    for label in ["first", "second"] {
      try? FileManager.default.removeItem(at: store)
      try Items.make(store, label, schema: Self.otherSchema)
      _ = try eraser().bootstrap(store)
      usleep(2000)
    }
    let erased = try StorePaths(store: store.path).erased()
    #expect(try erased.map(Items.read) == [Items.names("first", 120), Items.names("second", 120)])
  }

  @Test func `it is no default, and in a release build it needs a word of its own`() throws {
    try makeOld()
    let before = snapshot(scratch.path)
    for refusing in [eraser(.fail), eraser(.erase, isDebugBuild: false), StoreBootstrapper(seed: .empty, entities: [item])] {
      #expect(throws: DAOError.self) { try refusing.bootstrap(store) }
      do { _ = try refusing.bootstrap(store) } catch DAOError.schemaMismatch(let path, let differences) {
        #expect(path == store.path && !differences.isEmpty)
      }
      #expect(snapshot(scratch.path) == before)
    }
    #expect(try eraser(.erase).bootstrap(store).erased.count == 1)
    #if DEBUG
      #expect(StoreBootstrapper(seed: .empty).isDebugBuild)
    #else
      #expect(!StoreBootstrapper(seed: .empty).isDebugBuild)
    #endif
  }

  @Test func `one that fits is reused`() throws {
    _ = try eraser(seed: seed).bootstrap(store)
    try DatabaseQueue(path: store.path).write { try $0.execute(sql: "INSERT INTO item (name) VALUES ('mine')") }
    guard case .reused = try eraser(seed: seed).bootstrap(store).outcome else { return #expect(Bool(false)) }
    #expect(try Items.read(store).contains("mine"))
    #expect(files == ["store"])
  }

  @Test func `a store that is open, damaged, newer or another application's stays as it is`() throws {
    try makeOld()
    let paths = StorePaths(store: store.path)
    func refused(_ kind: DAOError.BootstrapProblem.Kind, _ eraser: StoreBootstrapper) throws {
      #expect(problem { try eraser.bootstrap(store) }?.kind == kind)
      #expect(try paths.erased().isEmpty)
      #expect(files.filter { $0.contains("incoming") || $0.contains("erased") } == [])
    }
    try refused(.wrongApplication, eraser(applicationID: 8))
    // Without a number of the app's own, one in the file is another's.
    try refused(.wrongApplication, eraser(applicationID: nil))
    var older = StoreBootstrapper(seed: .empty, entities: [item], applicationID: 7, version: 2, mismatch: .eraseInRelease)
    older.isDebugBuild = true
    try refused(.newerVersion, older)
    let open = try DatabasePool(path: store.path)
    _ = try open.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") }
    try refused(.locked, eraser())
    try open.close()
    #expect(try Items.read(store) == old)

    // A page of the table, and not one that the schema is on.
    var bytes = try Data(contentsOf: store)
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xFF, count: 4096))
    try bytes.write(to: store)
    try refused(.corrupt, eraser())
    #expect(try Data(contentsOf: store) == bytes)
  }

  @Test func `a seed that is gone or does not fit leaves the store as it was`() throws {
    try makeOld()
    #expect(problem { try eraser(seed: scratch.url("none")).bootstrap(store) }?.kind == .missingSeed)
    let unfit = scratch.url("unfit")
    try Items.make(unfit, "unfit", schema: Self.otherSchema)
    do {
      _ = try eraser(seed: unfit).bootstrap(store)
      Issue.record("it was erased")
    } catch DAOError.schemaMismatch(let path, _) { #expect(path == unfit.path) }
    #expect(try Items.read(store) == old)
    #expect(files.filter { !$0.hasSuffix("-wal") } == ["store"])
  }

  @Test func `a second name that a killed start gave the store is no erased store`() throws {
    try makeOld()
    let half = try StorePaths(store: store.path).erasedName(at: Date(timeIntervalSince1970: 1))
    try FileManager.default.linkItem(atPath: store.path, toPath: half)
    #expect(try StorePaths(store: store.path).erased().isEmpty)
    let report = try eraser().bootstrap(store)
    #expect(report.erased.count == 1 && report.erased.first?.path != half)
    #expect(!FileManager.default.fileExists(atPath: half))
  }

  @Test func `an erased store's name can be no seed`() throws {
    let seed = URL(fileURLWithPath: store.path + ".erased-12")
    try Items.make(seed, "one")
    #expect(problem { try eraser(seed: seed).bootstrap(store) }?.message.contains("a name that the bootstrap keeps") == true)
  }
}
