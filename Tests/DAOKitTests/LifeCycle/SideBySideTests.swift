import CriteriaTesting
import DAOKit
import Foundation
import Testing

@testable import DAOSQLite

@Suite("Several stores side by side")
struct SideBySideTests {
  let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func `each has its own rows and its own model, in files and in memory`() throws {
    let first = try DAOFactory(store: .file(folder.file("first")), entities: Zone.self)
    let second = try DAOFactory(store: .file(folder.file("second")), entities: Zone.self, Land.self)
    let (third, fourth) = (try DAOFactory(store: .inMemory(), entities: Zone.self), try DAOFactory(store: .inMemory(), entities: Land.self))
    for (number, factory) in [first, second, third].enumerated() {
      try factory.runtimeDAO(Zone.self).insert((0...number).map { Zone("\($0)", 0) })
    }
    for (number, factory) in [first, second, third].enumerated() { #expect(try factory.runtimeDAO(Zone.self).count() == number + 1) }
    #expect(try first.store.entities().map(\.name) == ["zone"])
    #expect(try second.store.entities().count == 2)
    #expect(throws: DAOError.self) { try fourth.runtimeDAO(Zone.self).count() }
    // A closure of one may use the other.
    try first.write { session in
      try session.runtimeDAO(Zone.self).insert(Zone("copied", try second.runtimeDAO(Zone.self).count()))
      try second.close()
    }
    #expect(try first.runtimeDAO(Zone.self).count() == 2)
    #expect(closed { try second.runtimeDAO(Zone.self).count() } != nil)
  }

  @Test func `no connection has another file attached, whatever was done to the store`() throws {
    let seed = try folder.seed(["a"])
    let factory = try DAOFactory(store: .file(folder.file("store"), seed: .file(seed)), entities: Zone.self)
    let zones = factory.runtimeDAO(Zone.self)
    func check() throws {
      let sql: SQL = "SELECT name FROM pragma_database_list"
      func names(_ dao: RuntimeDAO<Zone>) throws -> [String] { try dao.query(sql) { try $0.next(String.self) } }
      #expect(try names(zones) == ["main"])
      #expect(try factory.write { try names($0.runtimeDAO(Zone.self)) } == ["main"])
    }
    try check()
    try factory.backUp(to: folder.file("saved"))
    try check()
    try factory.compact()
    try check()
    try factory.resetToSeed()
    try check()
    try factory.close()
    try factory.reopen()
    try check()
  }

  @Test func `one of two factories over one file is closed, and the other goes on`() throws {
    let one = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self)
    let other = try DAOFactory(store: .file(folder.file("store")), entities: Zone.self)
    try one.runtimeDAO(Zone.self).insert(Zone.samples)
    #expect(try other.runtimeDAO(Zone.self).count() == 6)
    for _ in 0..<5 {
      try one.close()
      try other.runtimeDAO(Zone.self).insert(Zone("\(UUID())", 0))
      try one.reopen()
      #expect(try one.runtimeDAO(Zone.self).count() == other.runtimeDAO(Zone.self).count())
    }
  }

  @Test func `a store is not removed or reset while another factory has it open, and both go on`() throws {
    let seed = try folder.seed(["a"])
    let store = StoreDescription.file(folder.file("store"), seed: .file(seed))
    let one = try DAOFactory(store: store, entities: Zone.self)
    let other = try DAOFactory(store: store, entities: Zone.self)
    for call in [
      { try one.destroy(within: .milliseconds(50)) }, { try one.resetToSeed(within: .milliseconds(50)) },
      { try store.destroy(within: .milliseconds(50)) },
    ] as [() throws -> Void] {
      let problem = fileProblem(call)
      #expect(problem?.kind == .locked && problem?.message.contains("is open elsewhere and can't be re") == true)
      try one.runtimeDAO(Zone.self).insert(Zone("\(UUID())", 0))
      try other.runtimeDAO(Zone.self).insert(Zone("\(UUID())", 0))
      #expect(try one.runtimeDAO(Zone.self).count() == other.runtimeDAO(Zone.self).count())
    }
    #expect(try one.runtimeDAO(Zone.self).count() == 7)
    try other.close()
    try one.destroy()
    #expect(try folder.names == [seed.lastPathComponent])
  }

  @Test func `a named store is a file of the app's own folder`() throws {
    let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let url = try StorePlace.named("my notes").url()
    #expect(url.pathComponents.suffix(2) == [program, "my notes.sqlite"])
    #expect(try StorePlace.named("clock.sqlite").url().lastPathComponent == "clock.sqlite")
    #expect(try StorePlace.fileName("Ľubica_1-2.0") == "Ľubica_1-2.0.sqlite")
    // Composed or not, it is one file.
    #expect(try Array(StorePlace.fileName("L\u{30C}").utf8) == Array(StorePlace.fileName("\u{13D}").utf8))

    let name = "DAOKitTests \(UUID().uuidString)"
    let place = try StorePlace.named(name).url()
    let isNew = !FileManager.default.fileExists(atPath: place.deletingLastPathComponent().path)
    let factory = try DAOFactory(store: .named(name), entities: Zone.self)
    try factory.runtimeDAO(Zone.self).insert(Zone.samples)
    #expect(factory.report?.store?.path == place.resolvingSymlinksInPath().path)
    try factory.close()
    #expect(try DAOFactory(store: .named(name), entities: Zone.self).runtimeDAO(Zone.self).count() == 6)
    try StoreDescription.named(name).destroy()
    #expect(!FileManager.default.fileExists(atPath: place.path))
    // Tests beside this one may have stores there too: only an empty folder is removed.
    if isNew { rmdir(place.deletingLastPathComponent().path) }
  }

  @Test(
    arguments: [
      "", ".", "..", ".hidden", "a/b", "../a", "/etc/a", "a\\b", "a:b", "a\u{0}b", "a\nb", "a?b", "a*b", String(repeating: "a", count: 101),
    ])
  func `what can't be a store's name is refused`(_ name: String) throws {
    #expect(misuse { _ = try DAOFactory(store: .named(name), entities: Zone.self) } != nil)
    #expect(misuse { try StoreDescription.named(name).destroy() } != nil)
  }
}
