import DAODifferential
import DAOKit
import Foundation
import Testing

/// SQLite's answers beside those of the array store, where criteria go through relationships.
struct RelationshipDifferentialTests {
  private static let count = ProcessInfo.processInfo.environment["DAO_CASES"].flatMap { Int($0) } ?? 4000

  @Test func `SQLite and the reference agree on criteria that go through relationships`() throws {
    var answered = 0
    var failures = 0
    let casesForRows = 50
    for batch in 0..<max(1, Self.count / casesForRows) {
      let seed = DifferentialTests.seed &+ UInt64(batch)
      var random = RandomSource(seed: seed)
      let rows = Library.rows(random.pick([0, 1, 4, 8]), &random)
      let (array, sqlite) = (try EvaluatorStore(Library.entities), try Stores.sqlite(for: Library.entities))
      try Library.fill(array, rows)
      try Library.fill(sqlite, rows)
      var generator = RandomRelated(random: random)
      for number in 0..<casesForRows {
        let entity = generator.random.pick(Library.entities)
        let isReport = generator.random.once(in: 3)
        let criteria = isReport ? generator.report(of: entity) : generator.criteria(of: entity)
        // Deeper than any store reads; that is refused elsewhere.
        let texts = [criteria.filter.text, criteria.scope.text] + criteria.orders.map(\.term.text) + criteria.columns.map(\.term.text)
        if texts.contains(where: { $0.contains("too deep") || $0.contains("unstorable") }) { continue }
        let (expected, found) = (answer(array, entity, criteria), answer(sqlite, entity, criteria))
        if case .rows(let rows) = expected, !rows.isEmpty { answered += 1 }
        if expected == found { continue }
        failures += 1
        let sql = (try? SearchCriteria<DynamicEntity>(criteria).sql(in: EntityTarget(entity, scope: criteria.scope)))?.text ?? "no SQL"
        Issue.record(
          "seed \(seed), case \(number), \(entity.name)\n\(sql)\n\(criteria.filter.text)\nscope \(criteria.scope.text)\norders \(criteria.orders.map(\.term.text)), columns \(criteria.columns.map(\.term.text))\nreference: \(expected)\nSQLite: \(found)"
        )
        if failures >= 3 { return }
      }
    }
    #expect(answered > Self.count / 4, "only \(answered) cases found anything")
  }

  private func answer(_ store: any EntityStore, _ entity: EntityDescription, _ criteria: Criteria) -> Answer {
    let target = EntityTarget(entity, scope: criteria.scope)
    do {
      let rows =
        criteria.columns.isEmpty
        ? try store.find(DynamicEntity.self, in: target, criteria).map(\.values)
        : try store.report(in: target, criteria) { row in try criteria.columns.map { _ in try row.takeScalar() } }
      let isOrdered = !criteria.orders.isEmpty || criteria.limit != nil
      return .rows(isOrdered ? rows : rows.inOneOrder)
    } catch { return Answer(error) }
  }
}
