import Foundation

/// One loop over a live query: what it has read, and the mark that commits set.
package final class LiveQueryRun: @unchecked Sendable {
  package let state: LiveQueryState
  /// The part of a long list that the loop keeps.
  let window: ListWindow
  // Held, since what ends the loop may be the last to hold the store.
  private let feed: ChangeFeed
  private let queries: LiveQueries
  private let lock = NSLock()
  // Guarded by the lock, and so are those below: the queries of the last run, by their numbers among the live queries.
  private var known: [ObservedQuery: Int] = [:]
  private var followed: Set<EntityDescription> = []
  private var isBegun = false

  /// A loop over the store of a feed.
  /// - Parameter isPrompt: whether it comes back for the next result at once.
  package init(_ feed: ChangeFeed, isPrompt: Bool = false) {
    self.feed = feed
    state = LiveQueryState(isPrompt: isPrompt)
    window = ListWindow(state)
    queries = feed.liveQueries
    queries.join(state)
  }

  deinit {
    queries.leave(state)
    state.end()
    for number in known.values { queries.remove(number) }
    for entity in followed { queries.unfollow(entity) }
  }

  /// Follows an entity from now on.
  /// - Returns: whether it was not followed before.
  @discardableResult
  func follow(_ entity: EntityDescription) -> Bool {
    guard lock.withLock({ followed.insert(entity).inserted }) else { return false }
    queries.follow(entity)
    return true
  }

  /// Whether a run has begun since that was asked last: one that has not was still waiting for a connection.
  func takeBegun() -> Bool {
    lock.withLock {
      defer { isBegun = false }
      return isBegun
    }
  }

  /// Runs a body over one snapshot, and notes what it reads. One call at a time.
  /// - Parameter entities: those that the body is known to read.
  package func run<Value>(
    over store: any EntityStore, of entities: [EntityDescription] = [], _ body: (any EntityStore) throws -> Value
  ) throws -> Value {
    lock.withLock { isBegun = true }
    for entity in entities { follow(entity) }
    while true {
      let commitNumber = queries.commitNumber
      state.unmark()
      let met = MetQueries(self)
      let value = try store.read { try body(ObservedStore($0, met)) }
      forget(allBut: met.queries)
      // Commits after the snapshot began, and before the entity was followed, have gone unnoticed.
      if met.hasNewEntity { continue }
      // They have not been compared with the query.
      if met.hasNewQuery, queries.commitNumber != commitNumber { state.mark() }
      return value
    }
  }

  /// Runs a body over one snapshot that has exactly the commits that were handed out, and keeps the changed rows of all others.
  /// - Parameter query: what the body reads.
  package func run<Value>(
    over store: any EntityStore, keepingRowsOf query: ObservedQuery, _ body: (any EntityStore) throws -> Value
  ) throws -> Value {
    lock.withLock { isBegun = true }
    add(query)
    forget(allBut: [query])
    var attemptsLeft = 4
    while true {
      let mark = feed.mark
      state.unmark(keepingRows: true)
      let value = try store.read { snapshot -> Value? in
        // The snapshot is that of the first statement.
        _ = try snapshot.exists(in: EntityTarget(query.entity), Criteria())
        if mark == nil || feed.mark != mark {
          // It may have a commit whose rows are handed out later.
          attemptsLeft -= 1
          if attemptsLeft > 0 { return nil }
          state.forgetRows()
        }
        return try body(snapshot)
      }
      if let value { return value }
    }
  }

  /// Has commits look at a query from now on.
  /// - Returns: whether this is a new query, and one that reads a new entity.
  @discardableResult
  func add(_ query: ObservedQuery) -> (isNew: Bool, hasNewEntity: Bool) {
    if lock.withLock({ known[query] }) != nil { return (false, false) }
    var hasNewEntity = false
    for entity in query.entities { hasNewEntity = follow(entity) || hasNewEntity }
    let number = queries.add(query, marking: state)
    lock.withLock { known[query] = number }
    return (true, hasNewEntity)
  }

  private func forget(allBut met: Set<ObservedQuery>) {
    let numbers = lock.withLock {
      let gone = known.filter { !met.contains($0.key) }
      for query in gone.keys { known[query] = nil }
      return gone.values
    }
    for number in numbers { queries.remove(number) }
  }
}
