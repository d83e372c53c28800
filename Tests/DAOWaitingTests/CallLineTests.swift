import DAOCriteria
import Foundation
import TestCases
import Testing

@testable import DAOWaiting

@Suite("A line of calls")
struct CallLineTests {
  /// A longer wait than a machine can be busy.
  private let hour = Duration.seconds(3600)

  /// A place that is held until `release`.
  private final class Held: Sendable {
    let line: CallLine
    private let end = DispatchSemaphore(value: 0)

    init(_ line: CallLine, places: Int = 1) {
      self.line = line
      let begun = DispatchSemaphore(value: 0)
      for _ in 0..<places {
        Thread.detachNewThread { [end] in
          try? line.run(.writeSession, by: nil) {
            begun.signal()
            end.wait()
          }
        }
      }
      for _ in 0..<places { begun.wait() }
    }

    func release(_ places: Int = 1) { for _ in 0..<places { end.signal() } }

    /// Returns when so many calls wait.
    func waits(for count: Int) async throws { while line.waitingCount < count { try await Task.sleep(for: .milliseconds(1)) } }
  }

  private final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var numbers: [Int] = []
    var all: [Int] { lock.withLock { numbers } }
    func append(_ number: Int) { lock.withLock { numbers.append(number) } }
  }

  @Test func `threads and calls with await have their turn in the order in which they were requested`() async throws {
    let (line, log) = (CallLine(places: 1, "the place", stallTimeout: hour), Log())
    let held = Held(line)
    let priorities: [TaskPriority] = [.high, .background, .medium, .low]
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<100 {
      if number % 3 == 0 {
        Thread.detachNewThread { try? line.run(.statement, by: nil) { log.append(number) } }
      } else {
        tasks.append(
          Task(priority: priorities[number % 4]) {
            try await line.perform(.asyncWrite, by: nil, isolation: nil) { log.append(number) }
          })
      }
      try await held.waits(for: number + 1)
    }
    held.release()
    for task in tasks { try await task.value }
    try line.run(.statement, by: nil) {}
    #expect(log.all == Array(0..<100))
  }

  @Test(arguments: 0..<20)
  func `calls that are cancelled leave the line at once, and the others keep their order`(_ seed: Int) async throws {
    var random = RandomSource(seed: UInt64(seed))
    let (line, log) = (CallLine(places: 1, "the place", stallTimeout: hour), Log())
    let held = Held(line)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<50 {
      tasks.append(Task { try await line.perform(.asyncWrite, by: nil, isolation: nil) { log.append(number) } })
      try await held.waits(for: number + 1)
    }
    let leaving = Set((0..<30).map { _ in Int(random.next() % 50) })
    for number in leaving {
      tasks[number].cancel()
      // While the place is held, nothing else could end it.
      await #expect(throws: CancellationError.self) { try await tasks[number].value }
    }
    #expect(line.waitingCount == 50 - leaving.count)
    held.release()
    for number in 0..<50 where !leaving.contains(number) { try await tasks[number].value }
    #expect(log.all == (0..<50).filter { !leaving.contains($0) })
  }

  @Test func `no more threads work for calls with await than there are places, whatever places they are`() async throws {
    let (line, log) = (CallLine(places: 3, "a place", stallTimeout: hour), Log())
    try await withThrowingTaskGroup(of: Void.self) { group in
      let gate = DispatchSemaphore(value: 0)
      for _ in 0..<200 {
        group.addTask {
          try await line.perform(.asyncRead, by: nil, isolation: nil) {
            log.append(1)
            gate.wait()
          }
        }
      }
      while log.all.count + line.waitingCount < 200 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(log.all.count == 3)
      for _ in 0..<200 { gate.signal() }
      try await group.waitForAll()
    }
    #expect(log.all.count == 200)
  }

  #if os(Linux)
    /// One task that is busy and one endless statement would take all threads of two processors, and the task that is to cancel it has
    /// none.
    @Test(arguments: [1, 4])
    func `a call with await runs on no thread that Swift's concurrency shares`(_ places: Int) async throws {
      let line = CallLine(places: places, "a place", stallTimeout: hour)
      let names = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await line.perform(.asyncRead, by: nil, isolation: nil) {
              try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
            }
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      // libdispatch names its threads after the pool: those beyond the shared ones “-qos.overcommit”, the shared ones “oot.default-qos”.
      #expect(!names.isEmpty && names.allSatisfy { $0.hasSuffix("overcommit") }, "\(names)")
    }
  #endif

  @Test func `a wait ends when nobody gives a place back for too long, and the error names who holds them`() async throws {
    let line = CallLine(places: 2, "any connection that reads", stallTimeout: .milliseconds(30))
    let held = Held(line, places: 2)
    for _ in 0..<3 {
      let fromThread = #expect(throws: DAOError.self) { try line.run(.statement, by: nil) {} }
      let awaited = await #expect(throws: DAOError.self) { try await line.perform(.asyncRead, by: nil, isolation: nil) {} }
      for case .timedOut(let timeout, let message)? in [fromThread, awaited] {
        #expect(timeout == .connection)
        #expect(message.contains("any connection that reads"))
        #expect(message.components(separatedBy: "write { } on thread ").count == 3, "\(message)")
      }
    }
    held.release(2)
    try line.run(.statement, by: nil) {}
    #expect(try await line.perform(.asyncRead, by: nil, isolation: nil) { 1 } == 1)
  }

  @Test func `a wait ends by its deadline, and later waits go on`() async throws {
    let line = CallLine(places: 1, "the place", stallTimeout: hour)
    let held = Held(line)
    let patient = Task { try await line.perform(.asyncRead, by: nil, isolation: nil) { 1 } }
    try await held.waits(for: 1)
    await #expect(throws: DAOError.self) {
      try await line.perform(.asyncRead, by: TimeLimit(.milliseconds(10), .deadline), isolation: nil) {}
    }
    #expect(throws: DAOError.self) { try line.run(.statement, by: TimeLimit(.milliseconds(10), .deadline)) {} }
    #expect(line.waitingCount == 1)
    held.release()
    #expect(try await patient.value == 1)
  }

  @Test func `a call that has a place of the line is not to wait for another`() async throws {
    let line = CallLine(places: 1, "the place", stallTimeout: .milliseconds(50))
    let value = try await line.perform(.asyncWrite, by: nil, isolation: nil) {
      try line.run(.statement, by: nil) { try line.run(.statement, by: nil) { 7 } }
    }
    #expect(value == 7)
    // What is not to be interrupted works for the same call.
    let again = try await line.perform(.asyncWrite, by: nil, isolation: nil) {
      try BlockedThread.uninterrupted { try line.run(.statement, by: nil) { 8 } }
    }
    #expect(again == 8)
    #expect(throws: DAOError.self) { try line.run(.statement, by: nil) { try line.run(.statement, by: nil) {} } }
  }

  @Test(arguments: 0..<40)
  func `of random requests, cancellations and deadlines each call runs once or fails, and every place is free at the end`(_ seed: Int)
    async throws
  {
    var random = RandomSource(seed: UInt64(seed))
    let places = Int(random.next() % 4) + 1
    let (line, log) = (CallLine(places: places, "a place", stallTimeout: hour), Log())
    var expected = 0
    var tasks: [(Task<Bool, Never>, Bool)] = []
    for number in 0..<200 {
      let (isThread, cancels, limit) = (random.next() % 4 == 0, random.next() % 3 == 0, random.next() % 5 == 0)
      let deadline = limit ? TimeLimit(.microseconds(Int(random.next() % 500)), .deadline) : nil
      if isThread {
        // Not a queue's: libdispatch has no more than 255.
        let task = Task {
          await withCheckedContinuation { ended in
            Thread.detachNewThread {
              try? line.run(.statement, by: nil) { log.append(number) }
              ended.resume()
            }
          }
          return true
        }
        expected += 1
        tasks.append((task, true))
      } else {
        let task = Task {
          do {
            try await line.perform(.asyncRead, by: deadline, isolation: nil) { log.append(number) }
            return true
          } catch { return false }
        }
        if cancels { task.cancel() }
        tasks.append((task, false))
      }
    }
    var ran = 0
    for (task, _) in tasks { ran += await task.value ? 1 : 0 }
    #expect(log.all.count == ran)
    #expect(Set(log.all).count == ran)
    #expect(ran >= expected)
    // Each place is free: as many calls hold one at once as there are.
    let held = Held(line, places: places)
    #expect(line.waitingCount == 0)
    held.release(places)
  }
}
