import DAODifferential
import Foundation
import TestCases
import Testing

@testable import DAOKit

/// Pages while rows come and go. That all pages together are the full sort is what `FuzzTests` show.
struct PageDifferentialTests {
  @Test func `rows that come and go between pages neither repeat nor hide any other`() throws {
    for number in 0..<30 {
      let seed = TestCases.seed &+ UInt64(number)
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
}

/// A DAO of rows by name, within a scope.
private final class ScopedDAO: DAO<DynamicEntity>, @unchecked Sendable {
  private let confined: Criteria.Condition

  init(_ context: DAOContext, scope: Criteria.Condition = .constant(true)) {
    confined = scope
    super.init(context)
  }

  override var scope: Filter<DynamicEntity> { Filter(confined) }
}

extension Criteria {
  fileprivate var text: String {
    "\(filter.text)\norders \(orders.map { "\($0.term.text) \($0.direction.rawValue) \($0.nulls.rawValue)" })"
  }
}
