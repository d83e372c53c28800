import DAOCriteria
import DAOSQL
import Foundation
import GRDB
import Testing

@testable import DAOSQLite

/// Shipped databases with a search table.
@Suite struct BootstrapSearchTests {
  private static let searched = EntityDescription(
    "item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, searchable: true)])

  private static func seed(_ url: URL, _ label: String) throws {
    try Items.make(url, label, schema: SchemaSQL.statements(for: [searched]).joined(separator: ";"))
  }

  private static func expect(_ count: Int, of word: String, in store: EngineStore) throws {
    var criteria = Criteria()
    criteria.filter = .search(Criteria.Search(.all(word)))
    let found = try store.count(in: EntityTarget(searched), criteria)
    #expect(found == count, "\(word)")
  }

  /// Opens a store, which closes with its engine.
  private static func open(_ store: StoreDescription, _ body: (EngineStore, String) throws -> Void) throws {
    let (engine, report) = try store.open([searched])
    try body(EngineStore(engine), "\(report.outcome)")
  }

  @Test func `a copy is searched and kept in step`() throws {
    let scratch = try Scratch()
    let (seed, store) = (scratch.url("seed"), scratch.url("store"))
    try Self.seed(seed, "first")
    let definition = StoreDescription.file(store, seed: .file(seed), policy: .replace, applicationID: 7, version: 9)
    for outcome in ["copied", "reused"] {
      try Self.open(definition) { opened, found in
        #expect(found.hasPrefix(outcome))
        try Self.expect(120, of: "first", in: opened)
      }
    }
    try Self.open(definition) { opened, _ in
      _ = try opened.execute("INSERT INTO item (name) VALUES ('mine')")
      try Self.expect(1, of: "mine", in: opened)
    }
    #expect(try Items.read(store).count == 121)
    // Another seed takes its place.
    try FileManager.default.removeItem(at: seed)
    try Self.seed(seed, "second")
    try Self.open(definition) { opened, outcome in
      #expect(outcome.hasPrefix("replaced"))
      try Self.expect(120, of: "second", in: opened)
      try Self.expect(0, of: "first", in: opened)
    }
    #expect(try Items.read(store).count == 120)
  }

  @Test func `a seed in WAL mode is searched`() throws {
    let scratch = try Scratch()
    try Self.seed(scratch.url("seed"), "first")
    try Items.addInWAL(scratch.url("seed"), "late")
    try Self.open(StoreDescription.file(scratch.url("store"), seed: .file(scratch.url("seed")))) { opened, _ in
      try Self.expect(20, of: "late", in: opened)
    }
  }

  @Test func `in memory and in place`() throws {
    let scratch = try Scratch()
    try Self.seed(scratch.url("seed"), "first")
    try Self.open(.inMemory(seed: .file(scratch.url("seed")))) { opened, _ in try Self.expect(120, of: "first", in: opened) }
    let before = snapshot(scratch.path)
    try Self.open(.inPlace(.file(scratch.url("seed")))) { opened, _ in try Self.expect(120, of: "first", in: opened) }
    #expect(snapshot(scratch.path) == before)
  }

  @Test func `a seed without the search table is refused`() throws {
    let scratch = try Scratch()
    try Items.make(scratch.url("seed"), "first", schema: "CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)")
    #expect {
      _ = try bootstrapper(scratch.url("seed"), entities: [Self.searched]).bootstrap(scratch.url("store"))
    } throws: { error in
      guard case DAOError.schemaMismatch(_, let differences) = error else { return false }
      return differences.count == 4 && differences.allSatisfy { $0.element == "search" }
    }
  }

  @Test func `a search table without the rows before it is refused`() throws {
    let scratch = try Scratch()
    let (seed, store) = (scratch.url("seed"), scratch.url("store"))
    let statements = try SchemaSQL.statements(for: [Self.searched])
    try Items.make(seed, "first", schema: statements[0])
    func execute(_ sql: String) throws { try DatabaseQueue(path: seed.path).write { try $0.execute(sql: sql) } }
    try execute(statements.dropFirst().joined(separator: ";"))
    let rebuild = #"INSERT INTO "item_search" ("item_search") VALUES ('rebuild')"#
    let difference = SchemaDifference(
      entity: "item", element: "search", expected: "a search table of all rows, for which \(rebuild) is run",
      found: "one that has none of them")
    #expect { try Self.open(.file(store, seed: .file(seed))) { _, _ in } } throws: { error in
      guard case DAOError.schemaMismatch(_, let differences) = error else { return false }
      return differences == [difference]
    }
    try execute(rebuild)
    try Self.open(.file(store, seed: .file(seed))) { opened, _ in
      try Self.expect(120, of: "first", in: opened)
      _ = try opened.execute("DELETE FROM item")
    }
    // Without rows there is none to be missed.
    try Self.open(.file(store)) { opened, _ in try Self.expect(0, of: "first", in: opened) }
  }

  @Test func `an empty store is made with it`() throws {
    let scratch = try Scratch()
    try Self.open(.file(scratch.url("store"))) { opened, _ in
      _ = try opened.execute("INSERT INTO item (name) VALUES ('new one')")
      try Self.expect(1, of: "ONE", in: opened)
    }
  }
}
