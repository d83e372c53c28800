import DAOKit
import Foundation

/// Commits of another connection, which to SQLite is what another process has, until a follower of the store is told of them.
struct Noticing {
  private let folder: URL

  init(in folder: URL) { self.folder = folder }

  /// The middle and the most of all rounds.
  func measure() async throws -> [(String, Duration)] {
    let url = folder.appendingPathComponent("followed.sqlite")
    let followed = try await Task.detached { try DAOFactory(store: .file(url), entities: Item.self) }.value
    let other = try await Task.detached { try DAOFactory(store: .file(url), entities: Item.self) }.value.runtimeDAO(Item.self)
    let changes = try await Task.detached { try followed.changes(of: Item.self) }.value
    var loop = changes.makeAsyncIterator()
    var times: [Duration] = []
    for round in 0..<40 {
      // In one of eight rounds after so long that nobody looks at the file any more.
      try await Task.sleep(for: round % 8 == 0 ? .seconds(4) : .milliseconds(30 + 17 * round))
      try await other.insert(Item("\(round)"))
      let start = ContinuousClock.now
      guard await loop.next()?[Item.self].needsReload == true else { fatalError("it is not told to reload") }
      times.append(start.duration(to: .now))
    }
    times.sort()
    return [("the middle of \(times.count)", times[times.count / 2]), ("the most", times[times.count - 1])]
  }
}
