import DAOKit
import Testing

@Suite("Closures for one row")
struct RowObserverTests {
  private enum Event: Equatable { case updated(Zone), deleted, failed }

  @Test(arguments: ChangeFeedTests.Kind.allCases)
  @MainActor func `each commit that changes, deletes or brings back the row calls one, on its actor`(kind: ChangeFeedTests.Kind)
    async throws
  {
    let zones = try kind.factory().runtimeDAO(Zone.self)
    let (events, continuation) = AsyncStream<Event>.makeStream()
    let observer = try await zones.observe(Zone.london) { @MainActor zone in
      MainActor.assertIsolated()
      continuation.yield(.updated(zone))
    } didDelete: { @MainActor in
      continuation.yield(.deleted)
    }
    var next = events.makeAsyncIterator()
    let london = try syncly { try zones.find(Zone.london) }
    try syncly { try zones.update(.where(\.id == Zone.minsk), set: .set(\.comment, to: "another row")) }
    try syncly { try zones.update(.where(\.id == Zone.london), set: .set(\.comment, to: "new")) }
    #expect(await next.next() == .updated(Zone(id: Zone.london, london.name, london.offset, "new")))
    try syncly { try zones.delete(Zone.london) }
    #expect(await next.next() == .deleted)
    _ = try syncly { try zones.insert(london) }
    #expect(await next.next() == .updated(london))
    observer.cancel()
  }

  @Test @MainActor func `no call follows the end`() async throws {
    let zones = try TestStore.zones().zones
    final class Calls { var count = 0 }
    let calls = Calls()
    let observer = try await zones.observe(Zone.london, didUpdate: { @MainActor [calls] _ in calls.count += 1 })
    #expect(observer.first?.name == "Europe/London")
    // A loop beside it has its result, so the call is on its way here, where it can't be made yet.
    var row = zones.observe(Zone.london).makeAsyncIterator()
    _ = try await row.next()
    let (done, continuation) = AsyncStream<Void>.makeStream()
    Task.detached {
      try await zones.update(.where(\.id == Zone.london), set: .set(\.comment, to: "new"))
      continuation.yield()
    }
    var next = done.makeAsyncIterator()
    await next.next()
    observer.cancel()
    let before = calls.count
    _ = try await row.next()
    for _ in 0..<100 { await Task.yield() }
    #expect(calls.count == before)
  }

  @Test func `none begins in a task that is cancelled`() async throws {
    let zones = try TestStore.zones().zones
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await zones.observe(Zone.london, didDelete: {}).first
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `an error ends it, and one of the first query is thrown`() async throws {
    let store = try TestStore.zones()
    let (events, continuation) = AsyncStream<Event>.makeStream()
    let observer = try await store.zones.observe(1, didFail: { _ in continuation.yield(.failed) })
    _ = try syncly { try store.store.execute("DROP TABLE zone") }
    var next = events.makeAsyncIterator()
    #expect(await next.next() == .failed)
    await #expect(throws: DAOError.self) { try await store.zones.observe(1, didDelete: { continuation.yield(.deleted) }) }
    observer.cancel()
  }

  @Test func `it ends when it is released`() async throws {
    let store = try TestStore.zones()
    var observer: RowObserver<Zone>? = try await store.zones.observe(1, didUpdate: { _ in })
    #expect(store.store.changeFeed?.isFollowed == true && observer != nil)
    observer = nil
    while store.store.changeFeed?.isFollowed == true { try await Task.sleep(for: .milliseconds(1)) }
  }
}
