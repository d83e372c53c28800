import DAOKit
import Foundation
import TestCases
import Testing

@Suite("A task that is cancelled", .timeLimit(.minutes(60)))
struct CancellationTests {
  @Test(arguments: TestCases.some(EndlessStore.calls, every: 3))
  func `ends the statement that runs for it, whatever it is; nothing is written, and its connection is as good as new`(
    _ call: EndlessStore.Call
  ) async throws {
    let store = try EndlessStore()
    // The first is cancelled while its statement runs, the second before or at its begin.
    for wait in [Duration.milliseconds(60), .zero] {
      let task = Task { try await call.run(store) }
      try await Task.sleep(for: wait)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await store.isAsNew())
  }

  @Test(arguments: EndlessStore.writes)
  func `ends its wait for the writer`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore()
    let held = Held { end in try store.factory.write { _ in end() } }
    let task = Task { try await call.run(store) }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    // Nobody else ends it: the writer is held.
    await #expect(throws: CancellationError.self) { try await task.value }
    held.release()
    #expect(try await store.isAsNew())
  }

  @Test(arguments: EndlessStore.reads.dropLast())
  func `ends its wait for a connection that reads, with a thread or without`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore()
    let held = (0..<max(4, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
      Held { end in try store.factory.read { _ in end() } }
    }
    let tasks = (0..<10).map { number in
      Task { if number % 2 == 0 { _ = try await store.zones.count() } else { try await call.run(store) } }
    }
    try await Task.sleep(for: .milliseconds(20))
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    for held in held { held.release() }
    #expect(try await store.isAsNew())
  }

  @Test(arguments: EndlessStore.writes)
  func `ends its wait for another process's lock`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore()
    let other = try OtherWriter(store.url)
    let task = Task { try await call.run(store) }
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    // The lock is still held; after five seconds without a cancellation it would be another error.
    await #expect(throws: CancellationError.self) { try await task.value }
    try other.end()
    #expect(try await store.isAsNew())
  }

  @Test func `gets its result once COMMIT has begun`() async throws {
    final class Box: @unchecked Sendable { var task: Task<Zone, any Error>? }
    let (box, ready) = (Box(), DispatchSemaphore(value: 0))
    let store = try EndlessStore { statement in
      // The trace comes with the end of COMMIT, before the call returns.
      if statement.sql.hasPrefix("COMMIT") { box.task?.cancel() }
    }
    box.task = Task {
      try await store.factory.write { (session) throws in
        ready.wait()
        return try session.runtimeDAO(Zone.self).insert(Zone("committed", 1))
      }
    }
    ready.signal()
    #expect(try await box.task?.value.name == "committed")
    #expect(box.task?.isCancelled == true)
    #expect(try await store.zones.exists(.where(\.name == "committed")))
  }

  @Test func `does not interrupt the caller's own closure, whose next call throws`() async throws {
    let store = try EndlessStore()
    let (inside, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let task = Task {
      try await store.factory.read { (session) throws in
        inside.signal()
        cancelled.wait()
        return #expect(throws: CancellationError.self) { try session.runtimeDAO(Zone.self).count() } != nil ? 7 : 0
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "inside").async {
        inside.wait()
        continuation.resume()
      }
    }
    task.cancel()
    cancelled.signal()
    #expect(try await task.value == 7)
    #expect(try await store.isAsNew())
  }

  @Test(arguments: 0..<5)
  func `many at once, cancelled at random moments: nothing is left behind`(_ round: Int) async throws {
    let store = try EndlessStore()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          let call = EndlessStore.calls[(number * 7 + round) % EndlessStore.calls.count]
          let task = Task { try await call.run(store) }
          try? await Task.sleep(for: .microseconds(Int.random(in: 0...30_000)))
          task.cancel()
          await #expect(throws: CancellationError.self) { try await task.value }
        }
      }
    }
    #expect(try await store.isAsNew())
  }

  @Test func `in a session over cursors, ends nobody else's statement`() async throws {
    let store = try EndlessStore()
    let cancelled = Task { try await EndlessStore.reads[0].run(store) }
    let names = try await store.factory.read { (session) throws in
      try session.runtimeDAO(Zone.self).withCursor(.all.order(by: \.id)) { cursor in
        var names: [String] = []
        while let zone = try cursor.next() {
          names.append(zone.name)
          cancelled.cancel()
        }
        return names
      }
    }
    #expect(names == Zone.samples.map(\.name))
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}

/// A thread inside of a closure until it is released.
final class Held: Sendable {
  private let ended = DispatchSemaphore(value: 0)

  /// Returns when the thread is inside.
  init(_ body: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) throws -> Void) {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [ended] in
      do {
        try body {
          begun.signal()
          ended.wait()
        }
      } catch {}
      // Where it could not enter, nobody waits for it in vain.
      begun.signal()
    }
    begun.wait()
  }

  func release() { ended.signal() }
}
