import DAOKit
import Foundation

/// Tasks, queues and calls beside a number of inserts that wait for a writer.
struct Answers {
  static let names = [
    "Task { }", "Task.sleep(for: .milliseconds(1))", "an awaited read", "an awaited insert elsewhere", "DispatchQueue.global()",
  ]
  private static let priorities: [TaskPriority] = [.high, .medium, .low, .background]
  private let waiting: Int
  private let folder: URL

  init(waiting: Int, in folder: URL) {
    self.waiting = waiting
    self.folder = folder
  }

  func measure() async throws -> [Duration] {
    let (factory, other) = (try store(folder), try store(folder))
    let (items, others) = (factory.runtimeDAO(Item.self), other.runtimeDAO(Item.self))
    let writer = waiting > 0 ? Session { hold in try factory.write { _ in hold() } } : nil
    let inserts = (0..<waiting).map { number in
      Task(priority: Self.priorities[number % 4]) { try await items.insert(Item("\(number)")) }
    }
    try await Task.sleep(for: .milliseconds(200))
    let probes: [@Sendable () async throws -> Void] = [
      {}, { try await Task.sleep(for: .milliseconds(1)) }, { _ = try await items.count() }, { try await others.insert(Item("x")) },
      { await withCheckedContinuation { answered in DispatchQueue.global().async { answered.resume() } } },
    ]
    var most = [Duration](repeating: .zero, count: probes.count)
    for _ in 0..<50 {
      for (index, probe) in probes.enumerated() {
        for priority in Self.priorities {
          let start = ContinuousClock.now
          try await Task.detached(priority: priority) { try await probe() }.value
          most[index] = max(most[index], start.duration(to: .now))
        }
      }
    }
    writer?.release()
    for insert in inserts { _ = try await insert.value }
    return most
  }
}
