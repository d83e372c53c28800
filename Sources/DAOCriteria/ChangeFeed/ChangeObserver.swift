import Dispatch
import Foundation

/// A closure that is called after each commit that changes some entities. It ends with ``cancel()``, and when it is released.
public final class ChangeObserver: Sendable {
  private let feed: ChangeFeed
  private let calls: Calls
  private let number: Int

  /// An observer of a feed.
  package init(
    _ feed: ChangeFeed, of entities: [EntityDescription], withAttributes: Bool, buffering limit: Int,
    _ perform: @escaping @Sendable (ChangeSet) -> Void
  ) {
    let calls = Calls(limit, perform)
    self.feed = feed
    self.calls = calls
    number = feed.add(entities.map { FollowedEntity(entity: $0, withAttributes: withAttributes) }) {
      calls.receive($0)
    } finish: {
    }
  }

  deinit { cancel() }

  /// Ends it. A call of the closure that is under way goes on; no other follows it.
  public func cancel() {
    feed.remove(number)
    calls.end()
  }

  /// Calls a closure on a queue of its own, one call after the other.
  private final class Calls: @unchecked Sendable {
    private let queue = DispatchQueue(label: "DAOKit.changes")
    private let buffer: ChangeBuffer
    private let perform: @Sendable (ChangeSet) -> Void
    private let lock = NSLock()
    // Guarded by the lock, as is the one below.
    private var isOver = false
    private var isScheduled = false

    init(_ limit: Int, _ perform: @escaping @Sendable (ChangeSet) -> Void) {
      buffer = ChangeBuffer(limit: limit)
      self.perform = perform
    }

    func receive(_ changes: ChangeSet) {
      buffer.put(changes)
      let isFirst = lock.withLock {
        defer { isScheduled = true }
        return !isScheduled
      }
      // One call empties the buffer, however many commits there are meanwhile.
      if isFirst { queue.async { [self] in performAll() } }
    }

    private func performAll() {
      while true {
        let next = lock.withLock { () -> ChangeSet? in
          let next = isOver ? nil : buffer.poll()
          if next == nil { isScheduled = false }
          return next
        }
        guard let next else { return }
        perform(next)
      }
    }

    func end() { lock.withLock { isOver = true } }
  }
}
