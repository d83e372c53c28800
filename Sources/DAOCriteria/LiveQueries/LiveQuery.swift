/// The result of a query, now and after each commit that changes it, whoever commits.
///
/// ```swift
/// for try await zones in dao.observe(.where { $0.countryCode == "SK" }.order(by: \.name)) {
///   show(zones)
/// }
/// ```
///
/// The first value is that of the store as it is when the loop begins. From then on, each commit is compared with the query: a changed row
/// of which the filter was true before, or is true now, has the query run again. Commits of other rows cost it nothing but that
/// comparison, which takes place in memory; and where the filter names a value (`\.countryCode == "SK"`), not even that. Where a row alone
/// does not decide (conditions over relationships, searches, aggregates in a filter) any commit to the entities that the query reads has it
/// run again; so do commits of other processes, and those that change more than 1,000 rows of an entity.
///
/// A result that is equal to the last one is passed over. A loop that is slower than the commits gets the newest result, not each one. The
/// query runs on the store's threads, whatever the actor of the loop, which the values come to.
///
/// Each loop is a query of its own, which ends when its task is cancelled, and with the first error, which it throws. While the store is
/// suspended or closed the loop waits, and reads it again when it is open; only one that begins over a closed store has its error.
public struct LiveQuery<Value: Sendable>: AsyncSequence, Sendable {
  /// A result.
  public typealias Element = Value
  /// The error of the query.
  public typealias Failure = any Error

  private let store: any EntityStore
  private let read: @Sendable (LiveQueryRun, any EntityStore) throws -> Value
  private let compare: @Sendable (Value, Value) -> Value?
  private let patch: (@Sendable (Value, [ChangedRow]) throws -> Value?)?
  private var isPrompt = false

  /// A live query over a store.
  /// - Parameters:
  ///   - read: reads the result from a snapshot, and sees to it that commits mark the run.
  ///   - patch: a result after changes of rows that the run has kept, nil where it is the same. It throws where they do not tell.
  ///   - compare: the newer of two results, nil where it is the same.
  package init(
    over store: any EntityStore, read: @escaping @Sendable (LiveQueryRun, any EntityStore) throws -> Value,
    patch: (@Sendable (Value, [ChangedRow]) throws -> Value?)? = nil, compare: @escaping @Sendable (Value, Value) -> Value?
  ) {
    self.store = store
    self.read = read
    self.patch = patch
    self.compare = compare
  }

  /// The same for loops that come back for the next result at once, so that commits wait for them.
  package var prompt: LiveQuery {
    var query = self
    query.isPrompt = true
    return query
  }

  /// A loop over it.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// One loop over a live query.
  public struct Iterator: AsyncIteratorProtocol {
    private let query: LiveQuery
    private var run: LiveQueryRun?
    private var last: Value?
    private var isOver = false

    init(_ query: LiveQuery) { self.query = query }

    /// The next result; nil where the task is cancelled. It stays on the caller's actor.
    /// - Throws: the error of the query, after which there is no further result.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      while !isOver {
        do {
          let run = try run ?? query.begin()
          self.run = run
          guard await run.state.wait(isolation: actor), !Task.isCancelled else { break }
          if let last, let rows = run.state.takeRows(), let change = await query.patched(last, by: rows) {
            if Task.isCancelled { break }
            guard let value = change.value else { continue }
            return take(value, from: run)
          }
          let (query, last) = (query, last)
          // A mark from here on counts for the next result.
          run.state.unmark()
          _ = run.takeBegun()
          let value = try await query.store.perform(.read, isolation: actor) {
            let value = try query.read(run, query.store)
            return last.map { query.compare($0, value) } ?? value
          }
          if let value { return take(value, from: run) }
        } catch DAOError.suspended {
          // It is marked when calls are let in again.
          run?.state.giveUp()
        } catch DAOError.timedOut(.statement, _) where run?.takeBegun() == false {
          // Many queries wait for a connection, and no statement of this one has run: it waits on.
          run?.state.mark()
          run?.state.giveUp()
        } catch DAOError.closed where last != nil {
          run?.state.giveUp()
        } catch {
          end()
          if Task.isCancelled { return nil }
          throw error
        }
      }
      end()
      return nil
    }

    #if compiler(>=6.2)
      /// The next result; nil where the task is cancelled. It stays on the caller's actor.
      public nonisolated(nonsending) mutating func next() async throws -> Value? { try await next(isolation: #isolation) }
    #else
      /// The next result; nil where the task is cancelled.
      public mutating func next() async throws -> Value? { try await next(isolation: nil) }
    #endif

    private mutating func take(_ value: Value, from run: LiveQueryRun) -> Value {
      last = value
      run.state.leave()
      return value
    }

    private mutating func end() {
      run?.state.end()
      (isOver, run, last) = (true, nil, nil)
    }
  }

  /// A change of the result; the value is nil where it is the same.
  private struct Change: Sendable { let value: Value? }

  /// Brings a result up to date, on a thread of Swift's; nil where it has to be read again.
  private nonisolated func patched(_ last: Value, by rows: [ChangedRow]) async -> Change? {
    guard let patch else { return nil }
    return try? Change(value: patch(last, rows))
  }

  private func begin() throws -> LiveQueryRun {
    guard let source = store as? any ChangeSource, let feed = source.changeFeed else {
      throw DAOError.unsupported("a live query over a store that reports no changes, as a session's and a unit's")
    }
    return LiveQueryRun(feed, isPrompt: isPrompt)
  }
}
