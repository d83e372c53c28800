// The caller's line comes from a macro of Testing, which the caller's file must see, in a test of XCTest too.
@_exported import Testing

/// Fails the test that runs: by an issue at the caller's line in Swift Testing, which goes on, and by an error elsewhere.
func fail(_ message: String, _ location: SourceLocation) throws {
  guard Test.current == nil else {
    Issue.record(Comment(rawValue: message), sourceLocation: location)
    return
  }
  throw FailedExpectation(description: "\(location.fileID):\(location.line): \(message)")
}
