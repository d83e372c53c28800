import DAOCriteria
import DAOSQL
import DAOWaiting
import Foundation
import Testing

@testable import DAOSQLite

@Suite("Connections that are kept from call to call")
struct LeaseTests {
  let folder: SQLiteEngineTests.Folder
  let pool: ReaderPool
  let engine: SQLiteEngine

  init() throws {
    folder = try SQLiteEngineTests.Folder()
    let url = try folder.store()
    engine = try SQLiteEngine(opening: url)
    let path = SQLiteConfiguration.uri(url, "mode=ro")
    pool = ReaderPool(stallTimeout: .seconds(3600)) {
      try SerialConnection(path: path, SQLiteConfiguration(statements: nil), isReadOnly: true)
    }
  }

  @Test func `a lease takes an idle connection or opens one, and gives it back when it goes away`() throws {
    try pool.lend(for: engine, .statement) { _ in }
    #expect(pool.idleCount == 1)
    do {
      let first = try ReaderLease(from: pool, of: engine)
      #expect(pool.idleCount == 0)
      let second = try ReaderLease(from: pool, of: engine)
      #expect(try first.run { try $0.schema().tables.map(\.name) } == ["t"])
      #expect(try second.run { try $0.schema().tables.map(\.name) } == ["t"])
      withExtendedLifetime((first, second)) {}
    }
    #expect(pool.idleCount == 2)
  }

  @Test func `leases take no place from those who read, and connections beyond the places close`() throws {
    var leases = try (0..<50).map { _ in try ReaderLease(from: pool, of: engine) }
    try pool.lend(for: engine, .statement) { _ in try pool.lend(for: engine, .statement) { _ in } }
    #expect(pool.idleCount == 2)
    leases.removeAll()
    #expect(pool.idleCount == max(4, ProcessInfo.processInfo.activeProcessorCount))
  }

  @Test func `calls beyond the places wait`() throws {
    let (peak, done, pool, engine) = (Peak(), DispatchGroup(), pool, engine)
    for _ in 0..<(2 * max(4, ProcessInfo.processInfo.activeProcessorCount)) {
      done.enter()
      Thread.detachNewThread {
        do {
          try pool.lend(for: engine, .statement) { _ in
            peak.change(by: 1)
            Thread.sleep(forTimeInterval: 0.05)
            peak.change(by: -1)
          }
        } catch { Issue.record(error) }
        done.leave()
      }
    }
    done.wait()
    #expect(peak.highest <= max(4, ProcessInfo.processInfo.activeProcessorCount))
    #expect(peak.highest == pool.idleCount)
  }

  @Test func `sessions that each wait for a call on another thread end with an error that names who holds the connections`() throws {
    let path = SQLiteConfiguration.uri(try folder.store("stall.sqlite"), "mode=ro")
    let pool = ReaderPool(stallTimeout: .milliseconds(50)) {
      try SerialConnection(path: path, SQLiteConfiguration(statements: nil), isReadOnly: true)
    }
    let (inside, done, engine, errors) = (DispatchGroup(), DispatchGroup(), engine, Errors())
    for _ in 0..<ReaderPool.placeCount { inside.enter() }
    for _ in 0..<ReaderPool.placeCount {
      done.enter()
      Thread.detachNewThread {
        do {
          try pool.lend(for: engine, .readSession) { _ in
            inside.leave()
            inside.wait()
            let other = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
              do { try pool.lend(for: engine, .statement) { _ in } } catch { errors.append(error) }
              other.signal()
            }
            other.wait()
          }
        } catch { Issue.record(error) }
        done.leave()
      }
    }
    done.wait()
    // One fails at least; its session's connection may then serve the others.
    #expect(!errors.all.isEmpty)
    for error in errors.all {
      guard case DAOError.timedOut(.connection, let message) = error else {
        Issue.record(error)
        continue
      }
      #expect(message.contains("any connection that reads") && message.contains("read { } on thread "), "\(message)")
    }
    #expect(try pool.lend(for: engine, .statement) { _ in true })
  }

  private final class Errors: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [any Error] = []
    var all: [any Error] { lock.withLock { errors } }
    func append(_ error: any Error) { lock.withLock { errors.append(error) } }
  }

  @Test func `a thread gets the connection that it used last, and a new thread the one that was used last of all`() async throws {
    func connection(on thread: (@escaping @Sendable () -> Void) -> Void) async throws -> ObjectIdentifier {
      let (pool, engine) = (pool, engine)
      return try await withCheckedThrowingContinuation { found in
        thread { found.resume(with: Result { try pool.lend(for: engine, .statement) { ObjectIdentifier($0) } }) }
      }
    }
    let (one, other, third) = (OneThread(), OneThread(), OneThread())
    defer { for thread in [one, other, third] { thread.end() } }
    let first = try await connection(on: one.perform)
    let held = try pool.take(for: engine)
    #expect(ObjectIdentifier(held) == first)
    let second = try await connection(on: other.perform)
    #expect(second != first)
    // Given back by a third thread, it is the one that was used last.
    await withCheckedContinuation { done in
      third.perform { [pool] in
        pool.giveBack(held)
        done.resume()
      }
    }
    #expect(try await connection(on: other.perform) == second)
    #expect(try await connection(on: third.perform) == first)
    #expect(try await connection(on: one.perform) == first)
    #expect(try await connection(on: other.perform) == second)
  }

  /// A thread that runs what it is handed.
  private final class OneThread: @unchecked Sendable {
    private let work = NSCondition()
    // Guarded by the condition.
    private var bodies: [@Sendable () -> Void] = []
    private var isOver = false

    init() { Thread.detachNewThread { [self] in while let body = next() { body() } } }

    func perform(_ body: @escaping @Sendable () -> Void) {
      work.withLock { bodies.append(body) }
      work.signal()
    }

    func end() {
      work.withLock { isOver = true }
      work.signal()
    }

    private func next() -> (@Sendable () -> Void)? {
      work.withLock {
        while bodies.isEmpty, !isOver { work.wait() }
        return bodies.isEmpty ? nil : bodies.removeFirst()
      }
    }
  }

  private final class Peak: @unchecked Sendable {
    private let lock = NSLock()
    // Guarded by the lock.
    private var (now, most) = (0, 0)
    var highest: Int { lock.withLock { most } }
    func change(by step: Int) {
      lock.withLock {
        now += step
        most = max(most, now)
      }
    }
  }

  @Test func `a store that closes waits for a lease that is going away, whose connection is not lent again after it`() throws {
    let (begun, closed) = (DispatchSemaphore(value: 0), DAOError.closed(store: "store"))
    let box = Box(try ReaderLease(from: pool, of: engine))
    box.lease?.held = Slow(begun)
    Thread.detachNewThread { box.lease = nil }
    begun.wait()
    // Nobody takes it back, since nobody has it.
    #expect(pool.close(by: Deadline(.zero), closed) == 1)
    #expect(try pool.lend(for: engine, .statement) { _ in true })
    #expect(pool.close(by: Deadline(.seconds(20)), closed) == 0)
    pool.resume()
    #expect(pool.idleCount == 0)
  }

  private final class Box: @unchecked Sendable {
    var lease: ReaderLease?
    init(_ lease: ReaderLease) { self.lease = lease }
  }

  /// Takes its time to go.
  private final class Slow {
    private let begun: DispatchSemaphore
    init(_ begun: DispatchSemaphore) { self.begun = begun }
    deinit {
      begun.signal()
      Thread.sleep(forTimeInterval: 0.5)
    }
  }

  @Test func `a lease keeps its store open, which is one file again after it`() throws {
    let url = try folder.store("closing.sqlite")
    var lease = try SQLiteEngine(opening: url).lease()
    #expect(try lease?.run { try $0.schema().tables.count } == 1)
    #expect(try folder.files.contains("closing.sqlite-wal"))
    lease = nil
    #expect(try folder.files.filter { $0.hasPrefix("closing") } == ["closing.sqlite"])
  }

  @Test func `threads that share a lease take turns`() throws {
    let lease = try ReaderLease(from: pool, of: engine)
    let (inside, done) = (Inside(), DispatchGroup())
    for _ in 0..<4 {
      done.enter()
      Thread.detachNewThread {
        do {
          try lease.run { (connection) throws in
            inside.count += 1
            Thread.sleep(forTimeInterval: 0.01)
            #expect(try lease.run { try $0.schema().tables.count } == 1)
            #expect(inside.count == 1)
            inside.count -= 1
          }
        } catch { Issue.record(error) }
        done.leave()
      }
    }
    done.wait()
  }

  private final class Inside: @unchecked Sendable {
    // Used inside the lease only.
    var count = 0
  }

  @Test func `a store in memory has none to spare`() throws {
    #expect(try SQLiteEngine().lease() == nil)
    #expect(try engine.lease() != nil)
  }
}
