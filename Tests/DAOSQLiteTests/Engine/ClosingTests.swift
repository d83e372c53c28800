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

  @Test func `a store that is let go is one file again, whichever connection was used last`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a store? 100% #1.sqlite")
    do {
      let (engine, _) = try StoreDescription.file(url).open([entity])
      let store = EngineStore(engine)
      _ = try store.insert([try DynamicEntity(entity, ["name": "x"])], in: EntityTarget(entity))
      #expect(try store.count(in: EntityTarget(entity), Criteria()) == 1)
      #expect(try files().contains("a store? 100% #1.sqlite-wal"))
    }
    #expect(try files().filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") } == [])
    let (engine, _) = try StoreDescription.file(url).open([entity])
    #expect(try EngineStore(engine).count(in: EntityTarget(entity), Criteria()) == 1)
  }

  @Test func `a store whose last call has returned is closed, and not a moment later`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    for _ in 0..<100 {
      do {
        let (engine, _) = try StoreDescription.file(url).open([entity])
        _ = try await engine.perform(.read, isolation: nil) { try engine.read(snapshot: false) { try $0.schema().tables.count } }
      }
      #expect(try files() == ["store.sqlite"])
    }
  }

  @Test func `a store that is let go while its calls run closes after them`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    for _ in 0..<10 {
      let engine = try StoreDescription.file(url).open([entity]).engine
      let calls = (0..<8).map { number in
        Task {
          try await engine.perform(.read, isolation: nil) {
            let store = EngineStore(engine)
            if number % 4 == 0 { _ = try store.insert([try DynamicEntity(entity, ["name": "x"])], in: EntityTarget(entity)) }
            return try store.count(in: EntityTarget(entity), Criteria())
          }
        }
      }
      for call in calls { #expect(try await call.value >= 0) }
    }
    #expect(try EngineStore(StoreDescription.file(url).open([entity]).engine).count(in: EntityTarget(entity), Criteria()) == 20)
  }

  @Test func `a store that is missing is not made by opening it`() throws {
    let url = folder.appendingPathComponent("none.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: DAOError.self) { try SQLiteEngine(opening: url) }
    #expect(throws: DAOError.self) { try SQLiteEngine(readingUnchanging: url) }
    #expect(try files() == [])
  }
}
