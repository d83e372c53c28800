@_exported import Testing

/// The failure of an expectation where no test of Swift Testing runs: XCTest fails a test that throws it.
public struct FailedExpectation: Error, CustomStringConvertible {
  /// The difference from the expectation, and the source location.
  public let description: String
}
