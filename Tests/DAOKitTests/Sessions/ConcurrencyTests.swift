import DAOKit
import Foundation
import Testing

@Suite("Many at once")
struct ConcurrencyTests {
  @Test func `readers see every transaction whole while one writes`() async throws {
    let file = try FileStore()
    let factory = file.factory
    let zones = file.zones
    try await zones.insert((0..<20).map { Zone("\($0)", 0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...60 {
          try factory.write { (session) throws in
            let zones = session.runtimeDAO(Zone.self)
            for id in Int64(1)...20 { try zones.update(.where(\.id == id), set: .set(\.offset, to: round)) }
          }
        }
      }
      for reader in 0..<6 {
        group.addTask {
          for _ in 0..<60 {
            let offsets =
              switch reader % 3 {
              case 0: try await zones.findAll().map(\.offset)
              case 1: try await zones.find(Array(1...20)).map(\.offset)
              default:
                try await factory.read { (session) throws in
                  let zones = session.runtimeDAO(Zone.self)
                  return try (1...20).map { try zones.find($0).offset }
                }
              }
            #expect(offsets.count == 20 && Set(offsets).count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Set(zones.findAll().map(\.offset)) == [60])
  }

  @Test(arguments: [true, false])
  func `no update is lost where many tasks read and write in sessions`(_ inFile: Bool) async throws {
    let file = try FileStore()
    let factory = inFile ? file.factory : try TestStore().factory
    let zones = factory.runtimeDAO(Zone.self)
    try await zones.insert(Zone("counter", 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try await factory.write { (session) throws in
              let zones = session.runtimeDAO(Zone.self)
              var counter = try zones.find(1)
              counter.offset += 1
              try zones.update(counter)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await zones.find(1).offset == 200)
  }

  @Test func `many threads with plain DAOs over one factory`() throws {
    let file = try FileStore()
    let zones = file.zones
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      do {
        let zone = try zones.insert(Zone("\(number)", number))
        #expect(try zones.find(zone.id ?? 0) == zone)
        #expect(try zones.count(.where(\.name == "\(number)")) == 1)
        try zones.update(.where(\.name == "\(number)"), set: .set(\.comment, to: "x"))
      } catch { Issue.record(error) }
    }
    #expect(try zones.count(.where(\.comment == "x")) == 200)
  }

  @Test func `a task that was cancelled before it started changes nothing`() async throws {
    let store = try TestStore.zones()
    let (factory, zones) = (store.factory, store.zones)
    let task = Task<Void, Never> {
      withUnsafeCurrentTask { $0?.cancel() }
      let calls: [@Sendable () async throws -> Void] = [
        { try await zones.insert(Zone("x", 1)) }, { try await zones.delete(1) }, { try await zones.update(Zone(id: 1, "x", 1)) },
        { _ = try await factory.write { try $0.runtimeDAO(Zone.self).insert(Zone("y", 1)) } }, { _ = try await zones.count() },
        { _ = try await factory.read { _ in } },
      ]
      for call in calls { await #expect(throws: CancellationError.self) { try await call() } }
    }
    await task.value
    #expect(try await zones.findAll().map(\.name) == Zone.samples.map(\.name))
  }

  @Test func `a task that is cancelled while it waits for its turn changes nothing`() async throws {
    let store = try TestStore.zones()
    let zones = store.zones
    let task = try insertCancelled(store)
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await zones.count() == 6)
  }

  /// A task that inserts, started and cancelled while a session has the store.
  private func insertCancelled(_ store: TestStore) throws -> Task<Zone, any Error> {
    let zones = store.zones
    return try store.factory.write { _ in
      let task = Task { try await zones.insert(Zone("x", 1)) }
      // Long enough for the task to be waiting; where it is not yet, it is cancelled before it starts.
      Thread.sleep(forTimeInterval: 0.1)
      task.cancel()
      return task
    }
  }
}
