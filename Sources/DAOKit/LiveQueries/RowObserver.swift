/// Closures that are called after each commit that changes one row. It ends with ``cancel()``, and when it is released.
public final class RowObserver: Sendable {
  private let task: Task<Void, Never>

  /// - Parameter rows: the row, whose first value has been taken.
  init<E: Entity>(
    _ rows: sending LiveQuery<E?>.Iterator, _ didUpdate: @escaping @isolated(any) @Sendable (E) -> Void,
    _ didDelete: @escaping @isolated(any) @Sendable () -> Void, _ didFail: @escaping @isolated(any) @Sendable (any Error) -> Void
  ) {
    task = Task {
      var rows = rows
      do {
        while let entity = try await rows.next() { if let entity { await didUpdate(entity) } else { await didDelete() } }
      } catch { await didFail(error) }
    }
  }

  deinit { cancel() }

  /// Ends it. A call of a closure that is under way goes on; no other follows it.
  public func cancel() { task.cancel() }
}
