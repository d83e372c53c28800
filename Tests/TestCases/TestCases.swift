import Foundation

/// Which cases of a test over many run: some of them in the suite, so that it ends soon, all of them in `Scripts/properties`.
package enum TestCases {
  /// Whether all of them run: `DAO_CASES=all`.
  package static let areAll = ProcessInfo.processInfo.environment["DAO_CASES"] == "all"

  /// The seed that the environment asks for: `DAO_FUZZ_SEED`.
  package static let seedOfEnvironment = ProcessInfo.processInfo.environment["DAO_FUZZ_SEED"].flatMap { UInt64($0) }

  /// The seed of random cases: the same in every run, so that a test that fails fails again, unless the environment has another.
  package static let seed = seedOfEnvironment ?? 2026

  /// The number of random cases.
  /// - Parameters:
  ///   - all: in `Scripts/properties`.
  ///   - few: in the suite.
  package static func count(_ all: Int, inSuite few: Int) -> Int { areAll ? all : few }

  /// The seeds of so many random cases, one each.
  /// - Parameter first: what is added to the seed, so that tests over cases of one kind have others.
  package static func seeds(_ all: Int, inSuite few: Int, from first: UInt64 = 0) -> [UInt64] {
    (0..<UInt64(count(all, inSuite: few))).map { seed &+ first &+ $0 }
  }

  /// Runs a body for each of some seeds, on all cores.
  /// - Returns: the results of those that returned, and the failure of one that threw, behind the seeds of all that did. NUL would end it
  ///   for who prints it.
  package static func concurrently<Result: Sendable>(
    _ seeds: [UInt64], _ body: @Sendable (UInt64) throws -> Result
  ) -> (results: [Result], failure: String?) {
    let lock = NSLock()
    nonisolated(unsafe) var results: [Result] = []
    nonisolated(unsafe) var failures: [UInt64: String] = [:]
    DispatchQueue.concurrentPerform(iterations: seeds.count) { number in
      do {
        let result = try body(seeds[number])
        lock.withLock { results.append(result) }
      } catch {
        let text = "\(error)".replacing("\0", with: "␀")
        lock.withLock { failures[seeds[number]] = text }
      }
    }
    let failed = failures.keys.sorted().map { "DAO_FUZZ_SEED=\($0)" }.joined(separator: " ")
    return (results, failures.min { $0.key < $1.key }.map { "\(failed)\n\($0.value)" })
  }

  /// What a body of ``concurrently(_:_:)`` has found to be otherwise than it is to be.
  package struct Difference: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  /// Cases of a list: the first, the last, and between them one in so many, from where the seed says; all of them in `Scripts/properties`.
  package static func some<Case>(_ all: some Collection<Case>, every step: Int) -> [Case] {
    let first = offset(step)
    return all.enumerated().filter { areAll || $0.offset == 0 || $0.offset % step == first || $0.offset == all.count - 1 }.map(\.element)
  }

  /// The first of one in so many cases, from 0, by the seed.
  package static func offset(_ step: Int) -> Int { areAll ? 0 : Int(seed % UInt64(step)) }
}
