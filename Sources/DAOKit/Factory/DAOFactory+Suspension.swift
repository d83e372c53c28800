extension DAOFactory {
  /// Suspends the store: ends the running calls, rolls them back, and releases every lock on its files. All its calls throw
  /// ``DAOError/suspended`` until ``resume()``; streams that were open have ended.
  ///
  /// Apple's systems end an app that is suspended while it holds a lock on a file in a container that it shares with its extensions
  /// (exception 0xDEAD10CC). To suspend the opening of a store too, let the store follow a ``Suspension`` that is created before it; on iOS
  /// `.following(.app)` does all of it:
  ///
  /// ```swift
  /// let factory = try DAOFactory(store: .file(url).following(.app), entities: Note.self)
  /// ```
  ///
  /// A closure of your own is not interrupted: the next call in it throws, and the locks of its session are released when it returns.
  /// - Parameter limit: how long to wait for that.
  /// - Throws: ``DAOError/timedOut(_:message:)`` where something is locked still then; the store is suspended all the same.
  ///   ``DAOError/misuse(_:use:)`` inside a closure of the store; ``DAOError/unsupported(_:)`` over a store that is not a SQLite store.
  public final func suspend(within limit: Duration = .seconds(5)) throws { try lifeCycle().suspend(within: limit) }

  /// Lets calls in again.
  public final func resume() throws { try lifeCycle().resume() }

  /// ``suspend(within:)`` where it blocks no thread of Swift's concurrency.
  public final func suspend(within limit: Duration = .seconds(5)) async throws {
    try await lifeCycle().performSuspension(within: limit)
  }
}
