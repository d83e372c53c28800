import DAOKit
import DAORandomSessions
import Foundation
import InMemoryLogging
import Testing

@Suite("The write-ahead log")
struct WALLimitTests {
  /// Readers of whom each ends only when another one has begun after it.
  private final class Relay: @unchecked Sendable {
    private let condition = NSCondition()
    private var begun = 0
    private var isOver = false

    func begin() -> Int {
      condition.lock()
      defer { condition.unlock() }
      begun += 1
      condition.broadcast()
      return begun
    }

    /// - Returns: false at the end.
    func wait(after number: Int) -> Bool {
      condition.lock()
      defer { condition.unlock() }
      while begun == number, !isOver { condition.wait() }
      return !isOver
    }

    func end() {
      condition.lock()
      defer { condition.unlock() }
      isOver = true
      condition.broadcast()
    }
  }

  @Test func `stays short though there is always somebody who reads`() async throws {
    let store = try FileStore()
    let recorded = InMemoryLogHandler()
    let factory = try DAOFactory(store: .file(store.url), entities: Zone.self, log: StoreLog(recorded.logger(.warning)))
    let relay = Relay()
    let readers = (0..<3).map { _ in
      Task.detached {
        try await onThread {
          while true {
            let goesOn = try factory.read { session in
              _ = try session.runtimeDAO(Zone.self).count()
              return relay.wait(after: relay.begin())
            }
            if !goesOn { return }
          }
        }
      }
    }
    try await onThread {
      defer { relay.end() }
      // 120 MB in commits of 1 MB.
      let comment = String(repeating: "x", count: 100_000)
      for number in 0..<120 {
        try factory.write { session in
          let zones = session.runtimeDAO(Zone.self)
          try zones.delete(.where(\.offset == number % 2))
          try zones.insert((0..<10).map { Zone("\(number)/\($0)", number % 2, comment) })
        }
      }
    }
    for reader in readers { try await reader.value }
    let log = URL(fileURLWithPath: store.url.path + "-wal")
    let size = try #require(try log.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(size < 80 << 20, "\(size >> 20) MB")
    #expect(recorded.entries.allSatisfy { $0.text.contains("keep the write-ahead log") })
    withExtendedLifetime(store) {}
  }
}
