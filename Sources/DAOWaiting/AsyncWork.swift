import DAOCriteria

/// A call with its work and the task that awaits it.
final class AsyncWork<Success: Sendable>: AsyncCall, @unchecked Sendable {
  // Belongs to the caller that has ended the wait; the continuation is set before, under the lock.
  private var body: (@Sendable () throws -> Success)?
  private var continuation: UnsafeContinuation<Success, any Error>?
  private var result: Result<Success, any Error>?
  private let scope = TimeLimit.scoped
  // Goes before the task goes on, as the body does.
  private var factory = CarriedFactory.current

  init(_ holder: ConnectionHolder, in line: CallLine, by limit: TimeLimit?, _ body: @escaping @Sendable () throws -> Success) {
    self.body = body
    super.init(holder, in: line, by: limit)
  }

  /// Begins to wait.
  /// - Returns: false where the call was cancelled before.
  func await(_ continuation: UnsafeContinuation<Success, any Error>) -> Bool {
    whileWaiting { self.continuation = continuation }
  }

  override func fail(_ error: any Error) {
    body = nil
    factory = nil
    continuation.take()?.resume(throwing: error)
  }

  override func run() {
    guard endWait() else { return }
    // The body goes before the task goes on: else it would keep the store open for a moment longer.
    guard let body = body.take() else { return }
    result = Result { try working { try inScope(body) } }
  }

  /// Runs a body with the task's deadline and factory.
  private func inScope(_ body: () throws -> Success) throws -> Success {
    func timed() throws -> Success { try scope == nil ? body() : TimeLimit.$scoped.withValue(scope, operation: body) }
    guard let factory = factory.take() else { return try timed() }
    return try CarriedFactory.$current.withValue(factory, operation: timed)
  }

  override func finish() {
    guard let result = result.take(), let continuation = continuation.take() else { return }
    // Without a `Result`, whose type would be looked up.
    switch result {
    case .success(let value): continuation.resume(returning: value)
    case .failure(let error): continuation.resume(throwing: error)
    }
  }
}
