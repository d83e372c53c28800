@_exported import Testing

/// What an expectation found, where no test of Swift Testing runs: XCTest fails a test that throws it.
public struct FailedExpectation: Error, CustomStringConvertible {
  /// What is not as it was expected, and where that was asked.
  public let description: String
}
