import DAOKit
import Foundation
import Testing

/// Another process, so to speak, deletes all towns as soon as the nations have been read.
@Suite("Prefetch and writes")
struct PrefetchSnapshotTests {
  /// Deletes once, when it is told of a statement that reads nations.
  private final class Deletion: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private var other: DAOFactory?

    func arm(_ other: DAOFactory) { lock.withLock { self.other = other } }

    func run(_ statement: StatementTrace) {
      guard statement.sql.hasSuffix(#"FROM "nation""#) else { return }
      let other = lock.withLock {
        defer { self.other = nil }
        return self.other
      }
      _ = try? other?.runtimeDAO(Town.self).delete(.all, allowUnfiltered: true)
    }
  }

  private let file: FileStore
  private let factory: DAOFactory
  private let criteria = SearchCriteria<Nation>().prefetch(\.towns)

  init() throws {
    let (file, deletion) = (try FileStore(Atlas.entities), Deletion())
    self.file = file
    factory = try DAOFactory(store: .file(file.url)) { deletion.run($0) }
    try Atlas.fill(factory)
    deletion.arm(file.factory)
  }

  private func check(_ counts: [Int]) throws {
    #expect(counts.sorted() == [0, 1, 2])
    #expect(try factory.runtimeDAO(Town.self).count() == 0)
  }

  @Test func `rows and related rows are of one snapshot`() throws {
    try check(factory.runtimeDAO(Nation.self).findAll(criteria).map { try $0.towns.get().count })
  }

  @Test func `a cursor's too`() throws {
    try check(
      factory.runtimeDAO(Nation.self).withCursor(criteria) { cursor in
        var counts: [Int] = []
        while let nation = try cursor.next() { counts.append(try nation.towns.get().count) }
        return counts
      })
  }

  @Test func `and a stream's, in its last batch too`() async throws {
    var counts: [Int] = []
    for try await nation in factory.runtimeDAO(Nation.self).stream(criteria) { counts.append(try nation.towns.get().count) }
    try check(counts)
  }

  @Test func `a stream of several batches has related rows in each, and gives its connection back`() async throws {
    try await factory.runtimeDAO(Nation.self).insert((0..<2_500).map { Nation("\($0)", "", neighbour: Reference("SK")) })
    var names: Set<String> = []
    for try await nation in factory.runtimeDAO(Nation.self).stream(.where(\.neighbour == Reference("SK")).prefetch(\.neighbour)) {
      names.insert(try nation.neighbour?.get().name ?? "")
    }
    #expect(names == ["Slovakia"])
    for try await nation in factory.runtimeDAO(Nation.self).stream(criteria) where try nation.towns.get().isEmpty { break }
    try await factory.write { try $0.runtimeDAO(Nation.self).insert(Nation("new", "")) }
    #expect(try await factory.runtimeDAO(Nation.self).count() == 2_504)
  }
}
