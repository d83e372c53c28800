/// Entities that come batch by batch, from one snapshot that spans several calls. A store makes them for an ``EntityStream``.
public struct EntityBatches<E: Entity>: Sendable {
  /// Reads the batch that follows, where it may block.
  let next: @Sendable () throws -> EntityBatch<E>
  /// Releases the resources of the batches that were not read.
  let close: @Sendable () -> Void

  /// Batches. One function is called at a time, on any thread.
  /// - Parameters:
  ///   - next: reads the batch that follows; the result after the last batch, or after `close`, is up to the store.
  ///   - close: releases the resources; always called, after the end too, and possibly more than once.
  public init(next: @escaping @Sendable () throws -> EntityBatch<E>, close: @escaping @Sendable () -> Void) {
    self.next = next
    self.close = close
  }
}
