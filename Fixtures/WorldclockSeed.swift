import Foundation

/// The shipped database, for the example and the tests.
public enum WorldclockSeed {
  /// The bundle that it is in, as `worldclock.sqlite`.
  public static let bundle = Bundle.module
}
