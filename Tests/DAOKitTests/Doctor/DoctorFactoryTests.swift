import DAOKit
import Foundation
import Testing

@Suite("Examining an open store")
struct DoctorFactoryTests {
  private func breakARow(of factory: DAOFactory) throws {
    let store = try #require(factory.store as? any RawSQLStore)
    _ = try store.execute("UPDATE zone SET name = CAST(x'61ff' AS TEXT) WHERE id = 1")
  }

  @Test(arguments: [false, true]) func `in a file and in memory`(inMemory: Bool) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-doctor-\(UUID().uuidString)")
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
    let factory = try DAOFactory(store: inMemory ? .inMemory() : .file(url), entities: Zone.self)
    try factory.runtimeDAO(Zone.self).insert(Zone.samples)
    let report = try factory.examine()
    #expect(report.findings.isEmpty && report.store == (inMemory ? nil : url.resolvingSymlinksInPath()), "\(report)")
    #expect(report.facts?.rowCounts == [Zone.entityDescription.name: Zone.samples.count])
    let before = try factory.runtimeDAO("zone").count()
    try breakARow(of: factory)
    let broken = try factory.examine()
    #expect(broken.findings.map(\.attribute) == ["name"] && broken.findings.first?.kind == .unfindableValue)
    #expect(try factory.runtimeDAO("zone").count() == before)
  }

  @Test func `on the store's queue`() async throws {
    let factory = try DAOFactory(store: .inMemory(), entities: Zone.self)
    #expect(try await factory.examine().isHealthy)
  }

  @Test func `inside a transaction it sees the store in a file as others do`() throws {
    let file = try FileStore()
    try file.zones.insert(Zone.samples)
    let doctor = StoreDoctor(entities: Zone.self)
    try file.factory.write { session in
      _ = try session.runtimeDAO(Zone.self).delete(SearchCriteria(), allowUnfiltered: true)
      #expect(try doctor.examine(file.url).facts?.rowCounts.values.first == Zone.samples.count)
    }
  }

  @Test func `a store without SQL can't be examined`() throws {
    let factory = try DAOFactory(store: .evaluator, entities: Zone.self)
    #expect(throws: DAOError.self) { try factory.examine() }
  }
}
