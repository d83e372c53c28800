import DAOKit
import Foundation

/// Calls that are cancelled while they wait or run.
struct Cancellations {
  private let folder: URL

  init(in folder: URL) { self.folder = folder }

  func measure() async throws -> [(String, Duration)] {
    let factory = try store(folder)
    let items = factory.runtimeDAO(Item.self)
    try await items.insert((0..<2000).map { Item("\($0)") })
    try await items.execute(
      "CREATE VIEW pair AS SELECT one.id AS id, one.name || other.name || third.name AS name FROM item one, item other, item third")
    let pairs = try await Task.detached { try factory.runtimeDAO("pair") }.value
    let writer: @Sendable () -> Session = { Session { hold in try factory.write { _ in hold() } } }
    return [
      ("control: a task that sleeps", try await most { try await Task.sleep(for: .seconds(100)) }),
      ("a wait for the writer", try await most(beside: writer) { try await items.insert(Item("x")) }),
      ("findAll", try await most { _ = try await pairs.findAll(.where { $0.name == "none" }) }),
      ("findAll, sorted", try await most { _ = try await pairs.findAll(.all.order(by: .ascending(.field("name")))) }),
      ("count", try await most { _ = try await pairs.count(.where { $0.name != "none" }) }),
      ("a report", try await most { _ = try await pairs.dictionaries(.all.project(.aggregate(.max, "name"))) }),
      ("a stream", try await most { for try await _ in pairs.stream() {} }),
      (
        "a write",
        try await most { try await items.execute("INSERT INTO item (name) SELECT name FROM pair") }
      ),
    ]
  }

  private func most(
    beside session: (@Sendable () -> Session)? = nil, _ call: @escaping @Sendable () async throws -> Void
  ) async throws -> Duration {
    var most = Duration.zero
    for round in 0..<10 {
      let held = session?()
      let task = Task { try await call() }
      try await Task.sleep(for: .milliseconds(20 + 7 * round))
      let start = ContinuousClock.now
      task.cancel()
      _ = await task.result
      most = max(most, start.duration(to: .now))
      held?.release()
    }
    return most
  }
}
