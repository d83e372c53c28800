import DAOKit
import Foundation
import Testing

/// What fails on a store that is closed leaves it closed.
@Suite("A closed store stays closed")
struct ClosedStaysClosedTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-closed-\(UUID().uuidString)")
  private var url: URL { folder.appendingPathComponent("store") }

  private func isClosed(_ factory: DAOFactory) -> Bool {
    do { _ = try factory.runtimeDAO("note").count() } catch DAOError.closed { return true } catch {}
    return false
  }

  private func factory(_ seed: SeedSource = .empty) throws -> DAOFactory {
    let note = EntityDescription("note", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("text", .text)])
    let store = StoreDescription.file(url, seed: seed)
    let (engine, report) = try store.open([note])
    return DAOFactory(over: EngineStore(engine), report: report)
  }

  @Test func `a removal that finds others at work, and a reset without its seed`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let seed = folder.appendingPathComponent("seed")
    let empty = try factory()
    try empty.backUp(to: seed)
    try empty.destroy()
    let (one, other) = (try factory(.file(seed)), try factory(.file(seed)))
    _ = try other.runtimeDAO("note").count()
    try one.close()
    #expect(throws: DAOError.self) { try one.destroy(within: .milliseconds(30)) }
    #expect(isClosed(one))
    try FileManager.default.removeItem(at: seed)
    #expect(throws: DAOError.self) { try one.resetToSeed(within: .milliseconds(30)) }
    #expect(isClosed(one))
    try one.close()
    #expect(isClosed(one) && !isClosed(other))
    _ = try one.reopen()
    #expect(!isClosed(one))
    try other.close()
    try one.destroy()
    #expect(throws: DAOError.self) { try one.resetToSeed() }
    #expect(isClosed(one))
  }

  @Test func `closing again while many threads call`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let one = try factory()
    try one.close()
    let stop = Flag()
    let threads = DispatchGroup()
    for number in 0..<4 {
      // Queues of their own: other tests may block the threads that are shared.
      DispatchQueue(label: "calls \(number)").async(group: threads) { while !stop.isSet { if !isClosed(one) { stop.fail() } } }
    }
    defer { stop.set() }
    for _ in 0..<200 { try one.close(within: .zero) }
    stop.set()
    threads.wait()
    #expect(!stop.hasFailed, "a closed store answered")
  }
}

private final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var (set_, failed) = (false, false)

  var isSet: Bool { lock.withLock { set_ } }
  var hasFailed: Bool { lock.withLock { failed } }
  func set() { lock.withLock { set_ = true } }
  func fail() { lock.withLock { failed = true } }
}
