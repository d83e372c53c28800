import DAOKit
import Foundation
import Testing

/// Counts the jobs that it is given: an actor on it is hopped to as often.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
final class CountingExecutor: SerialExecutor, @unchecked Sendable {
  private let queue = DispatchQueue(label: "CountingExecutor")
  private let lock = NSLock()
  // Guarded by the lock.
  private var jobs = 0

  var count: Int { lock.withLock { jobs } }

  func enqueue(_ job: consuming ExecutorJob) {
    lock.withLock { jobs += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Consumes streams in each way that there is.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
actor Consumer {
  let executor = CountingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func loop(_ stream: EntityStream<Zone>) async throws -> Int {
    var count = 0
    for try await _ in stream {
      assertIsolated()
      count += 1
    }
    return count
  }

  func isolatedCalls(_ stream: EntityStream<Zone>) async throws -> Int {
    var (count, iterator) = (0, stream.makeAsyncIterator())
    while try await iterator.next(isolation: self) != nil { count += 1 }
    return count
  }

  func plainCalls(_ stream: EntityStream<Zone>) async throws -> Int {
    var (count, iterator) = (0, stream.makeAsyncIterator())
    while try await iterator.next() != nil { count += 1 }
    return count
  }
}

@Suite("A stream on actors and off them")
struct StreamIsolationTests {
  let file: FileStore

  init() throws {
    file = try FileStore()
    try file.zones.insert((1...2_000).map { Zone("\($0)", 0) })
  }

  @Test
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  func `an actor is hopped to once a batch, and not for each row`() async throws {
    let consumer = Consumer()
    let stream = file.zones.stream()
    #if compiler(>=6.2)
      let ways = [consumer.loop, consumer.isolatedCalls, consumer.plainCalls]
    #else
      let ways = [consumer.isolatedCalls]
    #endif
    for (number, way) in ways.enumerated() {
      let before = consumer.executor.count
      #expect(try await way(stream) == 2_000)
      // A batch has ten rows at least, even where each takes a while, and the call itself hops.
      #expect(consumer.executor.count - before <= 200, "way \(number)")
    }
  }

  @Test @MainActor
  func `on the main actor`() async throws {
    var count = 0
    for try await _ in file.zones.stream() {
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 2_000)
  }

  @Test func `in a detached task`() async throws {
    let stream = file.zones.stream()
    let count = try await Task.detached { try await stream.reduce(0) { count, _ in count + 1 } }.value
    #expect(count == 2_000)
  }
}
