/// The commits that change some entities of a store, in their order.
///
/// ```swift
/// let changes = try factory.changes(of: Zone.self)
/// var zones = try dao.findAll()
/// for await change in changes {
///   if change[Zone.self].needsReload { zones = try await dao.findAll() } else { … }
/// }
/// ```
///
/// It begins with the call that makes it: no commit after that is missing, wherever the loop begins. Each call makes a sequence with a
/// buffer of its own, so any number of them follow one store; loops over the same sequence share its commits. A loop that is slower than
/// the commits loses none of them unnoticed: where more wait than the buffer holds, one change set that asks to reload takes their place.
///
/// The loop ends when its task is cancelled, and when the store is closed for good with the last factory and DAO that hold it.
public struct ChangeSequence: AsyncSequence, Sendable {
  /// A change set for each commit.
  public typealias Element = ChangeSet
  /// It throws nothing.
  public typealias Failure = Never

  private let subscription: Subscription

  /// A sequence over a feed.
  package init(_ feed: ChangeFeed, of entities: [EntityDescription], withAttributes: Bool, buffering limit: Int) {
    subscription = Subscription(feed, entities, withAttributes, ChangeBuffer(limit: limit))
  }

  /// A loop over it.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription) }

  /// One loop over the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: Subscription

    fileprivate init(_ subscription: Subscription) { self.subscription = subscription }

    /// The next commit's changes; nil at the end. It stays on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ChangeSet? {
      if Task.isCancelled { return nil }
      return await subscription.buffer.next(isolation: actor)
    }

    #if compiler(>=6.2)
      /// The next commit's changes; nil at the end. It stays on the caller's actor.
      public nonisolated(nonsending) mutating func next() async -> ChangeSet? { await next(isolation: #isolation) }
    #else
      /// The next commit's changes; nil at the end.
      public mutating func next() async -> ChangeSet? { await next(isolation: nil) }
    #endif
  }

  /// A place among the feed's consumers, until it is released.
  fileprivate final class Subscription: Sendable {
    let buffer: ChangeBuffer
    private let feed: ChangeFeed
    private let number: Int

    init(_ feed: ChangeFeed, _ entities: [EntityDescription], _ withAttributes: Bool, _ buffer: ChangeBuffer) {
      self.buffer = buffer
      self.feed = feed
      number = feed.add(entities.map { FollowedEntity(entity: $0, withAttributes: withAttributes) }) {
        buffer.put($0)
      } finish: {
        buffer.finish()
      }
    }

    deinit { feed.remove(number) }
  }
}
