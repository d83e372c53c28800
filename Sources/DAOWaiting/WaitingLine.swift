import DAOCriteria

/// A number of slots, their holders, and the waiters in order of arrival. A value, guarded by its owner's lock.
package struct WaitingLine {
  /// How long a waiter waits while no slot at all is left. While slots are returned now and then, it keeps waiting.
  private let stallTimeout: Duration
  // By slot; nil where it is free.
  @usableFromInline var holders: [ConnectionHolder?]
  /// The number of free slots.
  package var freeCount: Int
  @usableFromInline var waiters: [Waiter] = []
  // Those before it have had their turn.
  @usableFromInline var first = 0
  private var lastLeave = ContinuousClock.now
  // When the waits are checked next; nil where nobody waits.
  private var nextCheck: ContinuousClock.Instant?

  package init(places: Int, stallTimeout: Duration) {
    holders = [ConnectionHolder?](repeating: nil, count: places)
    freeCount = places
    self.stallTimeout = stallTimeout
  }

  /// The number of slots.
  package var count: Int { holders.count }

  /// How many wait.
  package var waitingCount: Int { waiters[first...].count { !$0.hasEnded } }

  /// Takes a free slot; nil where there is none.
  @inlinable @inline(__always)
  package mutating func take(_ holder: @autoclosure () -> ConnectionHolder) -> Int? {
    guard freeCount > 0 else { return nil }
    for place in holders.indices where holders[place] == nil {
      holders[place] = holder()
      freeCount -= 1
      return place
    }
    return nil
  }

  /// Passes a slot on to the next waiter, or frees it.
  @inlinable @inline(__always)
  package mutating func leave(_ place: Int) {
    holders[place] = nil
    freeCount += 1
    if first < waiters.count { handOn() }
  }

  @usableFromInline mutating func handOn() {
    lastLeave = .now
    while freeCount > 0, first < waiters.count {
      let waiter = waiters[first]
      first += 1
      guard let place = take(waiter.holder) else { break }
      if waiter.proceed(to: place) { continue }
      holders[place] = nil
      freeCount += 1
    }
    if first == waiters.count {
      waiters.removeAll(keepingCapacity: waiters.count <= 64)
      first = 0
    } else if first >= 64, first * 2 > waiters.count {
      waiters.removeFirst(first)
      first = 0
    }
  }

  /// Puts a waiter at the end.
  /// - Returns: when the owner is to call ``endOverdueWaits()``, if it does not already do so by then.
  package mutating func append(_ waiter: Waiter) -> ContinuousClock.Instant? {
    // Those who were cancelled leave the line when it has doubled.
    if waiters.count == waiters.capacity { leaveOut() }
    waiters.append(waiter)
    return check(by: end(of: waiter))
  }

  /// Removes the waiters that have had their turn, or no longer wait.
  private mutating func leaveOut() {
    waiters = waiters[first...].filter { !$0.hasEnded }
    first = 0
  }

  /// Takes all out of the line but what concerns the store as a whole.
  package mutating func removeCalls() -> [Waiter] {
    let calls = waiters[first...].filter { $0.holder.activity != .maintenance }
    waiters = waiters[first...].filter { $0.holder.activity == .maintenance }
    first = 0
    return calls
  }

  /// Ends the waits that have taken too long.
  /// - Parameter place: the name of a slot, in messages: "any connection that reads".
  /// - Returns: those waits with their errors, and when to call this again.
  package mutating func endOverdueWaits(for place: String) -> (ended: [(Waiter, DAOError)], next: ContinuousClock.Instant?) {
    nextCheck = nil
    let now = ContinuousClock.now
    var ended: [(Waiter, DAOError)] = []
    waiters = waiters[first...].filter { waiter in
      if waiter.hasEnded { return false }
      if end(of: waiter) > now { return true }
      ended.append((waiter, overdue(waiter, place, now)))
      return false
    }
    first = 0
    let next = waiters.map(end).min()
    return (ended, next.flatMap { check(by: $0) })
  }

  private func end(of waiter: Waiter) -> ContinuousClock.Instant {
    let stalled = max(waiter.start, lastLeave) + stallTimeout
    return waiter.limit.map { min($0.end, stalled) } ?? stalled
  }

  private func overdue(_ waiter: Waiter, _ place: String, _ now: ContinuousClock.Instant) -> DAOError {
    let holders = holders.compactMap(\.?.description).joined(separator: ", ")
    let held = holders.isEmpty ? "" : ", held by: \(holders)"
    if let limit = waiter.limit, limit.end <= now { return limit.error("the wait for \(place)\(held)") }
    return .timedOut(.connection, message: "\(place) was not given back for \(stallTimeout)\(held)")
  }

  private mutating func check(by time: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if let nextCheck, nextCheck <= time { return nil }
    nextCheck = time
    return time
  }
}

extension ConnectionHolder? {
  fileprivate var description: String? { map { $0.description } }
}
