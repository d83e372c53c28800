import DAOKit
import Foundation
import Testing

@Suite("While calls wait for the writer", .serialized, .timeLimit(.minutes(60)))
struct ResponsivenessTests {
  enum Kind: CaseIterable { case file, memory, evaluator }

  static let priorities: [TaskPriority] = [.high, .medium, .low, .background]

  @Test(arguments: Kind.allCases, [2, 6, 64])
  func `tasks, sleeps, reads, other stores and queues answer before the writer is free`(_ kind: Kind, _ count: Int) async throws {
    let file = try FileStore()
    let factory: DAOFactory =
      switch kind {
      case .file: file.factory
      case .memory: try TestStore().factory
      case .evaluator: try DAOFactory(store: .evaluator, entities: Zone.self)
      }
    let zones = factory.runtimeDAO(Zone.self)
    let (begun, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      do {
        try factory.write { _ in
          begun.signal()
          release.wait()
        }
      } catch { Issue.record(error) }
    }
    begun.wait()
    var waiting: [Task<Zone, any Error>] = []
    for number in 0..<count {
      waiting.append(Task(priority: Self.priorities[number % 4]) { try await zones.insert(Zone("waiting \(number)", number)) })
    }
    // All that follows has to answer while the writer is held: it is released after it.
    for priority in Self.priorities {
      await Task(priority: priority) {}.value
      try await Task.detached(priority: priority) { try await Task.sleep(for: .milliseconds(1)) }.value
      if kind == .file { #expect(try await Task(priority: priority) { try await zones.count() }.value == 0) }
    }
    let other = try FileStore()
    try await other.zones.insert(Zone("other", 1))
    #expect(try await other.zones.count() == 1)
    for quality in [DispatchQoS.QoSClass.userInitiated, .default, .utility, .background] {
      await withCheckedContinuation { answered in DispatchQueue.global(qos: quality).async { answered.resume() } }
    }
    release.signal()
    var inserted = 0
    for task in waiting {
      // On a machine that is very busy all this may take longer than a call waits at most.
      do { inserted += try await task.value.id == nil ? 0 : 1 } catch DAOError.timedOut(.connection, _) {}
    }
    #expect(try await zones.count() == inserted)
  }
}
