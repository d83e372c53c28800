/// Takes values of the calling task, such as the span of a trace, to the thread that works for it.
package struct CallCarrier: Sendable {
  private let capture: @Sendable () -> @Sendable (() -> Void) -> Void

  /// - Parameter capture: takes the values, and returns a function that runs a body with them.
  package init(_ capture: @escaping @Sendable () -> @Sendable (() -> Void) -> Void) { self.capture = capture }

  /// A body that runs with the values of the task that calls this.
  func carrying<Result>(_ body: @escaping @Sendable () throws -> Result) -> @Sendable () throws -> Result {
    let run = capture()
    return {
      var result: Swift.Result<Result, any Error>?
      run { result = Swift.Result { try body() } }
      guard let result else { return try body() }
      return try result.get()
    }
  }
}
