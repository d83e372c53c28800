import Foundation
import TestCases
import Testing

/// How much of what interrupts, starves and damages stores is tried: nothing where `Scripts/chaos` does not ask for it.
enum Chaos {
  private static let wanted = ProcessInfo.processInfo.environment["DAO_CHAOS"]

  /// Whether `Scripts/chaos` runs the tests.
  static var isAsked: Bool { wanted != nil }

  /// How often something is tried. Tests that run without `Scripts/chaos` too try a quarter of its quick form there.
  static func count(quick: Int, full: Int) -> Int { wanted == "full" ? full : isAsked ? quick : max(1, quick / 4) }

  /// A random source, of the seed that the suite has, or that `DAO_FUZZ_SEED` gives it; `Scripts/chaos` gives it another in each run.
  /// - Parameter number: the number of the case, so that each has others.
  static func source(_ number: Int = 0) -> RandomSource { RandomSource(seed: TestCases.seed &+ UInt64(number)) }

  /// So many of the numbers up to the last, at random; all of them in full, unless a number is given for that too.
  static func some(of last: Int, quick: Int, full: Int? = nil) -> [Int] {
    var random = source(last)
    return Array((1..<last + 1).shuffled(using: &random).prefix(wanted == "full" ? full ?? last : quick)).sorted()
  }

  /// Tells how often something was tried with an operation, for the table that `Scripts/chaos` prints.
  static func tell(_ what: String, _ operation: String, _ count: Int) {
    guard let path = ProcessInfo.processInfo.environment["DAO_CHAOS_FIGURES"] else { return }
    lock.withLock {
      guard let file = FileHandle(forWritingAtPath: path) else {
        _ = Issue.record("\(path) can't be written")
        return
      }
      file.seekToEndOfFile()
      file.write(Data("\(what)\t\(operation)\t\(count)\n".utf8))
      try? file.close()
    }
  }

  private static let lock = NSLock()
}
