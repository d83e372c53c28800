import DAOKit
import Foundation
import Testing

/// Calls, suspensions and resumptions that meet.
extension SuspensionTests {
  @Test func `it waits for another suspension no longer than its limit`() async throws {
    let store = try EndlessStore()
    let writer = Held { end in try store.factory.write { _ in end() } }
    let first = Task { try await store.factory.suspend(within: .seconds(3600)) }
    while (try? count(store.factory)) != nil { await Task.yield() }
    #expect {
      try suspend(store.factory, within: .milliseconds(20))
    } throws: {
      if case DAOError.timedOut = $0 { true } else { false }
    }
    writer.release()
    try await first.value
    try store.factory.resume()
    #expect(try await store.isAsNew())
  }

  @Test func `calls that come again and again while it is suspended, and are refused, are not waited for`() async throws {
    let store = try EndlessStore()
    let (end, refusals, threads) = (Caught(), Refusals(), DispatchGroup())
    for number in 0..<3 {
      threads.enter()
      Thread.detachNewThread {
        while end.value == nil { do { _ = try store.zones.count() } catch { refusals.note(number) } }
        threads.leave()
      }
    }
    for _ in 0..<20 {
      try suspend(store.factory)
      // All of them are at it.
      refusals.wait(for: 3)
      try suspend(store.factory)
      try store.factory.resume()
    }
    end.set(CancellationError())
    await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
    #expect(try await store.isAsNew())
  }

  @Test func `a suspension that still waits when the store is resumed ends no call that comes then`() async throws {
    let store = try EndlessStore()
    let reader = Held { end in try store.factory.read { _ in end() } }
    let suspending = Task { try await store.factory.suspend(within: .seconds(3600)) }
    while (try? count(store.factory)) != nil { await Task.yield() }
    try store.factory.resume()
    let writer = Held { end in try store.factory.write { _ in end() } }
    let waiting = Task { try await store.zones.insert(Zone("later", 1)) }
    let rows = store.zones.stream(.all)
    var stream = rows.makeAsyncIterator()
    _ = try await stream.next()
    reader.release()
    // It has come to the writer, which is held, or has seen that there is nothing to do.
    try await Task.sleep(for: .milliseconds(20))
    writer.release()
    let later = try await waiting.value
    try await suspending.value
    while try await stream.next() != nil {}
    try await store.zones.delete(try #require(later.id))
    #expect(try await store.isAsNew())
  }

  @Test func `many calls and suspensions at random moments: nothing is torn, and it closes`() async throws {
    let store = try EndlessStore()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          // Those that are refused take no time.
          var round = 0
          while round < 60 {
            do {
              if number % 2 == 0 {
                _ = try await store.zones.findAll()
              } else {
                try await store.factory.write { [round] (session) throws in
                  let zones = session.runtimeDAO(Zone.self)
                  try zones.update(.where(\.id < 100), set: .set(\.offset, to: round))
                  try zones.insert(Zone("new", round))
                  try zones.delete(.where(\.name == "new"))
                }
              }
              round += 1
            } catch {
              #expect(isSuspended(error), "\(error)")
              await Task.yield()
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<25 {
          try? await Task.sleep(for: .microseconds(Int.random(in: 0...4_000)))
          do {
            // Else those who are refused would try for ever.
            defer { try? store.factory.resume() }
            try await store.factory.suspend(within: .seconds(3600))
            #expect(try locks(store.url) == [])
          } catch { Issue.record(error) }
        }
      }
    }
    #expect(Set(try await store.zones.findAll().map(\.offset)).count == 1)
    #expect(try await store.isAsNew())
  }
}

/// Who was refused since somebody waited for it.
private final class Refusals: @unchecked Sendable {
  private let condition = NSCondition()
  private var refused: Set<Int> = []

  func note(_ number: Int) {
    condition.withLock {
      if refused.insert(number).inserted { condition.broadcast() }
    }
  }

  /// Blocks until so many were refused, each at least once from now on.
  func wait(for count: Int) {
    condition.withLock {
      refused = []
      while refused.count < count { condition.wait() }
    }
  }
}
