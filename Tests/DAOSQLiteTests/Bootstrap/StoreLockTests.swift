import Dispatch
import Foundation
import Testing

@testable import DAOSQLite

@Suite("The lock of a store")
struct StoreLockTests {
  /// Who has the lock, as its holders themselves count.
  private final class Holders: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private(set) var most = 0

    func enter() {
      lock.withLock {
        count += 1
        most = max(most, count)
      }
    }

    func leave() { lock.withLock { count -= 1 } }
  }

  /// Between a caller's opening of the file and its lock, the holder may have removed that file, and a third made another.
  @Test func `one at a time has it, though each removes its file in the end`() throws {
    let scratch = try Scratch()
    let paths = StorePaths(store: scratch.path + "/store")
    let holders = Holders()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<20_000 {
        // Who finds it taken tries again at once, for as many meetings as there can be.
        guard let held = try? StoreLock(paths, timeout: .zero) else { continue }
        holders.enter()
        // Others can go on between the two.
        sched_yield()
        holders.leave()
        withExtendedLifetime(held) {}
      }
    }
    #expect(holders.most == 1)
    #expect(!FileManager.default.fileExists(atPath: paths.lock))
  }
}
