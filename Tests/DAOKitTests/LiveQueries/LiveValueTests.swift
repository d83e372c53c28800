import DAOKit
import Dispatch
import Observation
import Testing

@Suite("A live query that views observe")
@MainActor struct LiveValueTests {
  /// Waits until a value that is observed becomes another one: what is called before the change resumes this after it, on the same actor.
  private func change<Value>(of value: () -> Value) async {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    _ = withObservationTracking(value) { continuation.yield() }
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
  }

  @Test func `its value follows the commits`() async throws {
    let store = try TestStore.zones()
    let count = LiveValue(store.zones.observeCount(.where(\.offset == 1)), initially: -1)
    #expect(count.value == -1)
    await change { count.value }
    #expect(count.value == 0)
    syncly { _ = try? store.zones.insert(Zone("new", 1)) }
    await change { count.value }
    #expect(count.value == 1 && count.error == nil)
  }

  @Test func `an error ends it, and its value stays`() async throws {
    let store = try TestStore.zones()
    let count = LiveValue(store.zones.observeCount(), initially: 0)
    await change { count.value }
    syncly { _ = try? store.store.execute("DROP TABLE zone") }
    await change { count.error }
    #expect(count.error is DAOError && count.value == 6)
  }

  @Test func `its value is nil until the first result`() async throws {
    let list = LiveValue(try TestStore.zones().zones.fetchedResults(.all.order(by: \.name)))
    #expect(list.value == nil)
    await change { list.value }
    #expect(list.value?.count == 6)
  }

  @Test func `after a commit that is awaited it is up to date`() async throws {
    // Both can read at the same time.
    let file = try FileStore()
    defer { withExtendedLifetime(file) {} }
    let factory = file.factory
    _ = try syncly { try factory.runtimeDAO(Zone.self).insert(Zone.samples) }
    let (count, list) = (
      LiveValue(factory.runtimeDAO(Zone.self).observeCount(), initially: 0),
      LiveValue(factory.runtimeDAO(Zone.self).fetchedResults(.all.order(by: \.name)))
    )
    await change { count.value }
    if list.value == nil { await change { list.value } }
    let work = try factory.unitOfWork()
    for number in 0..<50 {
      _ = try syncly { try work.runtimeDAO(Zone.self).insert(Zone("new \(number)", number)) }
      try await work.commit()
      #expect(count.value == 7 + number && list.value?.count == 7 + number)
    }
  }

  @Test func `a commit waits for what it changes, whatever others write meanwhile`() async throws {
    let file = try FileStore()
    defer { withExtendedLifetime(file) {} }
    let factory = file.factory
    let zones = factory.runtimeDAO(Zone.self)
    _ = try syncly { try zones.insert(Zone.samples) }
    let count = LiveValue(zones.observeCount(.where(\.offset >= 0)), initially: 0)
    await change { count.value }
    // Its result stays the same, and it is marked again and again while it is read.
    let writer = Task.detached {
      var number = 0
      while !Task.isCancelled {
        number += 1
        try await zones.update(.where(\.id == Zone.kolkata), set: .set(\.offset, to: 20_000 + number % 7))
      }
    }
    for number in 0..<20 {
      let work = try factory.unitOfWork()
      _ = try syncly { try work.runtimeDAO(Zone.self).insert(Zone("new \(number)", number)) }
      try await work.commit()
      #expect(count.value == 6 + number)
    }
    writer.cancel()
    _ = await writer.result
  }

  @Test func `a commit waits for no loop that it does not change`() async throws {
    let file = try FileStore([Zone.entityDescription, Mark.entityDescription])
    defer { withExtendedLifetime(file) {} }
    let factory = file.factory
    let (hold, began) = (DispatchSemaphore(value: 0), AsyncStream<Void>.makeStream())
    let slow = Task.detached {
      for try await _ in factory.observe({ session -> Int in
        began.continuation.yield()
        hold.wait()
        return try session.runtimeDAO(Mark.self).count()
      }) { break }
    }
    var first = began.stream.makeAsyncIterator()
    await first.next()
    let work = try factory.unitOfWork()
    _ = try syncly { try work.runtimeDAO(Zone.self).insert(Zone("new", 1)) }
    try await work.commit()
    // It runs twice at first.
    hold.signal()
    hold.signal()
    try await slow.value
  }

  @Test func `it ends when it is released`() async throws {
    let store = try TestStore.zones()
    var count: LiveValue<Int>? = LiveValue(store.zones.observeCount(), initially: 0)
    await change { count?.value }
    count = nil
    while store.store.changeFeed?.isFollowed == true { try await Task.sleep(for: .milliseconds(1)) }
    #expect(count == nil)
  }
}
