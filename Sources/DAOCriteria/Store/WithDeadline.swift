/// Runs a body whose calls to stores end at a deadline.
///
/// ```swift
/// let hits = try withDeadline(.milliseconds(200)) { try notes.findAll(.where { $0.text.contains(word) }) }
/// ```
///
/// A call that has not ended by then ends where it is: while it waits for a connection or for another process's lock, or in the middle of
/// its statement. It throws ``DAOError/timedOut(_:message:)`` with ``DAOError/Timeout/deadline``; all its writes are rolled back, and the
/// connection can be used again. The transaction of a session that the body opens is rolled back too: its closure is not interrupted, but
/// its next call throws. Inside a session that was opened before, only the call is rolled back; code that catches its error can go on. Once
/// COMMIT has begun, the call returns its result. Code of the body that calls no store is not interrupted either.
///
/// Deadlines nest, and the one that ends first counts. For a limit on every statement of a store there is the factory's `statementTimeout`.
/// - Parameters:
///   - limit: the time from now.
///   - body: the code that calls the stores.
/// - Throws: what the body throws.
public func withDeadline<Result>(_ limit: Duration, _ body: () throws -> Result) rethrows -> Result {
  try TimeLimit.$scoped.withValue(TimeLimit.first(TimeLimit(limit, .deadline), TimeLimit.scoped), operation: body)
}

/// Runs an asynchronous body whose calls to stores end at a deadline.
///
/// ```swift
/// let hits = try await withDeadline(.milliseconds(200)) { try await notes.findAll(.where { $0.text.contains(word) }) }
/// ```
///
/// The same as ``withDeadline(_:_:)-(_,()->Result)``. Tasks that the body starts with `async let`, in a task group or with `Task { }` have
/// the deadline too; detached tasks do not.
/// - Parameters:
///   - limit: the time from now.
///   - isolation: the actor that the body stays on.
///   - body: the code that calls the stores.
/// - Throws: what the body throws.
public func withDeadline<Result>(
  _ limit: Duration, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  try await TimeLimit.$scoped.withValue(
    TimeLimit.first(TimeLimit(limit, .deadline), TimeLimit.scoped), operation: body, isolation: isolation)
}
