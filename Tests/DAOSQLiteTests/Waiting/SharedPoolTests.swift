import Foundation
import Testing

@testable import DAOSQLite

@Suite("The threads that are shared with Swift's concurrency")
struct SharedPoolTests {
  @Test("one is left to others, however many are asked for, and what is given back can be taken again")
  func oneIsLeft() {
    let most = ProcessInfo.processInfo.activeProcessorCount - 1
    for _ in 0..<2 {
      // Other tests' calls may have some of them.
      let taken = (0..<4 * (most + 1)).filter { _ in SharedPool.take() }.count
      for _ in 0..<taken { SharedPool.giveBack() }
      #expect(taken <= most)
    }
  }
}
