import CriteriaTesting
import DAODifferential
import DAOKit
import Foundation
import TestCases
import Testing

/// Random lists under random commits: each equals its query's rows, and what its differences make of the list before.
struct FetchedResultsDifferentialTests {
  private struct Total: Sendable {
    var compared = 0
    /// Lists brought up to date in memory.
    var patched = 0
    var readAgain = 0
    var reloads = 0
    var changes = 0
  }

  private final class List {
    let query: FetchedQuery<DynamicEntity>
    let run: LiveQueryRun
    let stores: DAODifferential.Stores
    var last: FetchedResults<DynamicEntity>
    var shown: ShownList<DynamicEntity>

    init?(_ criteria: Criteria, _ target: EntityTarget, _ section: Criteria.Term?, _ mostChanges: Int, _ stores: DAODifferential.Stores)
      throws
    {
      guard let feed = stores.sqlite.changeFeed else { throw DAOError.unsupported("no feed") }
      self.stores = stores
      run = LiveQueryRun(feed)
      // One that is refused, or fails, has no result to follow.
      guard let query = try? FetchedQuery<DynamicEntity>(criteria, in: target, sections: section, mostChanges: mostChanges),
        let first = try? Self.read(query, run, stores)
      else { return nil }
      self.query = query
      last = first
      shown = ShownList(first) { row in (try? target.entity.storedValues(of: row)).map { "\($0)" } }
    }

    static func read(
      _ query: FetchedQuery<DynamicEntity>, _ run: LiveQueryRun, _ stores: DAODifferential.Stores
    ) throws -> FetchedResults<DynamicEntity> {
      if let followed = query.followed {
        return try run.run(over: stores.sqlite, keepingRowsOf: followed) { try query.read(from: $0, run) }
      }
      return try run.run(over: stores.sqlite) { try query.read(from: $0, run) }
    }

    /// The next list, as the loop finds it; false where the query fails.
    func follow(_ total: inout Total) throws -> Bool {
      guard run.state.isMarked else { return true }
      var next: FetchedResults<DynamicEntity>?
      if let rows = run.state.takeRows(),
        let patched = try? last.patched(by: rows, of: query.criteria, in: query.target) as FetchedResults<DynamicEntity>??
      {
        total.patched += 1
        next = patched
      } else {
        total.readAgain += 1
        guard let read = try? Self.read(query, run, stores) else { return false }
        next = last.compare(to: read)
      }
      guard let next else { return true }
      total.changes += next.changes?.count ?? 0
      try shown.show(next)
      last = next
      return true
    }

    /// The rows of the query by other ways: a find, and a report of the sections.
    func expected() throws -> [(Scalar, [[StoredValue]])]? {
      let (target, entity) = (query.target, query.target.entity)
      var criteria = query.criteria
      criteria.orders = criteria.totalOrders(in: entity)
      guard let rows = try? stores.sqlite.find(DynamicEntity.self, in: target, criteria) else { return nil }
      let values = try rows.map { try entity.storedValues(of: $0) }
      guard let section = query.section else { return [(.null, values)] }
      criteria.columns = [Criteria.Column(section)]
      let type = section.type(in: entity) ?? .any
      func scalar(_ stored: StoredValue) throws -> Scalar { try (try? type.scalar(stored)) ?? AttributeType.any.scalar(stored) }
      // What a collation finds equal is one section, which is named as its first row spells it.
      func identity(_ stored: StoredValue) throws -> Scalar { try scalar(type.isCollated ? stored.identity(as: type) : stored) }
      guard
        let sections = try? stores.sqlite.report(
          in: target, criteria,
          { row in
            let stored = try row.takeStored()
            return (identity: try identity(stored), name: try scalar(stored))
          })
      else { return nil }
      var numbers: [Scalar: Int] = [:]
      var groups: [(Scalar, [[StoredValue]])] = []
      for (row, section) in zip(values, sections) {
        if let number = numbers[section.identity] {
          groups[number].1.append(row)
        } else {
          numbers[section.identity] = groups.count
          groups.append((section.name, [row]))
        }
      }
      return groups
    }
  }

  private func run(_ seed: UInt64) throws -> Total {
    var total = Total()
    let world = try World(seed: seed)
    var changing = try ChangingWorld(world, seed: seed ^ 0x11FE)
    let stores = changing.stores
    var maker = CriteriaMaker(world, stores.catalog.entities, RandomSource(seed: ~seed))
    var lists = try (0..<30).compactMap { _ in
      let entity = maker.random.pick(stores.catalog.entities)
      let (criteria, section) = maker.list(of: entity)
      let scope = maker.random.once(in: 5) ? maker.list(of: entity).0.filter : .constant(true)
      return try List(criteria, EntityTarget(entity, scope: scope), section, maker.random.pick([1, 6, 1_000]), stores)
    }
    for _ in 0..<15 {
      for _ in 0..<maker.random.below(3) + 1 { try changing.commit() }
      try lists.removeAll { list in
        func different(_ reason: String) -> TestCases.Difference {
          TestCases.Difference("\(list.query.criteria)\nsections: \(list.query.section.map { "\($0)" } ?? "none")\n\(reason)")
        }
        guard let expected = try list.expected() else { return true }
        do { if try !list.follow(&total) { return true } } catch let refused as ShownList<DynamicEntity>.Refused {
          throw different(refused.description)
        }
        let entity = list.query.target.entity
        let found = try list.last.sections.map { ($0.value, try $0.rows.map { try entity.storedValues(of: $0) }) }
        total.compared += 1
        if found.map(\.0) != expected.map(\.0) || found.map(\.1) != expected.map(\.1) {
          throw different("the list: \(found)\nexpected: \(expected)")
        }
        return false
      }
    }
    for list in lists { total.reloads += list.shown.reloads }
    return total
  }

  @Test func `every list is what its query finds, and what its differences make of the list before`() {
    let (runs, failure) = TestCases.concurrently(TestCases.seeds(1_000, inSuite: 40, from: 7_700), run)
    func sum(_ count: (Total) -> Int) -> Int { runs.reduce(0) { $0 + count($1) } }
    let (patched, reloads) = (sum(\.patched), sum(\.reloads))
    print(
      "\(sum(\.compared)) lists: \(patched) brought up to date in memory, \(sum(\.readAgain)) read again, \(reloads) shown anew, "
        + "\(sum(\.changes)) rows and sections changed")
    if let failure { Issue.record(Comment(rawValue: failure)) }
    #expect(patched > 0 && reloads > 0 && sum(\.changes) > 0)
  }
}
