import DAOKit
import Foundation
import TestCases

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Readers, writers and lists that use one store without a pause, for a given time.
package final class Endurance: Sendable {
  /// What is seen from outside, from second to second.
  package struct Figures: Sendable {
    /// The most memory that the process has had after the first sixth of the time, and at the end, in bytes.
    package var (memoryAtFirst, memory) = (0, 0)
    /// The most that the write-ahead log has had, in bytes.
    package var log = 0
    /// How often what was done.
    package var counts: [String: Int] = [:]
  }

  private static let (readers, writers, lists, rows) = (8, 2, 50, 10_000)

  private let factory: DAOFactory
  private let log: URL
  private let counts = Counts()

  package init(in folder: URL) throws {
    let store = folder.appendingPathComponent("endurance.sqlite")
    log = URL(fileURLWithPath: store.path + "-wal")
    factory = try DAOFactory(store: .file(store), describedBy: [Shelf.entity])
    let items = (0..<Self.rows).map { Item<Shelf>("shelf \($0)", of: $0 % 100, $0 % 1000, in: nil) }
    try factory.items(Shelf.self).insert(items)
  }

  /// Runs until the time is over, or somebody meets an error that is no conflict.
  /// - Parameter progress: is called every ten seconds.
  package func run(for seconds: Int, seed: UInt64, progress: @Sendable @escaping (Int, Figures) -> Void) async throws -> Figures {
    let end = Date(timeIntervalSinceNow: Double(seconds))
    let followed = follow()
    let figures = try await withThrowingTaskGroup(of: Figures?.self) { group in
      for number in 0..<Self.readers {
        group.addTask { [self] in
          var random = RandomSource(seed: seed &+ UInt64(number))
          // Half of them are tasks, half threads.
          if number % 2 == 0 {
            while Date() < end, !Task.isCancelled { try await read(&random) }
          } else {
            try await onThread { [self, random] in
              var random = random
              while Date() < end, !counts.isFailed { try readSyncly(&random) }
            }
          }
          return nil
        }
      }
      for number in 0..<Self.writers {
        group.addTask { [self] in
          try await onThread { [self] in
            var random = RandomSource(seed: ~seed &+ UInt64(number))
            while Date() < end, !counts.isFailed { try write(&random) }
          }
          return nil
        }
      }
      group.addTask { [self] in try await watch(seconds, progress) }
      var figures: Figures?
      do { for try await found in group { figures = found ?? figures } } catch {
        counts.fail()
        throw error
      }
      return figures ?? Figures()
    }
    for list in followed { try await list.settle() }
    var all = figures
    all.counts = counts.all
    all.counts["lists shown"] = followed.reduce(0) { $0 + $1.figures.results }
    let report = try await factory.examine()
    if !report.isHealthy { throw TestCases.Difference("the doctor finds \(report)") }
    try await factory.close()
    return all
  }

  private func follow() -> [any FollowedResult] {
    let dao = factory.items(Shelf.self)
    return (0..<Self.lists).map { number in
      switch number % 5 {
      case 0...2:
        FollowedList("of \(number)", dao.fetchedResults(.where { $0.owner == number }.order(by: \.number, \.label), sections: \.number))
      case 3:
        FollowedList("from \(number)", dao.fetchedResults(.where { $0.number >= number && $0.number <= number + 5 }.order(by: \.label)))
      default:
        FollowedList(
          "a window", dao.fetchedResults(.all.order(by: \.label), window: 50), within: dao.fetchedResults(.all.order(by: \.label)))
      }
    }
  }

  // MARK: Readers

  private func read(_ random: inout RandomSource) async throws {
    let dao = factory.items(Shelf.self)
    let number = random.below(Self.rows)
    switch random.below(4) {
    case 0: _ = try await dao.find([Int64(number), Int64(number + 1)])
    case 1: _ = try await dao.findAll(.where { $0.owner == number % 100 }.order(by: \.number))
    case 2: _ = try await dao.page(.all.order(by: \.number, \.label), number: 1 + number % 50, size: 20)
    default:
      var rows = 0
      for try await _ in dao.stream(.where { $0.number > 500 }.order(by: \.label)) {
        rows += 1
        if rows == 300 { break }
      }
    }
    counts.count("reads")
  }

  private func readSyncly(_ random: inout RandomSource) throws {
    let number = random.below(Self.rows)
    try factory.read { session in
      let dao = session.items(Shelf.self)
      switch random.below(4) {
      case 0: _ = try dao.labelled("shelf \(number)")
      case 1: _ = try dao.count(.where { $0.number < number })
      case 2: _ = try dao.project(.group(by: \.owner), .sum(\.number))
      default:
        // Two looks at one snapshot.
        let (first, second) = (try dao.count(), try dao.findAllIDs().count)
        if first != second { throw TestCases.Difference("a session sees \(first) rows, then \(second)") }
      }
    }
    counts.count("reads")
  }

  // MARK: Writers

  private func write(_ random: inout RandomSource) throws {
    let number = random.below(1000)
    let owner = random.below(100)
    do {
      switch random.below(6) {
      case 0:
        // As many come as go, so that the store stays as large as it is.
        try factory.write { session in
          let dao = session.items(Shelf.self)
          let gone = try dao.delete(dao.findAllIDs(.where { $0.owner == owner }.order(by: \.id).limit(5)))
          try dao.insert((0..<gone).map { Item("\(UUID()) \($0)", of: owner, number, in: nil) })
        }
      case 1: try factory.items(Shelf.self).update(.where { $0.owner == owner && $0.number < 500 }, set: .set(\.number, to: number))
      case 2...3:
        let work = try factory.unitOfWork()
        let dao = work.items(Shelf.self)
        for var item in try dao.findAll(.where { $0.owner == owner }.order(by: \.id).limit(5)) {
          item.number = number
          try dao.update(item)
        }
        try work.commit()
        counts.count("units")
      default:
        guard var item = try factory.items(Shelf.self).findFirst(.where { $0.number >= number }.order(by: \.number)) else { return }
        item.number = random.below(1000)
        try factory.items(Shelf.self).update(item)
      }
      counts.count("writes")
    } catch DAOError.conflict { counts.count("conflicts") } catch DAOError.notFound { counts.count("rows gone") }
  }

  // MARK: Figures

  private func watch(_ seconds: Int, _ progress: (Int, Figures) -> Void) async throws -> Figures {
    var figures = Figures()
    for second in 1...max(1, seconds) {
      try await Task.sleep(for: .seconds(1))
      figures.memory = Self.memory()
      if second <= seconds / 6 { figures.memoryAtFirst = figures.memory }
      figures.log = max(figures.log, (try? log.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
      figures.counts = counts.all
      if second % 10 == 0 { progress(second, figures) }
    }
    return figures
  }

  /// The most memory that the process has had, in bytes: getrusage(2) counts kilobytes on Linux.
  private static func memory() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }

  private final class Counts: @unchecked Sendable {
    private let lock = NSLock()
    private var counts: [String: Int] = [:]
    private var failed = false

    var all: [String: Int] { lock.withLock { counts } }
    var isFailed: Bool { lock.withLock { failed } }
    func count(_ name: String) { lock.withLock { counts[name, default: 0] += 1 } }
    func fail() { lock.withLock { failed = true } }
  }
}
