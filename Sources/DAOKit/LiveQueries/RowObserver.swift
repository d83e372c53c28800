/// Closures that are called after commits that change one row. It ends with ``cancel()``, and when it is released.
public final class RowObserver<E: Entity>: Sendable {
  /// The row as it was when the observer began; nil where there was none. Whatever changes it from then on is reported.
  public let first: E?
  private let task: Task<Void, Never>

  /// - Parameter rows: the row, whose first value has been taken.
  init(
    _ first: E?, _ rows: sending LiveQuery<E?>.Iterator, _ didUpdate: @escaping @isolated(any) @Sendable (E) -> Void,
    _ didDelete: @escaping @isolated(any) @Sendable () -> Void, _ didFail: @escaping @isolated(any) @Sendable (any Error) -> Void
  ) {
    self.first = first
    task = Task {
      var rows = rows
      do {
        while let entity = try await rows.next() {
          if let entity {
            await Self.call(on: didUpdate.isolation) { await didUpdate(entity) }
          } else {
            await Self.call(on: didDelete.isolation) { await didDelete() }
          }
        }
      } catch { await Self.call(on: didFail.isolation) { await didFail(error) } }
    }
  }

  deinit { cancel() }

  /// Ends it. A call of a closure that is under way goes on; no other follows it.
  public func cancel() { task.cancel() }

  /// Calls a closure on its actor, where the task has not been cancelled until then.
  private static func call(on actor: isolated (any Actor)?, _ closure: @Sendable () async -> Void) async {
    if !Task.isCancelled { await closure() }
  }
}
