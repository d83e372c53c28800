import DAOEvaluator
import DAOImport
import DAOKit
import Foundation
import TestCases
import Testing

/// Random feeds of random entities: the store has what they say.
@Suite struct ImportPropertyTests {
  /// How the feeds of a world come into a store.
  enum Way: CaseIterable {
    case once, twice, shuffled, inBatches, interrupted, marked, inEvaluator, inUnit, inSession, exported
  }

  @Test("feeds are the same store, imported once, twice, shuffled, in batches, interrupted and resumed")
  func importsAreIdempotent() throws {
    let (results, failure) = TestCases.concurrently(TestCases.seeds(10_000, inSuite: 60)) { seed in
      var random = RandomSource(seed: seed)
      let world = FeedWorld(&random)
      let feeds = world.order.map { world.feed(of: $0, &random) }
      for way in Way.allCases {
        do {
          let found = try store(feeds, of: world, way, &random)
          if found != world.expected { throw Difference(way: way, feeds: feeds, found: found, expected: world.expected) }
        } catch let failure as ImportFailure { throw Difference(way: way, feeds: feeds, found: ["\(failure)"], expected: world.expected) }
      }
      return world.rows.count
    }
    #expect(failure == nil)
    #expect(results.reduce(0, +) > results.count)
  }

  private func store(
    _ feeds: [[ImportValue]], of world: FeedWorld, _ way: Way, _ random: inout RandomSource
  ) throws -> [String] {
    let descriptions = world.descriptions + [ImportMark.entityDescription]
    let factory =
      way == .inEvaluator
      ? DAOFactory(over: try EvaluatorStore(descriptions)) : try DAOFactory(store: .inMemory(), describedBy: descriptions)
    if way == .exported {
      try copy(of: try DAOFactory(store: .inMemory(), describedBy: descriptions), feeds, of: world, to: factory, &random)
      return try world.dump(factory)
    }
    let size = 1 + random.below(4)
    for (kind, records) in feeds.enumerated() {
      let records = way == .shuffled ? records.shuffled(using: &random) : records
      let (entity, feed) = (world.descriptions[kind], Self.source(records, &random))
      let dao = factory.runtimeDAO(entity)
      switch way {
      case .once, .shuffled, .inEvaluator, .exported: try dao.import(feed)
      case .twice:
        try dao.import(feed)
        let again = try dao.import(feed)
        // Nothing changes any more.
        for (name, counts) in again.counts where counts.inserted + counts.updated + counts.deleted > 0 {
          throw Difference(way: way, feeds: feeds, found: ["again \(name): \(counts)"], expected: [])
        }
      case .inBatches: try dao.import(feed, options: ImportOptions(batch: size))
      case .interrupted, .marked:
        let options = ImportOptions(batch: size, mark: way == .marked ? "feed" : nil)
        let lines = records.map { "\($0)" }
        // The feed ends in the middle of a record.
        let cut = lines[..<random.below(lines.count)].joined(separator: "\n") + #"\#n{"cut": "#
        do {
          try dao.import(.jsonLines(Data(cut.utf8)), options: options)
          throw Difference(way: way, feeds: feeds, found: ["a feed without an end was imported"], expected: [])
        } catch is ImportFailure {}
        try dao.import(.jsonLines(Data(lines.joined(separator: "\n").utf8)), options: options)
        if way == .marked, try factory.runtimeDAO(ImportMark.self).count() > 0 {
          throw Difference(way: way, feeds: feeds, found: ["the mark stays"], expected: [])
        }
      case .inUnit:
        let unit = try factory.unitOfWork()
        try unit.runtimeDAO(entity).import(feed)
        _ = try unit.commit()
      case .inSession: try factory.write { session in _ = try session.runtimeDAO(entity).import(feed) }
      }
    }
    return try world.dump(factory)
  }

  /// Imports feeds into one store, and what that exports into another.
  private func copy(
    of first: DAOFactory, _ feeds: [[ImportValue]], of world: FeedWorld, to second: DAOFactory, _ random: inout RandomSource
  ) throws {
    var exports: [Data] = []
    for (kind, records) in feeds.enumerated() {
      try first.runtimeDAO(world.descriptions[kind]).import(Self.source(records, &random))
    }
    for kind in world.order {
      var criteria = SearchCriteria<DynamicEntity>.all
      for relationship in world.descriptions[kind].relationships
      where random.once(in: 2) && !world.mayBeCircular(relationship.name, of: kind) {
        criteria = criteria.prefetch(relationship.name)
      }
      exports.append(try first.runtimeDAO(world.descriptions[kind]).exported(criteria, as: .jsonLines))
    }
    // A row may name one of a file that comes later: the second time it is there.
    for options in [ImportOptions(failures: .skip(upTo: .max)), ImportOptions()] {
      for kind in world.order { try second.runtimeDAO(world.descriptions[kind]).import(.jsonLines(exports[kind]), options: options) }
    }
  }

  /// The records as one of the forms of feeds.
  private static func source(_ records: [ImportValue], _ random: inout RandomSource) -> ImportSource {
    switch random.below(3) {
    case 0: .json(Data("\(ImportValue.list(records))".utf8))
    case 1: .json(Data("\(ImportValue.object(["data": .object(["items": .list(records)]), "n": 1]))".utf8), at: "data.items")
    default: .jsonLines(Data(records.map { "\($0)" }.joined(separator: "\n").utf8))
    }
  }
}

/// A store that is not what its feeds say.
private struct Difference: Error, CustomStringConvertible {
  let way: ImportPropertyTests.Way
  let feeds: [[ImportValue]]
  let found, expected: [String]

  var description: String {
    let (found, expected) = (Set(found), Set(self.expected))
    return """
      \(way): \(feeds.map { $0.map { "\($0)" }.joined(separator: "\n") }.joined(separator: "\n--\n"))
      found only: \(found.subtracting(expected).sorted().joined(separator: "\n"))
      expected only: \(expected.subtracting(found).sorted().joined(separator: "\n"))
      """
  }
}
