import DAOKit
import Foundation
import TestCases
import Testing

@Suite("A store that is suspended", .timeLimit(.minutes(60)))
struct SuspensionTests {
  /// The system's locks on the store's files.
  func locks(_ url: URL) throws -> [String] {
    #if os(Linux)
      let files = ["", "-wal", "-shm", "-journal", ".lock"].compactMap { suffix in
        (try? FileManager.default.attributesOfItem(atPath: url.path + suffix))?[.systemFileNumber].map { "\($0)" }
      }
      // Foundation takes the first piece for all of a file without a size.
      let list = try #require(fopen("/proc/locks", "r"))
      defer { fclose(list) }
      var (line, capacity) = (nil as UnsafeMutablePointer<CChar>?, 0)
      defer { free(line) }
      var found: [String] = []
      while getline(&line, &capacity, list) > 0, let text = line.map({ String(cString: $0) }) {
        if files.contains(where: { text.contains(":\($0) ") }) { found.append(text) }
      }
      return found
    #else
      return []
    #endif
  }

  // Where the function with await would be meant.
  func suspend(_ factory: DAOFactory, within limit: Duration = .seconds(3600)) throws { try factory.suspend(within: limit) }
  func count(_ factory: DAOFactory) throws -> Int { try factory.runtimeDAO(Zone.self).count() }

  func isSuspended(_ error: any Error) -> Bool { if case DAOError.suspended = error { true } else { false } }

  @Test(arguments: TestCases.some(EndlessStore.calls, every: 3))
  func `ends what runs, rolls it back, holds no lock and refuses calls until it goes on`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore()
    for wait in [Duration.milliseconds(40), .zero] {
      let task = Task { try await call.run(store) }
      try await Task.sleep(for: wait)
      try await store.factory.suspend(within: .seconds(3600))
      #expect(try locks(store.url) == [])
      await #expect(performing: { try await task.value }, throws: isSuspended)
      await #expect(performing: { try await call.run(store) }, throws: isSuspended)
      #expect(performing: { try count(store.factory) }, throws: isSuspended)
      await #expect(performing: { try await store.zones.insert(Zone("x", 0)) }, throws: isSuspended)
      #expect(try locks(store.url) == [])
      try store.factory.resume()
    }
    #expect(try await store.isAsNew())
  }

  @Test func `the locks are seen while it is not`() throws {
    #if os(Linux)
      let store = try EndlessStore()
      try store.zones.update(.where(\.id < 2), set: .set(\.offset, to: 3))
      #expect(try locks(store.url) != [])
      try store.factory.suspend()
      #expect(try locks(store.url) == [])
      // What was committed is in the WAL still: to fold it in takes time, and locks.
      let size = try FileManager.default.attributesOfItem(atPath: store.url.path + "-wal")[.size] as? Int
      #expect((size ?? 0) > 0)
      try store.factory.resume()
      #expect(try store.zones.count(.where(\.offset == 3)) == 1)
    #endif
  }

  @Test(arguments: EndlessStore.writes)
  func `ends waits for the writer and for another process's lock`(_ call: EndlessStore.Call) async throws {
    let store = try EndlessStore()
    let other = try OtherWriter(store.url)
    let tasks = (0..<3).map { _ in Task { try await call.run(store) } }
    try await Task.sleep(for: .milliseconds(20))
    // The lock is still held.
    try await store.factory.suspend(within: .seconds(3600))
    for task in tasks { await #expect(performing: { try await task.value }, throws: isSuspended) }
    try other.end()
    try store.factory.resume()
    #expect(try await store.isAsNew())
  }

  @Test func `ends waits for a connection that reads, with a thread or without, though those who have them go on`() async throws {
    let store = try EndlessStore()
    let held = (0..<max(4, ProcessInfo.processInfo.activeProcessorCount)).map { _ in
      Held { end in try store.factory.read { _ in end() } }
    }
    let tasks = (0..<10).map { _ in Task { _ = try await store.zones.count() } }
    try await Task.sleep(for: .milliseconds(20))
    await #expect(throws: DAOError.self) { try await store.factory.suspend(within: .milliseconds(20)) }
    for task in tasks { await #expect(performing: { try await task.value }, throws: isSuspended) }
    for held in held { held.release() }
    try await store.factory.suspend(within: .seconds(3600))
    #expect(try locks(store.url) == [])
    try store.factory.resume()
    #expect(try await store.isAsNew())
  }

  @Test func `waits for a closure, whose next call throws; its lock goes when it returns`() async throws {
    let store = try EndlessStore()
    let (inside, goOn, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (error, factory) = (Caught(), store.factory)
    Thread.detachNewThread {
      do {
        try factory.write { (session) throws in
          try session.runtimeDAO(Zone.self).insert(Zone("before", 0))
          inside.signal()
          goOn.wait()
          try session.runtimeDAO(Zone.self).insert(Zone("after", 0))
        }
      } catch let thrown { error.set(thrown) }
      ended.signal()
    }
    inside.wait()
    let waiting = Task { try await store.zones.insert(Zone("waiting", 0)) }
    try await Task.sleep(for: .milliseconds(20))
    #expect {
      try suspend(store.factory, within: .milliseconds(20))
    } throws: {
      if case DAOError.timedOut(_, let message) = $0 { message.hasSuffix("there was still a call that writes") } else { false }
    }
    // Nobody waits for the closure in vain.
    await #expect(performing: { try await waiting.value }, throws: isSuspended)
    goOn.signal()
    ended.wait()
    #expect(error.value.map(isSuspended) == true)
    #expect(try locks(store.url) == [])
    try await store.factory.suspend()
    try store.factory.resume()
    #expect(try await store.isAsNew())
  }

  // Each of these waits longer than any test: what waits for the closure does not end.
  @Test func `beside a closure that goes on, closing ends at its limit or is cancelled, reads go on, resuming waits for nobody`()
    async throws
  {
    let store = try EndlessStore()
    let held = Held { end in try store.factory.write { _ in end() } }
    await #expect(throws: DAOError.self) { try await store.factory.close(within: .milliseconds(20)) }
    #expect(try count(store.factory) == Zone.samples.count)
    let closing = Task { try await store.factory.close(within: .seconds(3600)) }
    try await Task.sleep(for: .milliseconds(20))
    closing.cancel()
    await #expect(throws: CancellationError.self) { try await closing.value }
    #expect(try count(store.factory) == Zone.samples.count)
    await #expect(throws: DAOError.self) { try await store.factory.suspend(within: .milliseconds(20)) }
    #expect(performing: { try count(store.factory) }, throws: isSuspended)
    try store.factory.resume()
    #expect(try count(store.factory) == Zone.samples.count)
    held.release()
    try await store.factory.write { _ in try store.factory.resume() }
    #expect(try await store.isAsNew())
  }

  @Test func `what is resumed while it is still being suspended goes on, and is not suspended again`() async throws {
    for _ in 0..<20 {
      let store = try TestStore.zones()
      let suspending = Task { try await store.factory.suspend(within: .seconds(3600)) }
      // One call is refused: now it is suspended.
      while (try? await store.zones.count()) != nil { await Task.yield() }
      try store.factory.resume()
      try await suspending.value
      #expect(try await store.zones.count() == Zone.samples.count)
    }
  }

  @Test(arguments: [false, true])
  func `beside a suspension that waits for a closure, resuming waits for nobody, inside of that closure too`(isInside: Bool) async throws {
    let store = try EndlessStore()
    let (inside, goOn, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let factory = store.factory
    Thread.detachNewThread {
      try? factory.write { _ in
        inside.signal()
        goOn.wait()
        if isInside { try factory.resume() }
      }
      ended.signal()
    }
    inside.wait()
    let suspending = Task { try await factory.suspend(within: .seconds(3600)) }
    while (try? await store.zones.count()) != nil { await Task.yield() }
    if !isInside {
      // The closure goes on after it, for which the suspension waits.
      try factory.resume()
      #expect(try await store.zones.count() == Zone.samples.count)
    }
    goOn.signal()
    ended.wait()
    try await suspending.value
    #expect(try await store.isAsNew())
  }

  @Test func `a task that was cancelled before suspends all the same`() async throws {
    let store = try EndlessStore()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.factory.suspend(within: .seconds(3600))
    }
    try await task.value
    #expect(try locks(store.url) == [])
    try store.factory.resume()
    #expect(try await store.isAsNew())
  }

  @Test func `suspended and resumed by many at once, it goes on`() async throws {
    let store = try EndlessStore()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          for _ in 0..<20 {
            if number % 2 == 0 { try? await store.factory.suspend(within: .seconds(3600)) } else { try? store.factory.resume() }
          }
        }
      }
    }
    try store.factory.resume()
    #expect(try await store.isAsNew())
  }

  @Test func `a call inside a closure of the store, which would wait for itself, is misuse and suspends nothing`() async throws {
    let store = try EndlessStore()
    try await store.factory.write { (session) throws in
      #expect {
        try suspend(store.factory)
      } throws: {
        if case DAOError.misuse = $0 { true } else { false }
      }
      try session.runtimeDAO(Zone.self).update(.where(\.id < 2), set: .set(\.offset, to: 0))
    }
    #expect(try await store.isAsNew())
  }

  @Test func `a first copy that is suspended leaves nothing, and is made when it goes on`() throws {
    let seed = FileManager.default.temporaryDirectory.appendingPathComponent("dao-seed-\(UUID().uuidString).sqlite")
    try EndlessStore().factory.backUp(to: seed)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dao-suspended-\(UUID().uuidString)")
    defer { for url in [seed, folder] { try? FileManager.default.removeItem(at: url) } }
    let suspension = Suspension()
    let done = DispatchSemaphore(value: 0)
    let store = StoreDescription.file(folder.appendingPathComponent("store"), seed: .file(seed)) { copied, _ in
      if copied > 0 || suspension.isSuspended { return }
      Thread.detachNewThread {
        try? suspension.suspend(within: .seconds(3600))
        done.signal()
      }
      while !suspension.isSuspended { Thread.sleep(forTimeInterval: 0.001) }
    }.following(suspension)
    // Where blocks are shared, nothing is told before the end.
    func open() throws -> DAOFactory { try DAOFactory(store: store, entities: Zone.self) }
    #expect(performing: { _ = try open() }, throws: isSuspended)
    try #require(suspension.isSuspended)
    done.wait()
    #expect(performing: { _ = try open() }, throws: isSuspended)
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] == [])
    suspension.resume()
    let calm = StoreDescription.file(folder.appendingPathComponent("store"), seed: .file(seed)).following(suspension)
    #expect(try count(DAOFactory(store: calm, entities: Zone.self)) == Zone.samples.count)
  }

  @Test func `its own limit ends a suspension, and no deadline around it`() throws {
    let store = try EndlessStore()
    let held = Held { end in try store.factory.write { _ in end() } }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      #expect(throws: Never.self) { try withDeadline(.milliseconds(10)) { try store.factory.suspend(within: .seconds(3600)) } }
      ended.signal()
    }
    Thread.sleep(forTimeInterval: 0.05)
    held.release()
    ended.wait()
    try store.factory.resume()
    #expect(try store.zones.count() == Zone.samples.count)
  }

  @Test func `in memory it keeps its rows; a stream has ended; it can be closed, and opens again when it goes on`() async throws {
    let memory = try DAOFactory(store: .inMemory(), entities: Zone.self)
    try await memory.runtimeDAO(Zone.self).insert(Zone.samples)
    try await memory.suspend()
    #expect(performing: { try count(memory) }, throws: isSuspended)
    try memory.resume()
    #expect(try count(memory) == Zone.samples.count)

    let store = try EndlessStore()
    var stream = store.endless.stream(.where { $0.id > 0 }).makeAsyncIterator()
    #expect(try await stream.next() != nil)
    try await store.factory.suspend()
    #expect(try locks(store.url) == [])
    await #expect(performing: { while try await stream.next() != nil {} }, throws: isSuspended)
    try await store.factory.close()
    await #expect(performing: { _ = try await store.factory.reopen() }, throws: isSuspended)
    try store.factory.resume()
    #expect {
      try count(store.factory)
    } throws: {
      if case DAOError.closed = $0 { true } else { false }
    }
    try await store.factory.reopen()
    #expect(try await store.isAsNew())
  }

  @Test func `it follows notifications`() throws {
    let (away, back) = (Notification.Name("away \(UUID())"), Notification.Name("back \(UUID())"))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("dao-suspended-\(UUID().uuidString).sqlite")
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
    let suspension = Suspension(suspendingOn: [away], resumingOn: [back])
    let zones = try DAOFactory(store: .file(url).following(suspension), entities: Zone.self).runtimeDAO(Zone.self)
    try zones.insert(Zone.samples)
    NotificationCenter.default.post(name: away, object: nil)
    #expect(performing: { try zones.count() }, throws: isSuspended)
    #expect(try locks(url) == [])
    NotificationCenter.default.post(name: back, object: nil)
    #expect(try zones.count() == Zone.samples.count)
  }
}

final class Caught: @unchecked Sendable {
  private let lock = NSLock()
  private var error: (any Error)?
  var value: (any Error)? { lock.withLock { error } }
  func set(_ error: any Error) { lock.withLock { self.error = error } }
}
