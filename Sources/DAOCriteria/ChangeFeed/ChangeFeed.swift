import Foundation

/// Hands each commit of one store to those who follow it, in the order of the commits. It holds neither the store nor its connections.
package final class ChangeFeed: @unchecked Sendable {
  private struct Consumer {
    let followed: [FollowedEntity]
    let receive: @Sendable (ChangeSet) -> Void
    let finish: @Sendable () -> Void

    var entities: [EntityDescription] { followed.map(\.entity) }
  }

  // Held while a commit is handed out, so that the next one comes after it. Consumers may come and go meanwhile.
  private let delivery = NSLock()
  private let lock = NSLock()
  // Guarded by the second lock, and so is all below.
  private var consumers: [Int: Consumer] = [:]
  private var consumerCount = 0
  private var commitCount = 0
  private var writer: pthread_t?
  private var writeCount = 0
  // How many consumers follow an entity.
  private var counts: [FollowedEntity: Int] = [:]
  private var interest: ChangeInterest?
  private var isFinished = false
  private var follow: (@Sendable () -> Void)?
  private var madeQueries: LiveQueries?

  /// The live queries of the store.
  package var liveQueries: LiveQueries {
    lock.withLock {
      let queries = madeQueries ?? LiveQueries(self)
      madeQueries = queries
      return queries
    }
  }

  package init() {}

  /// Sets what is called after the first consumer has come, and after the last has gone.
  package func whenFollowed(_ follow: @escaping @Sendable () -> Void) { lock.withLock { self.follow = follow } }

  /// Whether anybody follows the store.
  package var isFollowed: Bool { lock.withLock { interest != nil } }

  /// Whether more than one consumer follows it.
  package var hasSeveralFollowers: Bool { lock.withLock { consumers.count > 1 } }

  /// What is to be noted of a commit that begins now.
  package struct Audience {
    /// The entities; nil while nobody follows the store.
    package let interest: ChangeInterest?
    /// The consumer that came last.
    let newest: Int
  }

  /// How many commits it has handed out. It stands still while nobody follows the store.
  package var number: Int { lock.withLock { commitCount } }

  /// Who follows the store now.
  package var audience: Audience { lock.withLock { Audience(interest: interest, newest: consumerCount) } }

  /// Notes that the connection that writes is in use by this thread, which may commit from now on.
  /// - Returns: who follows the store.
  package func beginWriting() -> Audience {
    lock.withLock {
      writer = pthread_self()
      return Audience(interest: interest, newest: consumerCount)
    }
  }

  /// Notes the end of what ``beginWriting()`` began. What was committed is handed out.
  package func endWriting(hasWritten: Bool) {
    lock.withLock {
      writer = nil
      if hasWritten { writeCount += 1 }
    }
  }

  /// The commits so far.
  struct Mark: Equatable {
    fileprivate let writeCount: Int
    fileprivate let commitCount: Int
  }

  /// A mark that is equal to another one where nothing was committed in between; nil while another thread may commit.
  var mark: Mark? {
    lock.withLock { writer.map { $0 == pthread_self() } ?? true ? Mark(writeCount: writeCount, commitCount: commitCount) : nil }
  }

  /// Adds a consumer. Commits that begin from now on reach it. For one that has begun before, it receives a change set that asks to
  /// reload.
  /// - Parameters:
  ///   - receive: takes each change set. It is called between two commits, so it must not wait, nor call the store.
  ///   - finish: called once, when the store is gone.
  /// - Returns: the consumer's number.
  package func add(
    _ followed: [FollowedEntity], receive: @escaping @Sendable (ChangeSet) -> Void,
    finish: @escaping @Sendable () -> Void
  ) -> Int {
    let consumer = Consumer(followed: followed, receive: receive, finish: finish)
    let (number, isOver, follow) = lock.withLock {
      consumerCount += 1
      if isFinished { return (consumerCount, true, nil as (@Sendable () -> Void)?) }
      let isFirst = consumers.isEmpty
      consumers[consumerCount] = consumer
      count(consumer, 1)
      return (consumerCount, false, isFirst ? self.follow : nil)
    }
    if isOver { finish() }
    follow?()
    return number
  }

  /// Removes a consumer.
  package func remove(_ number: Int) {
    let (removed, follow) = lock.withLock {
      guard let removed = consumers.removeValue(forKey: number) else { return (nil as Consumer?, nil as (@Sendable () -> Void)?) }
      count(removed, -1)
      return (removed, consumers.isEmpty ? self.follow : nil)
    }
    follow?()
    // Released outside of the lock: what it holds may end others.
    withExtendedLifetime(removed) {}
  }

  /// Hands out a commit.
  /// - Parameters:
  ///   - rows: the rows that were noted.
  ///   - audience: for whom they were noted; nil where nothing was.
  ///   - mayHaveMissed: whether rows may have changed that were not noted, for those who came later.
  package func publish(_ rows: [ChangedRows], for audience: Audience?, mayHaveMissed: Bool) {
    if rows.isEmpty && !mayHaveMissed { return }
    delivery.withLock {
      let (number, consumers) = lock.withLock {
        commitCount += 1
        return (commitCount, self.consumers)
      }
      for (place, consumer) in consumers {
        guard let audience, place <= audience.newest else {
          if mayHaveMissed { consumer.receive(ChangeSet(number: number, reloading: consumer.entities)) }
          continue
        }
        let own = rows.compactMap { rows in
          consumer.followed.first { $0.entity == rows.entity }.map { rows.with(attributes: $0.withAttributes) }
        }
        if !own.isEmpty { consumer.receive(ChangeSet(number: number, own, asked: consumer.entities)) }
      }
    }
  }

  /// Asks all to reload: unknown rows of any table may have changed.
  package func publishReload() { publish([], for: nil, mayHaveMissed: true) }

  /// Ends the feed, with its store.
  package func finish() {
    let ended = lock.withLock {
      isFinished = true
      defer { (consumers, counts, interest) = ([:], [:], nil) }
      return Array(consumers.values)
    }
    for consumer in ended { consumer.finish() }
  }

  /// Counts a consumer that comes or goes. What is noted is only read from the schema again where the entities are others.
  private func count(_ consumer: Consumer, _ difference: Int) {
    let before = counts.count
    for followed in consumer.followed {
      let count = (counts[followed] ?? 0) + difference
      counts[followed] = count == 0 ? nil : count
    }
    if counts.count != before { interest = counts.isEmpty ? nil : ChangeInterest(counts.keys) }
  }
}
