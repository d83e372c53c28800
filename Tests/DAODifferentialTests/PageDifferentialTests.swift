import DAODifferential
import Foundation
import Testing

@testable import DAOKit

/// Pages one after the other, from both ends, on SQLite and on the array store: together they are the full sort.
struct PageDifferentialTests {
  private static let count = (ProcessInfo.processInfo.environment["DAO_CASES"].flatMap { Int($0) } ?? 6000) / 20

  @Test func `pages in random orders over random rows are the full sort`() throws {
    var nulls = 0
    var ties = 0
    for number in 0..<Self.count / 10 {
      let seed = DifferentialTests.seed &+ UInt64(number)
      var random = RandomSource(seed: seed)
      // Few rows of wide values, and many of narrow ones.
      let rows = Everything.rows(random.pick([1, 6, 20]), &random)
      let stores: [any EntityStore] = [try Stores.array(rows), try Stores.sqlite(rows)]
      var generator = RandomCriteria(random: random, rows: rows)
      for _ in 0..<10 {
        var criteria = Criteria()
        if generator.random.once(in: 3) { criteria.filter = generator.filter() }
        let scope = generator.random.once(in: 3) ? generator.scope() : .constant(true)
        criteria.orders = (0...generator.random.below(4)).map { _ in generator.order(generator.rowTerm(generator.pickType())) }
        let size = 1 + generator.random.below(7)
        let walks = try stores.map { try Walk(ScopedDAO(DAOContext($0, entity: Everything.entity), scope: scope), criteria, size: size) }
        guard check(walks, "seed \(seed), \(criteria.text), scope \(scope.text), size \(size)") else { return }
        let places = walks[1].places
        nulls += places.filter { $0.contains(.null) }.count
        ties += zip(places, places.dropFirst()).filter { $0.first == $1.first }.count
      }
    }
    #expect(nulls > Self.count / 10 && ties > Self.count / 10, "\(nulls) places with null, \(ties) ties")
  }

  @Test func `pages ordered through relationships are the full sort`() throws {
    var found = 0
    for number in 0..<Self.count / 10 {
      let seed = DifferentialTests.seed &+ UInt64(number)
      var random = RandomSource(seed: seed)
      let rows = Library.rows(random.pick([1, 4, 8]), &random)
      let (array, sqlite) = (try EvaluatorStore(Library.entities), try Stores.sqlite(for: Library.entities))
      try Library.fill(array, rows)
      try Library.fill(sqlite, rows)
      var generator = RandomRelated(random: random)
      for _ in 0..<10 {
        let entity = generator.random.pick(Library.entities)
        var criteria = Criteria()
        if generator.random.once(in: 3) { criteria.filter = generator.condition(of: entity, hops: 0) }
        criteria.orders = (0...generator.random.below(4)).map { _ in generator.order(generator.term(of: entity, 0).0) }
        // Deeper than any store reads; that is refused elsewhere.
        if criteria.text.contains("too deep") || criteria.text.contains("unstorable") { continue }
        let size = 1 + generator.random.below(7)
        let stores: [any EntityStore] = [array, sqlite]
        let walks = try stores.map { try Walk(ScopedDAO(DAOContext($0, entity: entity)), criteria, size: size) }
        guard check(walks, "seed \(seed), \(entity.name), \(criteria.text), size \(size)") else { return }
        found += walks[0].all.count
      }
    }
    #expect(found > Self.count)
  }

  @Test func `rows that come and go between pages neither repeat nor hide any other`() throws {
    for number in 0..<Self.count / 10 {
      let seed = DifferentialTests.seed &+ UInt64(number)
      var random = RandomSource(seed: seed)
      let rows = Everything.rows(20, &random)
      let stores: [any EntityStore] = [try Stores.array(rows), try Stores.sqlite(rows)]
      for store in stores {
        var generator = RandomCriteria(random: RandomSource(seed: seed), rows: rows)
        let dao = ScopedDAO(DAOContext(store, entity: Everything.entity))
        var criteria = Criteria()
        criteria.orders = (0...generator.random.below(3)).map { _ in generator.order(generator.rowTerm(generator.pickType())) }
        let search = SearchCriteria<DynamicEntity>(criteria)
        var (kept, seen): (Set<[Scalar]?>, [[Scalar]?]) = (Set(try dao.findAllIDs().map { $0 }), [])
        var page = try dao.page(search, size: 3)
        while true {
          seen += page.items.map(\.primaryKey)
          guard let next = page.next else { break }
          // The row at the place, and others anywhere; new ones anywhere.
          let gone = [page.items.last?.primaryKey] + (generator.random.once(in: 2) ? [generator.random.pick(try dao.findAllIDs())] : [])
          for key in gone { if let key, try dao.delete(key), !seen.contains(key) { kept.remove(key) } }
          // A key of its own: SQLite may give that of a deleted row once more.
          var new = Everything.rows(1, &generator.random)[0]
          new["id"] = .integer(Int64(1000 + seen.count))
          try dao.insert(dao.make(new))
          page = try dao.page(search, size: 3, after: PageToken(next.text))
          if seen.count > 200 { break }
        }
        #expect(Set(seen).count == seen.count && kept.isSubset(of: Set(seen)), "seed \(seed), \(criteria.text)")
      }
    }
  }

  /// Whether both stores have the full sort in pages, and the same places.
  private func check(_ walks: [Walk], _ text: String) -> Bool {
    for (walk, name) in zip(walks, ["the reference", "SQLite"]) where !walk.problems.isEmpty {
      Issue.record("\(name): \(walk.problems.joined(separator: "; "))\n\(text)")
      return false
    }
    guard walks[0].all == walks[1].all, walks[0].places == walks[1].places else {
      Issue.record("the stores differ: \(walks[0].places) and \(walks[1].places)\n\(text)")
      return false
    }
    return true
  }
}

/// A DAO of rows by name, within a scope.
private final class ScopedDAO: DAO<DynamicEntity>, @unchecked Sendable {
  private let confined: Condition

  init(_ context: DAOContext, scope: Condition = .constant(true)) {
    confined = scope
    super.init(context)
  }

  override var scope: Filter<DynamicEntity> { Filter(confined) }
}

/// All pages of a criteria from both ends, and what is wrong with them.
private struct Walk {
  let all: [[Scalar]]
  private(set) var places: [[StoredValue]] = []
  private(set) var problems: [String] = []

  init(_ dao: ScopedDAO, _ criteria: Criteria, size: Int) throws {
    let search = SearchCriteria<DynamicEntity>(criteria)
    all = try dao.findAll(search.limit(.max)).map(\.values)
    var forward: [Page<DynamicEntity>] = [try dao.page(search, size: size)]
    while let next = forward.last?.next, forward.count <= all.count {
      places.append(next.values)
      forward.append(try dao.page(search, size: size, after: PageToken(next.text)))
    }
    note(forward.flatMap(\.items).map(\.values) == all, "the pages forward are not the full sort")
    note(forward.dropLast().allSatisfy { $0.items.count == size }, "a page is not full")
    note(forward.first?.previous == nil && forward.last?.next == nil, "an end is not nil")
    for (page, before) in zip(forward.dropFirst(), forward) {
      let back = try dao.page(search, size: size, before: page.previous, total: .exact)
      note(back.items.map(\.values) == before.items.map(\.values), "a page back is not the page before")
      note(back.total == all.count && back.hasNext, "a page back does not know the total or what follows")
    }
    var backward: [Page<DynamicEntity>] = [try dao.page(search, size: size, before: nil)]
    while let previous = backward.last?.previous, backward.count <= all.count {
      places.append(previous.values)
      backward.append(try dao.page(search, size: size, before: PageToken(previous.text)))
    }
    note(backward.reversed().flatMap(\.items).map(\.values) == all, "the pages backward are not the full sort")
    note(backward.first?.next == nil && backward.last?.previous == nil, "an end backward is not nil")
  }

  private mutating func note(_ holds: Bool, _ problem: String) { if !holds, !problems.contains(problem) { problems.append(problem) } }
}

extension Criteria {
  fileprivate var text: String {
    "\(filter.text)\norders \(orders.map { "\($0.term.text) \($0.direction.rawValue) \($0.nulls.rawValue)" })"
  }
}
