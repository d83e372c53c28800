import DAOCriteria
import DAOSQL
import Foundation
import Testing

@testable import DAOSQLite

@Suite("Opening and closing a store")
struct ClosingTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("closing-\(UUID().uuidString)")
  private let entity = EntityDescription(
    "thing", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("name", .text, optional: true)])

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  @Test("a store that is let go is one file again, whichever connection was used last")
  func close() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a store? 100% #1.sqlite")
    do {
      let (engine, _) = try SQLiteStore.file(url).open([entity])
      let store = SQLEntityStore(engine)
      _ = try store.insert([try DynamicEntity(entity, ["name": "x"])], in: EntityTarget(entity))
      #expect(try store.count(in: EntityTarget(entity), Criteria()) == 1)
      #expect(try files().contains("a store? 100% #1.sqlite-wal"))
    }
    #expect(try files().filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
    let (engine, _) = try SQLiteStore.file(url).open([entity])
    #expect(try SQLEntityStore(engine).count(in: EntityTarget(entity), Criteria()) == 1)
  }

  @Test("a store that is missing is not made by opening it")
  func missing() throws {
    let url = folder.appendingPathComponent("none.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: DAOError.self) { try SQLiteEngine(opening: url) }
    #expect(throws: DAOError.self) { try SQLiteEngine(readingUnchanging: url) }
    #expect(try files() == [])
  }
}
