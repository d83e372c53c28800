import Foundation

/// The shipped databases, for the example and the tests.
public enum WorldclockSeed {
  /// The bundle that they are in: `worldclock.sqlite`, which the first release ships, and `worldclock-2026f.sqlite`, which the second one
  /// does.
  public static let bundle = Bundle.module
}
