import DAOKit
import DAORandomSessions
import Foundation
import TestCases
import Testing

/// What `Scripts/fuzz-sessions` does, for a thousand steps.
@Suite("Writers beside each other")
struct RandomSessionsTests {
  @Test(arguments: [(1, 200), (8, 1000)])
  func `keep their rows as they have to be, and lists, live queries and copies follow each commit`(writers: Int, few: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("DAOKitTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let counts = try await RandomSessions(writers: writers, seed: TestCases.seed, in: folder).run(
      steps: TestCases.count(20_000, inSuite: few))
    print(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    // Each way of writing was tried.
    for name in [
      "edits", "sessions", "savepoints rolled back", "sessions rolled back", "stale writes", "conflicts", "shared edits", "units",
      "edits in units", "undone", "redone", "units rolled back", "children", "children committed", "children dropped", "commits", "reads",
      "differences", "copies read again",
    ] where writers > 1 {
      #expect(counts[name, default: 0] > 0, "\(name)")
    }
  }
}
