import DAOCriteria
import Foundation
import Testing

@testable import DAOSQLite

/// Clocks that are wrong, stand still or go back: what is decided does not depend on them.
@Suite("Clocks that are wrong")
struct ClockTests {
  /// One start of an app: what it ships, how it treats the store, and what its user does then.
  struct Start {
    let seed: Int
    let policy: SeedPolicy
    let erases: Bool
    let edit: String
  }

  /// What time it is at one start after the other.
  static let clocks: [@Sendable () -> Date] = [
    { Date(timeIntervalSince1970: -1) }, { Date(timeIntervalSince1970: 0) }, { Date(timeIntervalSince1970: 253_402_300_800) },
    { .distantPast }, { Date(timeIntervalSince1970: -1e15) }, { Date(timeIntervalSince1970: 1e15) }, { Date(timeIntervalSince1970: 1e300) },
    { Date(timeIntervalSince1970: 1_700_000_000) }, { Date(timeIntervalSince1970: -987_654_321_012.25) },
  ]

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for seed in 1...3 { try Items.make(scratch.url("seed \(seed)"), "seed \(seed) of 3", count: 5, version: Int32(seed)) }
  }

  /// What a start has done, without times.
  private func outcome(_ report: BootstrapReport) -> String {
    switch report.outcome {
    case .reused(let reason): "reused \(reason.replacing(#/on [^,;]*/#, with: ""))"
    case .replaced(let reason): "replaced \(reason)"
    default: report.outcome.description
    }
  }

  /// Runs the starts in a folder of their own.
  /// - Returns: what each has done, the rows, and what is kept of earlier stores.
  private func run(_ starts: [Start], _ name: String, clock: @escaping (Int) -> @Sendable () -> Date) throws -> [String] {
    let folder = scratch.url(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = folder.appendingPathComponent("store")
    var told: [String] = []
    for (number, start) in starts.enumerated() {
      let entity =
        start.erases
        ? EntityDescription("item", key: .generated("id"), attributes: [Attribute("id", .integer), Attribute("title", .text)]) : item
      var bootstrapper = StoreBootstrapper(
        seed: start.erases ? .empty : .file(scratch.url("seed \(start.seed)")), entities: [entity], applicationID: 7, version: 9,
        mismatch: .eraseInRelease)
      bootstrapper.clock = clock(number)
      do {
        let report = try bootstrapper.bootstrap(store, policy: start.policy)
        told.append(outcome(report))
        if FileManager.default.fileExists(atPath: store.path) { try? Items.run(store, start.edit) }
      } catch DAOError.bootstrap(let problem) { told.append("\(problem.kind)") }
      told.append("\((try? Items.read(store)) ?? [])")
    }
    let paths = StorePaths(store: store.path)
    for kept in [try paths.backups(), try paths.erased()] { told.append("\(kept.map { "\((try? Items.read($0)) ?? [])" }.sorted())") }
    try FileManager.default.removeItem(at: folder)
    return told
  }

  @Test(arguments: 0..<Chaos.count(quick: 40, full: 400))
  func `random starts do the same, whatever the clock says at each`(number: Int) throws {
    let policies: [SeedPolicy] = [.copyIfMissing, .replace, .upgrade(conflicts: .keepMine), .upgrade(conflicts: .keepMine, adopting: true)]
    var random = Chaos.source(number)
    let starts = (0..<6).map { step in
      Start(
        seed: .random(in: 1...3, using: &random), policy: random.pick(policies), erases: step > 0 && random.once(in: 8),
        edit: "INSERT INTO item (name) VALUES ('mine \(step)')")
    }
    let expected = try run(starts, "right") { step in { Date(timeIntervalSince1970: 1_700_000_000 + Double(step)) } }
    let standing = Self.clocks[number % Self.clocks.count]
    let found = try [
      run(starts, "standing") { _ in standing }, run(starts, "wrong") { _ in random.pick(Self.clocks) },
    ]
    for (word, found) in zip(["standing", "wrong"], found) {
      Chaos.tell("wrong clocks", word, 1)
      #expect(found == expected, "\(word) clock: \(starts.map { "\($0)" }.joined(separator: "\n"))")
    }
  }

  @Test(arguments: clocks.indices)
  func `a copy's time is in the years that a stamp can tell`(clock: Int) throws {
    for besides in [nil, SeedStamp(try Seed(scratch.url("seed 1").path), version: 1, copiedAt: SeedStamp.times.upperBound)] {
      let time = try StorePaths(store: scratch.path + "/store").copyTime(Self.clocks[clock](), besides: besides)
      #expect(SeedStamp.times.contains(time) && time > 0 && time != besides?.copiedAt)
    }
  }
}

extension BootstrapReport.Outcome {
  fileprivate var description: String {
    switch self {
    case .upgraded(let report): "upgraded \(report)"
    default: "\(self)"
    }
  }
}
