import Dispatch
import Foundation

/// The threads that libdispatch shares with Swift's concurrency. A call that runs there spares its task two switches of threads, which take
/// longer than to find a row by its key. One thread is always left to others, however many calls and stores there are.
enum SharedPool {
  private static let lock = NSLock()
  // Guarded by the lock.
  #if canImport(Darwin)
    // The threads of Swift's concurrency are others there.
    nonisolated(unsafe) private static var free = 0
  #else
    nonisolated(unsafe) private static var free = ProcessInfo.processInfo.activeProcessorCount - 1
  #endif

  /// Takes a thread.
  /// - Returns: false where none can be spared.
  static func take() -> Bool {
    lock.withLock {
      if free <= 0 { return false }
      free -= 1
      return true
    }
  }

  /// Gives a thread back.
  static func giveBack() { lock.withLock { free += 1 } }
}
