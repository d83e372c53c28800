import DAOKit
import Foundation
import TestCases

/// Several writers who change one store side by side, in each way that there is, while lists, live queries and copies follow.
///
/// The writers do some steps at once; then all wait until what follows has settled, and is what the store has.
package final class RandomSessions {
  private let factory: DAOFactory
  private let folder: URL
  private let writers: [SessionWriter]
  private var random: RandomSource
  private var results: [any FollowedResult] = []
  private var rounds = 0

  /// - Parameters:
  ///   - writers: how many; one alone does the same in each run of a seed.
  ///   - folder: where the store is made.
  package init(writers count: Int, seed: UInt64, in folder: URL) throws {
    self.folder = folder
    factory = try DAOFactory(
      store: .file(folder.appendingPathComponent("sessions.sqlite")), describedBy: Kinds.all.map { $0.entity })
    var random = RandomSource(seed: seed)
    let factory = factory
    writers = (1...count).map { SessionWriter($0, factory, seed: random.next()) }
    self.random = random
  }

  /// Takes steps, a few of each writer in a round.
  /// - Returns: how often what was done, by its name.
  package func run(steps: Int, progress: (Int) -> Void = { _ in }) async throws -> [String: Int] {
    follow()
    var copies = [
      try FeedCopy(factory, attributes: false, buffering: 100_000, mayReload: false),
      try FeedCopy(factory, attributes: true, buffering: 100_000, mayReload: false),
      try FeedCopy(factory, attributes: true, buffering: 8, mayReload: true),
    ]
    var taken = 0
    while taken < steps {
      let each = 1 + random.below(6)
      try await step(each)
      taken += each * writers.count
      try await settle(&copies)
      progress(taken)
    }
    try await onThread { [writers] in for writer in writers { try writer.finish() } }
    try await settle(&copies)
    let report = try await factory.examine()
    if !report.isHealthy { throw TestCases.Difference("the doctor finds \(report)") }
    var counts = ["steps": taken, "rounds": rounds, "commits followed": copies[0].sets, "copies read again": copies[2].reloads]
    for writer in writers { counts.merge(writer.counts) { $0 + $1 } }
    for result in results {
      counts["results", default: 0] += result.figures.results
      counts["differences", default: 0] += result.figures.differences
    }
    results = []
    try await factory.close()
    return counts
  }

  /// A few steps of each writer, on a thread of its own.
  private func step(_ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in writers {
        group.addTask { try await onThread { for _ in 0..<count { try writer.step() } } }
      }
      try await group.waitForAll()
    }
  }

  /// Adds a shelf of nobody's, and waits until what follows the commits is there too.
  private func settle(_ copies: inout [FeedCopy]) async throws {
    rounds += 1
    // A key that no row had before.
    let key = Int64(-rounds)
    try await onThread { [factory] in
      let shelves = factory.items(Shelf.self)
      // One is kept, so that lists stay short.
      try shelves.delete(.where { $0.owner == -1 })
      var shelf = Item<Shelf>("round \(key)", of: -1, 0, in: nil)
      shelf.id = key
      try shelves.insert(shelf)
    }
    for number in copies.indices { try await copies[number].settle(upTo: key) }
    for result in results { try await result.settle() }
  }

  /// Lists of each kind, and other live queries.
  private func follow() {
    func follow<Kind: ItemKind>(_ kind: Kind.Type) {
      let dao = factory.items(kind)
      let name = kind.entity.name
      results += [
        FollowedList("\(name), by owner", dao.fetchedResults(.all.order(by: \.number, \.label), sections: \.owner)),
        FollowedList(
          "\(name), above 50", dao.fetchedResults(.where { $0.number > 50 }.order(by: .descending(\.number), .ascending(\.label)))),
        FollowedList("\(name), by parent", dao.fetchedResults(.all.order(by: \.parentLabel, \.label), sections: \.parentLabel)),
        FollowedList("\(name), by tens", dao.fetchedResults(.where { $0.owner != 2 }.order(by: \.label), sections: .length(\.label))),
        FollowedList("\(name), the first", dao.fetchedResults(.all.order(by: \.number, \.id).limit(10))),
        FollowedList("\(name), reloading", dao.fetchedResults(.all.order(by: \.label), reloadingAbove: 2)),
        FollowedList(
          "\(name), a window", dao.fetchedResults(.all.order(by: \.label), window: 5), within: dao.fetchedResults(.all.order(by: \.label))),
      ]
      for owner in 0...writers.count {
        let query = dao.fetchedResults(.where { $0.owner == owner }.order(by: .descending(\.label)), sections: \.parentID)
        results.append(FollowedList("\(name) of \(owner)", query))
      }
      let counts = factory.observe { session in
        try session.items(kind).project(.group(by: \.owner), .count).map { "\($0.0): \($0.1)" }.sorted()
      }
      results.append(FollowedQuery("counts of \(name)", counts))
      let texts = factory.observe { session in
        try session.items(kind).findAll(.where { $0.parentNumber >= 20 }.order(by: \.id)).map(\.text)
      }
      results.append(FollowedQuery("\(name) of others", texts))
    }
    for kind in Kinds.all { follow(kind) }
  }
}
