import Foundation

/// The live queries of one store: each commit marks those whose results it may have changed, on the thread that commits.
///
/// A query is found by an attribute that must have one value, where its filter has such a condition: queries of other rows cost nothing,
/// however many there are.
package final class LiveQueries: @unchecked Sendable {
  private unowned let feed: ChangeFeed
  // Held while entities come and go, so that one is followed when the call that asks for it returns.
  private let membership = NSLock()
  private let lock = NSLock()
  // Guarded by the lock.
  private var entities: [EntityDescription: LiveEntity] = [:]
  private var lastNumber = 0
  // The loops that commits of some threads mark.
  private var collected: [pthread_t: [MarkedLoop]] = [:]
  // Those of all loops.
  private var states: [ObjectIdentifier: LiveQueryState] = [:]

  init(_ feed: ChangeFeed) { self.feed = feed }

  /// Knows a loop by its mark.
  func join(_ state: LiveQueryState) { lock.withLock { states[ObjectIdentifier(state)] = state } }

  /// Forgets a loop.
  func leave(_ state: LiveQueryState) { _ = lock.withLock { states.removeValue(forKey: ObjectIdentifier(state)) } }

  /// Marks all loops: those that could not read while the store was suspended try again.
  package func markAll() { for state in lock.withLock({ Array(states.values) }) { state.mark() } }

  /// A loop that a commit has marked.
  package struct MarkedLoop: Sendable {
    fileprivate let state: LiveQueryState
    fileprivate let mark: Int

    /// Waits until the loop has the result after the commit, where it waits for one.
    package func settle(isolation: isolated (any Actor)? = #isolation) async { await state.settle(mark: mark, isolation: isolation) }
  }

  /// Runs a body that commits on this thread.
  /// - Returns: its result, and the loops that its commits have marked.
  package func collecting<Result>(_ body: () throws -> Result) rethrows -> (Result, [MarkedLoop]) {
    let thread = pthread_self()
    lock.withLock { collected[thread] = [] }
    defer { lock.withLock { collected[thread] = nil } }
    let result = try body()
    return (result, lock.withLock { collected[thread] ?? [] })
  }

  /// How many commits the store's feed has handed out.
  var commitNumber: Int { feed.number }

  /// Has commits that change an entity be looked at, until as many calls of ``unfollow(_:)`` have ended it.
  func follow(_ entity: EntityDescription) {
    membership.lock()
    defer { membership.unlock() }
    let followed = lock.withLock {
      let followed = entities[entity] ?? LiveEntity()
      entities[entity] = followed
      return followed
    }
    followed.followerCount += 1
    if followed.followerCount > 1 { return }
    // Outside of the lock: the feed may hand out changes meanwhile.
    followed.consumer = feed.add([FollowedEntity(entity: entity, withRows: true)]) { [weak self] changes in
      self?.receive(changes, of: entity)
    } finish: {
    }
  }

  /// Ends what ``follow(_:)`` began.
  func unfollow(_ entity: EntityDescription) {
    membership.lock()
    defer { membership.unlock() }
    guard let followed = lock.withLock({ entities[entity] }) else { return }
    followed.followerCount -= 1
    if followed.followerCount > 0 { return }
    lock.withLock { entities[entity] = nil }
    if let consumer = followed.consumer { feed.remove(consumer) }
  }

  /// Has commits mark what may change the result of a query. Its entities are followed.
  /// - Returns: the number by which it is removed.
  func add(_ query: ObservedQuery, marking state: LiveQueryState) -> Int {
    lock.withLock {
      lastNumber += 1
      guard let own = entities[query.entity] else { return lastNumber }
      let reach = QueryReach(of: query, over: own.table)
      if reach.others.contains(query.entity) { own.add(state, lastNumber, nil) } else { own.add(state, lastNumber, reach) }
      for other in reach.others where other != query.entity { entities[other]?.add(state, lastNumber, nil) }
      return lastNumber
    }
  }

  /// Ends what ``add(_:marking:)`` began.
  func remove(_ number: Int) { lock.withLock { for entity in entities.values { entity.remove(number) } } }

  private func receive(_ changes: ChangeSet, of entity: EntityDescription) {
    let thread = pthread_self()
    let (touched, isCollected) = lock.withLock {
      let isCollected = collected[thread] != nil
      return (changes.rows.compactMap { entities[entity]?.touched(by: $0, includingMarked: isCollected) }, isCollected)
    }
    // Outside of the lock: who waits may go on at once.
    let marked = touched.joined().map { MarkedLoop(state: $0.state, mark: $0.state.mark(by: $0.rows)) }
    if isCollected { lock.withLock { collected[thread]?.append(contentsOf: marked) } }
  }
}
