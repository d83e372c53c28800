import Foundation

/// How many cases of a test over many run: some of them in the suite, so that it ends soon, all of them in `Scripts/properties`.
public enum TestCases {
  /// Whether all of them run: `DAO_CASES=all`.
  public static let areAll = ProcessInfo.processInfo.environment["DAO_CASES"] == "all"

  /// The number of random cases.
  /// - Parameters:
  ///   - all: in `Scripts/properties`.
  ///   - few: in the suite.
  public static func count(_ all: Int, inSuite few: Int) -> Int { areAll ? all : few }

  /// Every so many of cases that are listed, and the last of them; all of them in `Scripts/properties`.
  public static func some<Case>(_ all: some Collection<Case>, every step: Int) -> [Case] {
    all.enumerated().filter { areAll || $0.offset.isMultiple(of: step) || $0.offset == all.count - 1 }.map(\.element)
  }
}
