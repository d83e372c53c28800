import DAOKit
import Foundation
import Testing

/// A factory over entities that are described as values, without Swift types.
struct DescribedFactoryTests {
  private static let note = EntityDescription(
    "note", key: .generated("id"),
    attributes: [Attribute("id", .integer), Attribute("text", .text), Attribute("details", .json, optional: true)])

  @Test func `a store is made from descriptions, checked against them and examined by them`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("described-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("notes.sqlite")
    let factory = try DAOFactory(store: .file(url), describedBy: [Self.note])
    let notes = factory.runtimeDAO(Self.note)
    _ = try notes.insert(notes.make(["text": "a", "details": "{}"]))
    #expect(try factory.examine().isHealthy)
    let store = try #require(factory.store as? any RawSQLStore)
    _ = try store.execute("UPDATE note SET details = '{'")
    #expect(try factory.examine().findings.map(\.attribute) == ["details"])
    try factory.close()

    let other = EntityDescription(
      "note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .integer)])
    let error = #expect(throws: DAOError.self) { try DAOFactory(store: .file(url), describedBy: [other]) }
    guard case .schemaMismatch? = error else { Issue.record("\(String(describing: error))"); return }
  }

  @Test func `a migration is looked for and rehearsed by descriptions`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("described-\(UUID().uuidString).sqlite")
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
    let ranked = EntityDescription(
      "note", key: .generated("id"), attributes: Self.note.attributes + [Attribute("rank", .integer, optional: true)])
    let store = StoreDescription.file(url, migration: Migration())
    #expect(try !store.requiresMigration(describedBy: [ranked]))
    try DAOFactory(store: store, describedBy: [Self.note]).close()
    #expect(try !store.requiresMigration(describedBy: [Self.note]) && store.rehearseMigration(describedBy: [Self.note]) == nil)
    #expect(try store.requiresMigration(describedBy: [ranked]))
    let report = try #require(try store.rehearseMigration(describedBy: [ranked]))
    #expect("\(report)".contains("rank"), "\(report)")
    #expect(try store.requiresMigration(describedBy: [ranked]))
  }
}
